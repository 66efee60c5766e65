#include "core/display_width.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cwchar>

namespace noiseplus {
namespace {

TEST(DisplayWidth, LettersOfAllKinds) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("plain"), 5U);
  EXPECT_EQ(columns_of("école"), 5U);
  EXPECT_EQ(columns_of("e\u0301cole"), 5U);  // a combining accent
  EXPECT_EQ(columns_of("猫が好き"), 8U);
  EXPECT_EQ(columns_of("한국어"), 6U);
  EXPECT_EQ(columns_of("ｆｕｌｌ"), 8U);
  EXPECT_EQ(columns_of("ﾊﾝｶｸ"), 4U);
  EXPECT_EQ(columns_of("😀"), 2U);
  EXPECT_EQ(columns_of("ישראל"), 5U);
  EXPECT_EQ(columns_of("हिन्दी"), 5U);  // two of its seven points combine
  EXPECT_EQ(columns_of("\xff\xfe"), 2U);
}

TEST(DisplayWidth, BytesThatAreNoUtf8AreOneByOne) {
  for (const char* text :
       {"\x80", "\xc0\x80", "\xe4\xb8", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf0\x80\x80\x80"}) {
    const CodePoint first = first_point(text);
    EXPECT_FALSE(first.valid) << text;
    EXPECT_EQ(first.bytes, 1U) << text;
  }
  EXPECT_EQ(first_point("\xf4\x8f\xbf\xbf").point, 0x10ffffU);
}

TEST(DisplayWidth, ACutNeverSplitsALetter) {
  EXPECT_EQ(first_columns("猫が", 3), "猫");
  EXPECT_EQ(first_columns("猫が", 1), "");
  EXPECT_EQ(first_columns("e\u0301c", 1), "e\u0301");
  EXPECT_EQ(padded_right("猫", 4), "猫  ");
  EXPECT_EQ(padded_left("é", 3), "  é");
  EXPECT_EQ(padded_left("long", 2), "long");
}

// The C library knows the same, once it is told that the text is UTF-8. It may know another version
// of Unicode, and has opinions of its own on some signs; what people write must agree.
TEST(DisplayWidth, AgreesWithTheCLibrary) {
  const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", static_cast<locale_t>(nullptr));
  if (utf8 == static_cast<locale_t>(nullptr)) GTEST_SKIP() << "this system has no C.UTF-8";
  const locale_t before = uselocale(utf8);
  std::size_t letters = 0, differ = 0;
  for (std::uint32_t point = 0xa0; point < 0x30000; ++point) {
    const int expected = wcwidth(static_cast<wchar_t>(point));
    if (expected < 0) continue;
    ++letters;
    differ += columns_of(point) == static_cast<std::size_t>(expected) ? 0 : 1;
  }
  uselocale(before);
  freelocale(utf8);
  EXPECT_GT(letters, 100000U);
  EXPECT_LE(differ, 80U);
}

}  // namespace
}  // namespace noiseplus
