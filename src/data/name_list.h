// A few names for a message, however many there are. Internal to the data stage.
#pragma once

#include <cstddef>
#include <string>

namespace noiseplus {

// A table may have a million columns with the same trouble: all are counted, the first are named.
class NameList {
 public:
  void add(const std::string& name) {
    if (count_++ < max_named) names_ += (names_.empty() ? "" : ", ") + name;
  }
  bool empty() const { return count_ == 0; }

  // "1 column", "3 columns"
  std::string columns() const {
    return std::to_string(count_) + (count_ == 1 ? " column" : " columns");
  }
  // "a, b, c, d, e, ..."
  std::string names() const { return names_ + (count_ > max_named ? ", ..." : ""); }

 private:
  static constexpr std::size_t max_named = 5;
  std::size_t count_ = 0;
  std::string names_;
};

}  // namespace noiseplus
