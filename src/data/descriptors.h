// Descriptors of files that are opened by name. Internal to the data stage.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace noiseplus {

// The same file under a descriptor above 2; what is not open (-1) stays so. Where the caller has
// closed standard output, the next file that is opened gets its number, and all that is printed.
inline int keep_off_standard(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int failure = errno;
  ::close(fd);
  errno = failure;
  return moved;
}

}  // namespace noiseplus
