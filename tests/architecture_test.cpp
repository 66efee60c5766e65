// The folder list is the architecture: a stage may use the stages before it, never one after. What
// is computed with them, experiments, comes after all stages, and the program last. The Python
// module stands beside the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

// "kernels" and "version" are headers alone, which core implements; "noiseplus" has all of them.
const std::vector<std::string> stages = {"kernels",   "version",  "core",   "data",
                                         "neighbors", "learn",    "noise",  "balance",
                                         "fair",      "pipeline", "report", "noiseplus"};
const std::vector<std::string> users = {"experiments/paper",   "experiments/sets",
                                        "experiments/methods", "experiments/results",
                                        "experiments",         "cli"};

bool is_stage(const std::string& name) {
  return std::find(stages.begin(), stages.end(), name) != stages.end();
}

// -1: of no folder.
int position(const std::string& name) {
  std::vector<std::string> all = stages;
  all.insert(all.end(), users.begin(), users.end());
  const auto found = std::find(all.begin(), all.end(), name);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

// "noiseplus/data.h" and "data/csv.h" both belong to data; anything else to no stage.
std::string stage_of_include(std::string path) {
  while (path.starts_with("../")) path = path.substr(std::string("../").size());
  if (path.starts_with("noiseplus/")) {
    path = path.substr(std::string("noiseplus/").size());
    return path.substr(0, path.find('.'));
  }
  if (path.find('/') == path.npos) return "";
  const std::string folder = path.substr(0, path.rfind('/'));
  return position(folder) >= 0 ? folder : folder.substr(0, folder.find('/'));
}

std::vector<std::string> includes_of(std::istream& file) {
  std::vector<std::string> includes;
  for (std::string line; std::getline(file, line);) {
    const std::size_t open = line.find_first_of("\"<");
    const std::size_t close = line.find_last_of("\">");
    if (line.starts_with("#include") && open != line.npos && close > open) {
      includes.push_back(line.substr(open + 1, close - open - 1));
    }
  }
  return includes;
}

// Empty when the stage may use all of them, else the first that it may not.
std::string step_back(const std::string& stage, const std::vector<std::string>& includes) {
  for (const std::string& include : includes) {
    if (position(stage_of_include(include)) > position(stage)) return include;
  }
  return "";
}

void check(const std::filesystem::path& path, const std::string& stage) {
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  EXPECT_EQ(step_back(stage, includes_of(file)), "") << path << " uses a later stage";
}

TEST(Architecture, NoStageUsesALaterOne) {
  const std::filesystem::path root = NOISEPLUS_SOURCE_DIR;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "src")) {
    if (!entry.is_regular_file()) continue;
    const std::string stage = std::filesystem::relative(entry, root / "src").begin()->string();
    ASSERT_TRUE(is_stage(stage)) << entry.path() << " is in a folder that is no stage";
    check(entry.path(), stage);
    ++files;
  }
  EXPECT_GT(files, 20);
  for (const auto& entry : std::filesystem::directory_iterator(root / "include/noiseplus")) {
    const std::string stage = entry.path().stem().string();
    ASSERT_TRUE(is_stage(stage)) << entry.path() << " is the header of no stage";
    check(entry.path(), stage);
  }
}

TEST(Architecture, ExperimentsKeepTheirOrderAndDoNotUseTheProgram) {
  const std::filesystem::path root = NOISEPLUS_SOURCE_DIR;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "experiments")) {
    if (!entry.is_regular_file()) continue;
    const std::string folder = std::filesystem::relative(entry.path().parent_path(), root).string();
    ASSERT_GE(position(folder), 0) << entry.path() << " is in a folder that has no place";
    check(entry.path(), folder);
    ++files;
  }
  EXPECT_GT(files, 20);
}

// The Python module is a user like any other: of the public headers, and of nothing else of ours.
TEST(Architecture, ThePythonModuleUsesPublicHeadersOnly) {
  const std::filesystem::path root = NOISEPLUS_SOURCE_DIR;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "python/binding")) {
    std::ifstream file(entry.path());
    for (const std::string& include : includes_of(file)) {
      const bool is_own = std::filesystem::exists(entry.path().parent_path() / include);
      const bool is_inside = position(stage_of_include(include)) >= 0;
      EXPECT_TRUE(is_own || !is_inside || include.starts_with("noiseplus/"))
          << entry.path() << " uses " << include;
    }
    ++files;
  }
  EXPECT_GT(files, 5);
}

// The name of the type that a line of a header defines; empty where it defines none.
std::string type_defined_by(const std::string& line) {
  static const std::regex definition(R"(^(?:struct|class|enum class) (\w+)[^;]*$)");
  std::smatch match;
  return std::regex_match(line, match, definition) ? match[1].str() : "";
}

// All types are in one namespace: two of one name in different headers would silently share their
// destructors, whichever the linker sees first.
TEST(Architecture, NoTwoHeadersDefineTypesOfOneName) {
  const std::filesystem::path root = NOISEPLUS_SOURCE_DIR;
  std::map<std::string, std::string> where;
  for (const char* const folder : {"include", "src", "experiments"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        const std::string name = type_defined_by(line);
        if (name.empty()) continue;
        const auto [found, is_new] = where.emplace(name, entry.path().string());
        EXPECT_TRUE(is_new) << name << " is in " << found->second << " and " << entry.path();
      }
    }
  }
  EXPECT_GT(where.size(), 100U);
  EXPECT_EQ(type_defined_by("struct Rows : Base {"), "Rows");
  EXPECT_EQ(type_defined_by("struct Rows;"), "");
  EXPECT_EQ(type_defined_by("  struct Inner {"), "");
}

// The names of libm whose last bits need not be the same on every CPU.
bool is_of_libm(std::string name) {
  static const std::set<std::string> names = {
      "exp",   "exp2", "expm1", "log",  "log2",  "log10", "log1p",  "pow",   "sin",   "cos",
      "tan",   "asin", "acos",  "atan", "atan2", "sinh",  "cosh",   "tanh",  "asinh", "acosh",
      "atanh", "erf",  "erfc",  "cbrt", "hypot", "beta",  "lgamma", "tgamma"};
  if (names.contains(name)) return true;
  const bool has_suffix = name.ends_with('f') || name.ends_with('l');
  return has_suffix && names.contains(name.substr(0, name.size() - 1));
}

// What a line of code calls of libm, by itself or as a function of std; empty where it does not.
std::string libm_call_in(std::string line) {
  line = line.substr(0, line.find("//"));
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t open = line.find('('); open != line.npos; open = line.find('(', open + 1)) {
    std::size_t begin = open;
    while (begin > 0 && is_name(line[begin - 1])) --begin;
    std::string name = line.substr(begin, open - begin);
    const std::string before = line.substr(0, begin);
    const bool is_global =
        before.ends_with("::") && (before.size() == 2 || !is_name(before.end()[-3]));
    const bool is_theirs = !before.ends_with("::") || before.ends_with("std::") || is_global;
    if (is_theirs && is_of_libm(name)) return name;
  }
  return "";
}

// libm has other code for CPUs with FMA, and its last bits differ between versions: whoever calls
// it prints other bytes on another machine. core/portable_math.h has what is needed.
TEST(Architecture, NothingCallsWhatDiffersBetweenCpus) {
  const std::filesystem::path root = NOISEPLUS_SOURCE_DIR;
  int files = 0;
  for (const char* const folder : {"include", "src", "experiments", "cli", "python/binding"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string stem = entry.path().stem().string();
      if (!entry.is_regular_file() || stem == "portable_math") {
        continue;
      }
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        EXPECT_EQ(libm_call_in(line), "") << entry.path() << ": " << line;
      }
      ++files;
    }
  }
  EXPECT_GT(files, 200);
  EXPECT_EQ(libm_call_in("  return std::exp(x);"), "exp");
  EXPECT_EQ(libm_call_in("  return 2*exp(x);"), "exp");
  EXPECT_EQ(libm_call_in("  return ::powf(x, 2);"), "powf");
  EXPECT_EQ(libm_call_in("  return values.array().log();"), "log");
  EXPECT_EQ(libm_call_in("  return portable::exp(x);"), "");
  EXPECT_EQ(libm_call_in("  return vector_exp(x);"), "");
  EXPECT_EQ(libm_call_in("  // exp(x) of std::exp(x)"), "");
}

// Eigen's own headers would come without the settings that make it the same on every CPU.
TEST(Architecture, EigenIsIncludedByItsTwoHeadersOnly) {
  const std::filesystem::path root = NOISEPLUS_SOURCE_DIR;
  std::vector<std::string> places;
  for (const char* const folder :
       {"include", "src", "experiments", "cli", "python/binding", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      for (const std::string& include : includes_of(file)) {
        if (!include.starts_with("Eigen/")) continue;
        places.push_back(std::filesystem::relative(entry.path(), root).string());
      }
    }
  }
  ASSERT_FALSE(places.empty());
  const std::set<std::string> own = {"src/core/eigen.h", "src/core/eigen_solvers.h"};
  EXPECT_EQ(std::set<std::string>(places.begin(), places.end()), own);
}

TEST(Architecture, AStepBackIsNoticed) {
  EXPECT_EQ(step_back("data", {"vector", "noiseplus/core.h", "data/csv.h"}), "");
  EXPECT_EQ(step_back("data", {"noiseplus/noise.h"}), "noiseplus/noise.h");
  EXPECT_EQ(step_back("noise", {"balance/plan.h"}), "balance/plan.h");
  EXPECT_EQ(step_back("core", {"noiseplus/data.h"}), "noiseplus/data.h");
  EXPECT_EQ(step_back("report", {"experiments/sets/prepare.h"}), "experiments/sets/prepare.h");
  EXPECT_EQ(step_back("experiments", {"noiseplus/report.h", "experiments/sets/prepare.h"}), "");
  EXPECT_EQ(step_back("experiments", {"../cli/commands.h"}), "../cli/commands.h");
  EXPECT_EQ(step_back("experiments/sets", {"experiments/methods/cells.h"}),
            "experiments/methods/cells.h");
  EXPECT_EQ(step_back("experiments/results", {"experiments/measure.h"}), "experiments/measure.h");
}

}  // namespace
