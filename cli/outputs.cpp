#include "outputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "data/output_place.h"
#include "exit_code.h"
#include "standard_streams.h"
#include "terminal.h"

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
  files_.push_back(std::make_unique<OutputFile>(path));
  const std::string standard_output = identity_of_stream(STDOUT_FILENO).place;
  takes_standard_output_ = takes_standard_output_ || identity.place == standard_output;
  return files_.back().get();
}

void Outputs::commit(const std::string& text) {
  throw_if_input_was_cut();
  for (const auto& file : files_) file->finish();
  const bool nobody_listens = is_standard_output_closed() && !files_.empty();
  if (!text.empty() && !takes_standard_output_ && !nobody_listens) print(text);
  for (const auto& file : files_) file->commit();
}

}  // namespace noiseplus::cli
