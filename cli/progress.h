// How far the work has come, on a line of standard error that is drawn over and over.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "noiseplus/core.h"

namespace noiseplus::cli {

// Of one piece of work, from the shares of it that are reported as done. What is left is reckoned
// from the pace since the work began, and follows it slowly, so that it does not jump. A share that
// falls begins another piece.
class TimeLeft {
 public:
  // `now` in seconds, from any start.
  void update(double now, double done);

  // Nothing while it is too early to say.
  std::optional<double> seconds() const { return left_; }
  // Share of the work that is done in a second; 0: too early to say.
  double pace() const { return pace_; }

 private:
  bool has_begun_ = false;
  double start_ = 0, first_ = 0, done_ = 0, now_ = 0, pace_ = 0;
  std::optional<double> left_;
};

// "40 s left", "12 min left", "2 h 5 min left"
std::string left_text(double seconds);
// "310 MB/s"
std::string speed_text(double bytes_a_second);

struct ProgressView {
  std::string stage;
  double done = 0;
  std::string speed, left;  // empty: unknown
};

// Never wider than `columns`: first the bar gives way, then speed and time left, then the stage.
std::string progress_line(const ProgressView& view, std::size_t columns);

// When something is drawn: not before a second of work, at most ten times a second.
class ProgressClock {
 public:
  bool is_time(double now);

 private:
  std::optional<double> start_, last_;
};

// A file that is read: the stage that goes through all its bytes has a speed.
struct FileBeingRead {
  std::string_view stage;
  double bytes = 0;  // 0: unknown
};

// Draws where standard error is a terminal of 20 columns or more.
void draw_progress(const Progress& progress, const FileBeingRead& file);

// The line is erased; call before printing anything else.
void clear_progress();

}  // namespace noiseplus::cli
