"""Measurements as Markdown tables."""


def whole(number):
    return f"{number:,.0f}"


def shape(rows, columns):
    return f"{rows:,} × {columns}"


def seconds_of(measurement, rows):
    """For all rows as queries: what was measured on a sample is scaled, the preparation is not."""
    return measurement.get("prepare", 0) + measurement["seconds"] * rows / measurement["queries"]


def how(measurement, rows):
    parts = [measurement["setting"]] if measurement.get("setting") else []
    if measurement["queries"] < rows:
        parts.append(f"scaled from {measurement['queries']:,} queries")
    if measurement.get("prepare"):
        parts.append(f"{measurement['prepare']:.2g} s to prepare included")
    parts.append("one run" if measurement["runs"] == 1 else f"best of {measurement['runs']}")
    return ", ".join(parts)


def print_table(heads, lines):
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print(flush=True)


def print_searches(title, measurements, rows, columns, peak):
    """One table of contestants; ours is the first. A pair of rows is counted once: n^2 d operations."""
    print(f"### {title}\n")
    ours = measurements[0]
    lines = []
    for measurement in measurements:
        seconds = seconds_of(measurement, rows)
        gflops = rows**2 * columns / seconds / 1e9
        # A rival's memory on a sample of queries says nothing about all of them.
        memory = whole(ours["megabytes"]) if measurement is ours and "megabytes" in ours else ""
        lines.append([measurement["search"], f"{seconds:.3g}", f"{gflops:.3g}", f"{gflops / peak:.1%}" if peak else "",
                      f"{seconds / seconds_of(ours, rows):.2f}", memory, how(measurement, rows)])
    print_table(["search", "seconds", "GFLOP/s", "of the peak", "ratio", "memory beyond the input, MB", "how"], lines)
