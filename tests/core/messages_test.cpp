#include <gtest/gtest.h>

#include "core/messages.h"
#include "noiseplus/core.h"

namespace noiseplus {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Messages, ShortOnesStay) {
  EXPECT_EQ(shorten("short", 20), "short");
  const std::string longest(max_message_bytes, 'x');
  EXPECT_EQ(shorten_message(longest), longest);
}

TEST(Messages, AreCutInTheMiddle) {
  const std::string cut = shorten(std::string(100, 'a') + std::string(100, 'b'), 50);
  EXPECT_EQ(cut.size(), 50U);
  EXPECT_TRUE(cut.starts_with("aaaa"));
  EXPECT_TRUE(cut.ends_with("bbbb"));
  EXPECT_NE(cut.find("..."), std::string::npos);
}

TEST(Messages, AreNeverCutInsideACharacter) {
  for (const char* character : {"\u00e9", "\u540d", "\U0001f600"}) {
    const std::string text = repeated(character, 100);
    for (std::size_t size = 20; size < 60; ++size) {
      std::string cut = shorten(text, size);
      EXPECT_LE(cut.size(), size);
      cut.erase(cut.find("..."), 3);
      EXPECT_EQ(cut, repeated(character, cut.size() / std::string_view(character).size()));
    }
  }
}

TEST(Messages, BytesThatAreNoTextAreCutAnyway) {
  EXPECT_LE(shorten(std::string(1000, '\x80'), 50).size(), 50U);
}

TEST(Messages, QuotesAreCutFirst) {
  const std::string quote(5000, 'q');
  const std::string message =
      "d.csv:3:2: the model's label '" + quote + "' is none of '" + quote + "'; fix it";
  const std::string cut = shorten_message(message);
  EXPECT_LE(cut.size(), max_message_bytes);
  EXPECT_TRUE(cut.starts_with("d.csv:3:2: the model's "));
  EXPECT_TRUE(cut.ends_with("; fix it"));
}

TEST(Messages, OfErrorsAreShort) {
  const Error error(ErrorKind::data, "begin " + std::string(100000, 'x') + " end");
  const std::string_view what = error.what();
  EXPECT_EQ(what.size(), max_message_bytes);
  EXPECT_TRUE(what.starts_with("begin ") && what.ends_with(" end"));
}

TEST(Messages, DidYouMean) {
  const std::vector<std::string_view> names = {"age", "income", "--label", "--labels", "education"};
  EXPECT_EQ(did_you_mean("incme", names), "; did you mean 'income'?");
  EXPECT_EQ(did_you_mean("INCOME", names), "; did you mean 'income'?");
  EXPECT_EQ(did_you_mean("aeg", names), "; did you mean 'age'?") << "swapped";
  EXPECT_EQ(did_you_mean("--lable", names), "; did you mean '--label'?");
  EXPECT_EQ(did_you_mean("educaton_", names), "; did you mean 'education'?");
  for (const char* other : {"", "x", "sex", "postcode", "outcome_of_all"}) {
    EXPECT_EQ(did_you_mean(other, names), "") << other;
  }
  EXPECT_EQ(did_you_mean(std::string(5000, 'a'), names), "");
  EXPECT_EQ(did_you_mean("a", {}), "");
}

}  // namespace
}  // namespace noiseplus
