#include "outputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "data/output_place.h"
#include "exit_code.h"
#include "standard_streams.h"
#include "terminal.h"
#include "values.h"

namespace noiseplus::cli {
namespace {

void set_inode(const struct stat& status, FileIdentity& identity) {
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) return;
  identity.inode = {status.st_dev, status.st_ino};
}

FileIdentity identity_of_stream(int descriptor) {
  FileIdentity identity{"descriptor " + std::to_string(descriptor), {}};
  struct stat status {};
  if (::fstat(descriptor, &status) == 0) set_inode(status, identity);
  return identity;
}

FileIdentity identity_of_path(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  FileIdentity identity{std::filesystem::weakly_canonical(whole, failed).string(), {}};
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) set_inode(status, identity);
  return identity;
}

FileIdentity identity_of_input(const std::string& path) {
  return path == "-" ? identity_of_stream(STDIN_FILENO) : identity_of_path(path);
}

FileIdentity identity_of_output(const std::string& path) {
  if (path == "-") return identity_of_stream(STDOUT_FILENO);
  const OutputPlace place = place_of_output(path);
  return place.open_descriptor >= 0 ? identity_of_stream(place.open_descriptor)
                                    : identity_of_path(place.path);
}

}  // namespace

OutputFile* Outputs::add_beside(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty()) return nullptr;
  const FileIdentity identity = identity_of_output(path);
  for (const std::string& input : inputs) {
    if (!input.empty() && identity.is_same(identity_of_input(input))) {
      throw Error(ErrorKind::usage, path + ": would replace the input; name another file");
    }
  }
  return add(path);
}

OutputFile* Outputs::add(const std::string& path) {
  if (path.empty()) return nullptr;
  const FileIdentity identity = identity_of_output(path);
  const bool is_taken =
      std::any_of(identities_.begin(), identities_.end(),
                  [&](const FileIdentity& other) { return identity.is_same(other); });
  if (is_taken) {
    throw Error(ErrorKind::usage, path + ": given for two outputs; name two files");
  }
  identities_.push_back(identity);
  files_.push_back({path, std::make_unique<OutputFile>(path)});
  const std::string standard_output = identity_of_stream(STDOUT_FILENO).place;
  takes_standard_output_ = takes_standard_output_ || identity.place == standard_output;
  return files_.back().file.get();
}

void Outputs::commit(const std::string& text) {
  throw_if_mapped_file_was_cut();  // what was computed from it is worth nothing
  for (const Output& output : files_) output.file->finish();
  const bool nobody_listens = is_standard_output_closed() && !files_.empty();
  if (!text.empty() && !takes_standard_output_ && !nobody_listens) print(text);
  for (const Output& output : files_) output.file->stage();
  // Allocates nothing unless a rename fails.
  for (std::size_t i = 0; i < files_.size(); ++i) {
    try {
      files_[i].file->commit();
    } catch (const Error& error) {
      if (i == 0) throw;
      std::vector<std::string> written;
      for (std::size_t before = 0; before < i; ++before) written.push_back(files_[before].path);
      throw Error(error.kind(), error.what() + ("; already written: " + listed(written)));
    }
  }
}

}  // namespace noiseplus::cli
