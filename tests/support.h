// What several tests need: a folder that goes away, and clusterable data with known noise.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus::testing_support {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device random;
    path_ = std::filesystem::temp_directory_path() /
            ("noiseplus-test-" + std::to_string(random()) + std::to_string(random()));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Labels with e+ = P(0 | clean 1) and e- = P(1 | clean 0).
inline std::vector<std::int32_t> with_noise(const std::vector<std::int32_t>& clean,
                                            double e_positive, double e_negative,
                                            std::uint64_t seed) {
  const std::vector<double> transition = {1 - e_negative, e_negative, e_positive, 1 - e_positive};
  return draw_labels(clean, 2, transition, seed, Stream::corrupt);
}

}  // namespace noiseplus::testing_support
