#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/format.h"
#include "terminal.h"

namespace noiseplus::cli {
namespace {

constexpr std::size_t narrowest_terminal = 20;

bool is_shown = false;

double seconds_now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

// Of the terminal behind standard error; 80 where it does not say.
std::size_t terminal_columns() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

}  // namespace

void TimeLeft::update(double now, double done) {
  constexpr double too_early = 1, too_little = 0.02;  // seconds, share
  constexpr double step = 0.2;                        // of the way to what the pace says
  if (!has_begun_ || done < done_) {
    *this = TimeLeft();
    has_begun_ = true;
    start_ = now;
    first_ = done;
  }
  const double since = now - now_;
  now_ = now;
  done_ = done;
  if (now - start_ < too_early || done - first_ < too_little) return;
  pace_ = (done - first_) / (now - start_);
  const double reckoned = (1 - done) / pace_;
  left_ = left_ ? std::max(0.0, *left_ - since) : reckoned;
  *left_ += step * (reckoned - *left_);
}

std::string left_text(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 1.5 * minute) return fmt::format("{:.0f} s left", std::ceil(seconds));
  if (seconds < 1.5 * hour) return fmt::format("{:.0f} min left", std::ceil(seconds / minute));
  const double minutes = std::ceil(seconds / minute);
  return fmt::format("{:.0f} h {:.0f} min left", std::floor(minutes / 60), std::fmod(minutes, 60));
}

std::string speed_text(double bytes_a_second) {
  const double megabytes = bytes_a_second / 1e6;
  return fmt::format("{:.{}f} MB/s", megabytes, megabytes < 10 ? 1 : 0);
}

std::string progress_line(const ProgressView& view, std::size_t columns) {
  constexpr std::size_t widest_bar = 30, narrowest_bar = 5;
  const double done = std::clamp(view.done, 0.0, 1.0);
  const std::string share = fmt::format("{:3d} %", static_cast<int>(done * 100));
  std::string end = share;
  for (const std::string& more : {view.left, view.speed}) {
    if (!more.empty() && end.size() + more.size() + 2 + view.stage.size() + 1 <= columns) {
      end += "  " + more;
    }
  }
  const std::size_t stage_room = columns > end.size() + 1 ? columns - end.size() - 1 : 0;
  const std::string stage = cut(view.stage, stage_room);
  const std::size_t taken = std::max<std::size_t>(stage.size(), 12) + end.size() + 4;
  if (taken + narrowest_bar > columns) return stage + ' ' + end;
  const std::size_t width = std::min(columns - taken, widest_bar);
  const auto filled = static_cast<std::size_t>(done * static_cast<double>(width));
  return fmt::format("{:<12} [{}{}] {}", stage, std::string(filled, '#'),
                     std::string(width - filled, '.'), end);
}

bool ProgressClock::is_time(double now) {
  constexpr double quiet = 1, between = 0.1;
  if (!start_) start_ = now;
  if (now - *start_ < quiet || (last_ && now - *last_ < between)) return false;
  last_ = now;
  return true;
}

void draw_progress(const Progress& progress, const FileBeingRead& file) {
  static ProgressClock clock;
  static TimeLeft time_left;
  const double now = seconds_now();
  time_left.update(now, progress.done);
  if (!clock.is_time(now)) return;
  const std::size_t columns = terminal_columns();
  if (columns < narrowest_terminal) return clear_progress();
  ProgressView view{std::string(progress.stage), progress.done, "", ""};
  if (time_left.seconds()) view.left = left_text(*time_left.seconds());
  if (progress.stage == file.stage && file.bytes > 0 && time_left.pace() > 0) {
    view.speed = speed_text(file.bytes * time_left.pace());
  }
  // The last column stays free: a full line would make some terminals begin another.
  std::fprintf(stderr, "\r%s\x1b[K", progress_line(view, columns - 1).c_str());
  std::fflush(stderr);
  is_shown = true;
}

void clear_progress() {
  if (!is_shown) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  is_shown = false;
}

}  // namespace noiseplus::cli
