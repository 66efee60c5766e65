// Where an output ends up. Internal: the data stage writes there, the program compares places.
#pragma once

#include <string>

namespace noiseplus {

struct OutputPlace {
  std::string path;          // after following links, also those that name no file yet
  int open_descriptor = -1;  // what is open already: standard output by another name
  bool is_direct = false;    // written as it comes: a device, a pipe, an open descriptor
};

// Follows links so that a link stays a link; where the last one names no file, that is the place of
// the new file. Throws io when links go round in a circle. `path` is not "-".
OutputPlace place_of_output(const std::string& path);

}  // namespace noiseplus
