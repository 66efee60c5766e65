// Every function of the public headers has a test of what it does with wrong arguments: a call of
// refused("Name", ...) or answered("Name", ...) in a misuse_test.cpp.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string without_comments(const std::string& text) {
  return std::regex_replace(std::regex_replace(text, std::regex("//[^\n]*"), ""),
                            std::regex("#[^\n]*"), "");
}

// Reads declarations: names of functions, with those of their classes, that a caller may use.
class Declarations {
 public:
  explicit Declarations(const std::string& header) {
    for (const char c : without_comments(header)) take(c);
  }

  std::set<std::string> functions() const { return functions_; }

 private:
  struct Scope {
    std::string type;     // empty for namespaces and bodies
    bool is_open = true;  // declarations here are public
  };

  void take(char c) {
    if (c == '<') ++angles_;
    if (c == '>' && angles_ > 0) --angles_;
    if (c == '(' && angles_ == 0 && parentheses_++ == 0 && name_.empty()) name_ = last_word();
    if (c == ')' && angles_ == 0) --parentheses_;
    statement_ += c;
    if (parentheses_ > 0) return;
    if (c == '{') enter();
    if (c == '}' && !scopes_.empty()) leave();
    if (c == ';') end();
    if (c == ':') look_for_access();
  }

  std::string last_word() const {
    std::smatch found;
    static const std::regex word(R"((operator\S+|\w+)\s*$)");
    return std::regex_search(statement_, found, word) ? found[1].str() : "";
  }

  void enter() {
    static const std::regex type(R"((?:struct|class)\s+(\w+)[^;()]*\{$)");
    static const std::regex space(R"(namespace\s+\w*\s*\{$)");
    std::smatch found;
    const bool is_open = scopes_.empty() || scopes_.back().is_open;
    if (name_.empty() && std::regex_search(statement_, found, type)) {
      scopes_.push_back({found[1], is_open && statement_.find("class ") == std::string::npos});
    } else if (std::regex_search(statement_, space)) {
      scopes_.push_back({"", is_open});
    } else {
      note();
      scopes_.push_back({"", false});
    }
    end();
  }

  void leave() {
    scopes_.pop_back();
    end();
  }

  void end() {
    note();
    statement_.clear();
    name_.clear();
    angles_ = 0;
  }

  void look_for_access() {
    if (std::regex_search(statement_, std::regex(R"(\bpublic\s*:$)"))) set_open(true);
    if (std::regex_search(statement_, std::regex(R"(\b(private|protected)\s*:$)"))) set_open(false);
  }

  void set_open(bool is_open) {
    scopes_.back().is_open = is_open;
    end();
  }

  void note() {
    const bool is_open = scopes_.empty() || scopes_.back().is_open;
    static const std::regex other(
        R"(^\s*(using|enum|friend|typedef)\b|=\s*(delete|default)\s*;|~)");
    static const std::regex value(R"(^[^(]*=[^(]*\()");
    const bool is_operator = name_.rfind("operator", 0) == 0;
    if (name_.empty() || !is_open || std::regex_search(statement_, other)) return;
    if (!is_operator && std::regex_search(statement_, value)) return;
    std::string whole = name_;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (!scope->type.empty()) whole.insert(0, scope->type + "::");
    }
    functions_.insert(whole);
  }

  std::set<std::string> functions_;
  std::vector<Scope> scopes_;
  std::string statement_, name_;
  int angles_ = 0, parentheses_ = 0;
};

// Unchecked access to one row, as operator[] of a vector is, plain getters, and moves.
const std::set<std::string> unchecked = {"MatrixView::row",
                                         "Matrix::row",
                                         "RowsView::row",
                                         "Matrix::view",
                                         "Matrix::rows",
                                         "Matrix::columns",
                                         "NeighborGraph::size",
                                         "Bytes::operator=",
                                         "Features::operator=",
                                         "Bytes::stored_size",
                                         "NeighborSearch::operator="};

TEST(MisuseCoverage, EveryPublicFunctionIsMisusedInATest) {
  const std::filesystem::path root = NOISEPLUS_SOURCE_DIR;
  std::set<std::string> tried;
  std::size_t cases = 0;
  const std::regex call(R"rx((?:refused|answered|refuse_\w+)\(\s*"([\w:+=]+)")rx");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "tests")) {
    if (entry.path().filename() != "misuse_test.cpp") continue;
    const std::string text = contents(entry.path());
    for (auto found = std::sregex_iterator(text.begin(), text.end(), call);
         found != std::sregex_iterator(); ++found, ++cases) {
      tried.insert((*found)[1]);
    }
  }
  EXPECT_GE(cases, 254U);
  std::size_t functions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "include/noiseplus")) {
    for (const std::string& name : Declarations(contents(entry.path())).functions()) {
      ++functions;
      EXPECT_TRUE(tried.contains(name) || unchecked.contains(name))
          << name << " of " << entry.path().filename() << " has no test of its misuse";
    }
  }
  EXPECT_GT(functions, 120U);
}

TEST(MisuseCoverage, DeclarationsAreFound) {
  const std::string header = R"(
    namespace n {
    enum class Kind { a, b };  // and so on (more)
    struct Plain {
      int size = f(2);
      std::function<bool(int)> progress = {};
      explicit Plain(int x) : size(x) {}
      int area() const { return g(size); }
      Plain& operator+=(const Plain& other);
    };
    class Hidden {
     public:
      Hidden(const Hidden&) = delete;
      ~Hidden();
      void shown(int (*callback)(int));
     private:
      void unseen();
    };
    using Map = std::function<int(int)>;
    std::vector<int> free_one(std::span<const int> values,
                              const Plain& plain = {});
    }
  )";
  EXPECT_EQ(Declarations(header).functions(),
            (std::set<std::string>{"Plain::Plain", "Plain::area",
                                   "Plain::operator+=", "Hidden::shown", "free_one"}));
}

}  // namespace
