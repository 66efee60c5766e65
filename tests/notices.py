"""Is every library that a file links or a wheel contains named in THIRD_PARTY_NOTICES.txt?  notices.py WHEEL"""
import pathlib
import re
import subprocess
import sys
import zipfile

NOTICES = pathlib.Path(__file__).parents[1] / "THIRD_PARTY_NOTICES.txt"
# Heading in the notices of each library, by the beginning of its file's name.
HEADINGS = {"libz": "zlib", "libzip": "libzip", "libhwy": "Highway", "libfmt": "fmt", "libcrypto": "OpenSSL", "libbz2": "bzip2"}
# The system's own, which nobody ships with a program.
SYSTEM = {"libc", "libm", "libstdc++", "libgcc_s", "libdl", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"}


def name_of(file):
    """libzip-1a2b3c4d.so.5.5 is libzip: auditwheel puts a part of the hash into the name."""
    return re.match(r"(.*?)(-[0-9a-f]{8})?\.so", file)[1]


def without_notice(files):
    """Those of these shared libraries that the notices do not name."""
    headings = set(re.findall(r"^=+\n(.+)\n=+$", NOTICES.read_text(encoding="utf-8"), re.MULTILINE))
    names = {name_of(file) for file in files} - SYSTEM
    return sorted(name for name in names if HEADINGS.get(name) not in headings)


def linked_by(binary):
    dynamic = subprocess.run(["readelf", "--wide", "--dynamic", binary], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)


def main(wheel):
    files = zipfile.ZipFile(wheel).namelist()
    if not any(re.search(r"\.dist-info/.*THIRD_PARTY_NOTICES\.txt$", file) for file in files):
        sys.exit(f"{wheel}: has no THIRD_PARTY_NOTICES.txt")
    libraries = [file.rpartition("/")[2] for file in files if re.search(r"\.libs/.*\.so", file)]
    missing = without_notice(libraries)
    if missing:
        sys.exit(f"{wheel}: not in THIRD_PARTY_NOTICES.txt: {', '.join(missing)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tests/notices.py WHEEL")
    main(sys.argv[1])
