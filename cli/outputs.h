// The files a command writes: all of them appear, or none, unless a rename fails after another one
// succeeded.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus::cli {

// One file, by whichever name it is given: a link, a hard link, "-" for a redirected stream.
struct FileIdentity {
  std::string place;                             // where there is no file yet, or no regular one
  std::optional<std::pair<dev_t, ino_t>> inode;  // of regular files and pipes

  bool is_same(const FileIdentity& other) const {
    return inode || other.inode ? inode == other.inode : place == other.place;
  }
};

class Outputs {
 public:
  // Null when the path is empty: an output nobody asked for. Throws usage when two are one file.
  OutputFile* add(const std::string& path);
  // As add, for what must not replace an input: throws usage when the path is one of `inputs`.
  OutputFile* add_beside(const std::string& path, const std::vector<std::string>& inputs);

  // Finishes every file, prints `text`, gives every file a temporary name beside its place, then
  // renames them one by one. A failure before the first rename leaves all old files. If a later
  // rename fails, the files before it are new and the others old; the error (io) names the new
  // ones. Pipes, devices and standard output are written as the work goes on and cannot be taken
  // back. No text is printed when an output is standard output. Where standard output is closed,
  // the text is left out if there are files, and an error (io) if it is the only result.
  void commit(const std::string& text = "");

 private:
  struct Output {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };

  std::vector<Output> files_;
  std::vector<FileIdentity> identities_;
  bool takes_standard_output_ = false;
};

}  // namespace noiseplus::cli
