#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/format.h"
#include "noiseplus/report.h"
#include "pipeline/generated.h"
#include "report/page_trim.h"
#include "report/schema.h"

namespace noiseplus {
namespace {

using testing_support::generated;

std::string page_of_json(const std::string& json) {
  const PageDocument document{"folder/audit.json", json};
  return to_html({&document, 1});
}

std::string message_of(const std::string& json, ErrorKind kind = ErrorKind::data) {
  try {
    page_of_json(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "a page";
}

// What the page's script reads.
Json data_of(const std::string& page) {
  const std::string_view opening = "id=\"noiseplus-data\">";
  const std::size_t begin = page.find(opening);
  if (begin == page.npos) throw std::logic_error("no data");
  const std::size_t end = page.find("</script>", begin);
  return Json::parse(page.substr(begin + opening.size(), end - begin - opening.size()));
}

AuditReport looked_at(Dataset dataset) {
  AuditOptions options;
  options.suspects = 100;
  options.agreements = true;
  return audit(dataset, options);
}

class PageTest : public ::testing::Test {
 protected:
  static Json audited() {
    static const Json report = Json::parse(to_json(looked_at(generated(.3, .3, .1))));
    return report;
  }
};

TEST_F(PageTest, HoldsTheReport) {
  const Json page = data_of(page_of_json(audited().dump()));
  EXPECT_EQ(page["title"], "Label noise of y");
  ASSERT_EQ(page["documents"].size(), 1U);
  const Json& document = page["documents"][0];
  EXPECT_EQ(document["kind"], "audit");
  EXPECT_EQ(document["name"], "audit.json");
  EXPECT_EQ(document["report"]["classes"], audited()["classes"]);
  EXPECT_EQ(document["report"]["suspects"]["rows"].size(), 100U);
  EXPECT_NEAR(document["report"]["noise"][1]["rate"].get<double>(),
              audited()["noise"][1]["rate"].get<double>(), 1e-6);
}

TEST_F(PageTest, NamesCannotEndTheScript) {
  Dataset dataset = generated(.3, .3, .1, 1000);
  const std::string evil = "</script><script>alert(1)</script><!--&";
  dataset.labels.classes = dataset.labels.spellings = {evil, "yes"};
  dataset.label_name = evil;
  const std::string page = page_of_json(to_json(looked_at(std::move(dataset))));
  EXPECT_EQ(page.find("alert(1)<"), page.npos);
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_EQ(data_of(page)["documents"][0]["report"]["classes"][0], evil);
}

TEST_F(PageTest, EveryReportIsItsOwnPage) {
  const Dataset dataset = generated(.4, .3, .1, 1000);
  const TrainModelResult trained = train_model(dataset, {});
  EXPECT_EQ(data_of(page_of_json(to_json(trained.report)))["documents"][0]["kind"], "training");
  const Evaluation evaluation =
      evaluate(std::span<const std::int32_t>(dataset.labels.codes), dataset.labels, 1, {});
  const std::string json = to_json(evaluation);
  EXPECT_EQ(data_of(page_of_json(json))["documents"][0]["kind"], "evaluation");
  const PageDocument before_and_after[] = {{"b", json}, {"a", json}};
  EXPECT_EQ(data_of(to_html(before_and_after, "T <1>"))["documents"].size(), 2U);
  EXPECT_NE(to_html(before_and_after, "T <1>").find("<title>T &lt;1&gt;</title>"),
            std::string::npos);
  const PageDocument three[] = {{"b", json}, {"a", json}, {"c", json}};
  EXPECT_THROW(to_html(three), Error);
  EXPECT_THROW(to_html({}), Error);
}

TEST_F(PageTest, WhatIsNoReportIsNamed) {
  EXPECT_NE(message_of("{\n \"rows\": }").find("folder/audit.json:2:10: is no JSON"),
            std::string::npos);
  EXPECT_NE(message_of("").find(":1:1: is no JSON"), std::string::npos);
  EXPECT_NE(message_of("[1]").find("is no report"), std::string::npos);
  EXPECT_NE(message_of("{\"noise\": 1}").find("has no \"version\""), std::string::npos);
  EXPECT_NE(message_of("{\"noise\": 1e999}").find("too large"), std::string::npos);
  Json report = audited();
  report["noise"][1]["rate"] = "high";
  EXPECT_EQ(message_of(report.dump()),
            "folder/audit.json: noise/1/rate: is of type string, not number");
  report["noise"][1]["rate"] = 1.5;
  EXPECT_EQ(message_of(report.dump()), "folder/audit.json: noise/1/rate: is 1.5, above 1");
  report = audited();
  report["color"] = "red";
  EXPECT_NE(message_of(report.dump()).find("an unknown key"), std::string::npos);
}

TEST_F(PageTest, RefusesDeepNesting) {
  const auto nested = [](std::size_t depth) {
    return "{\"noise\": " + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  for (const std::size_t depth : {100, 120'000}) {
    EXPECT_NE(message_of(nested(depth)).find("folder/audit.json: is nested too deeply"),
              std::string::npos);
    EXPECT_NE(message_of(std::string(depth, '[')).find("nested too deeply"), std::string::npos);
  }
  EXPECT_NE(message_of(nested(20)).find("has no \"version\""), std::string::npos);
  // Brackets in a name are not nesting, nor are those after a quote that is part of it.
  Json report = audited();
  report["label"] = std::string(200, '[') + "\"" + std::string(200, '{') + "\\";
  EXPECT_EQ(message_of(report.dump()), "a page");
}

// A p-value of 1.4e-321 is a number as others are.
TEST_F(PageTest, ShowsNumbersOfAnySize) {
  for (const double tiny : {5e-324, 1.4e-321, 2.2e-308, 1e-300}) {
    Json report = audited();
    report["gap"]["p_value"] = tiny;
    report["conditioning"] = -tiny;
    const Json shown = data_of(page_of_json(report.dump()))["documents"][0]["report"];
    EXPECT_NEAR(shown["gap"]["p_value"].get<double>() / tiny, 1, 1e-3) << tiny;
    EXPECT_NEAR(shown["conditioning"].get<double>() / tiny, -1, 1e-3) << tiny;
  }
  Json report = audited();
  report["conditioning"] = std::numeric_limits<double>::max();
  const Json shown = data_of(page_of_json(report.dump()))["documents"][0]["report"];
  EXPECT_GT(shown["conditioning"].get<double>(), 1.79e308);
}

TEST_F(PageTest, ShortensNamesOfAnyLength) {
  Dataset dataset = generated(.3, .3, .1, 1000);
  const std::string name = "first" + std::string(50'000, '<') + "last";
  dataset.labels.classes = dataset.labels.spellings = {name, "yes"};
  dataset.label_name = "first" + std::string(3'000'000, '<') + "last";
  for (std::size_t n = 0; n < 1000; ++n) dataset.groups.codes.push_back(n % 2 == 0 ? 0 : 1);
  dataset.groups.classes = dataset.groups.spellings = {name + "1", name + "2"};
  dataset.group_name = name;
  const AuditReport audited = looked_at(std::move(dataset));
  EXPECT_LT(to_text(audited).size(), 20'000U);
  const std::string json = to_json(audited);
  EXPECT_EQ(Json::parse(json)["classes"][0], name);
  const PageDocument document{name + ".json", json};
  for (const std::string& title : {std::string(), name}) {
    const std::string page = to_html({&document, 1}, title);
    EXPECT_LT(page.size(), 2'000'000U);
    const Json shown = data_of(page)["documents"][0]["report"];
    for (const Json& cut : {shown["classes"][0], shown["label"]}) {
      const std::string text = cut.get<std::string>();
      EXPECT_LE(text.size(), 300U);
      EXPECT_TRUE(text.starts_with("first<") && text.ends_with("<last"));
      EXPECT_NE(text.find("..."), std::string::npos);
    }
    EXPECT_NE(shown["groups"][0]["group"], shown["groups"][1]["group"]);
  }
}

TEST_F(PageTest, KeepsFindingsWhole) {
  Json report = audited();
  const std::string sentences = std::string(800, 'a') + ". " + std::string(800, 'b') + '.';
  report["findings"][0]["text"] = report["advice"]["why"] = sentences;
  const Json shown = data_of(page_of_json(report.dump()))["documents"][0]["report"];
  EXPECT_EQ(shown["findings"][0]["text"], sentences);
  EXPECT_NE(shown["advice"]["why"], sentences);
}

TEST_F(PageTest, ShortensTextBetweenCharacters) {
  EXPECT_EQ(shorten_text("short", 300), "short");
  EXPECT_EQ(shorten_text(std::string(400, 'x'), 300).size(), 300U);
  // Two bytes each, never cut in two.
  std::string accents;
  for (int i = 0; i < 300; ++i) accents += "\xc3\xa9";
  for (std::size_t size = 40; size < 60; ++size) {
    const std::string cut = shorten_text(accents, size);
    EXPECT_LE(cut.size(), size);
    EXPECT_EQ(cut.find("..."), cut.rfind("..."));
    EXPECT_NO_THROW(static_cast<void>(Json(cut).dump())) << size;
  }
}

TEST_F(PageTest, PartsThatDoNotFitAreRefused) {
  const auto refuses = [](const std::function<void(Json&)>& change) {
    Json report = audited();
    change(report);
    return message_of(report.dump()) != "a page";
  };
  EXPECT_TRUE(refuses([](Json& r) { r["prior"].push_back(.1); }));
  EXPECT_TRUE(refuses([](Json& r) { r["transition"][0].push_back(.1); }));
  EXPECT_TRUE(refuses([](Json& r) { r["noisier"] = "nobody"; }));
  EXPECT_TRUE(refuses([](Json& r) { r["suspects"]["rows"][0]["given"] = 2; }));
  EXPECT_TRUE(refuses([](Json& r) { r["suspects"]["rows"][0]["values"].push_back("x"); }));
  EXPECT_TRUE(refuses([](Json& r) { r["agreement"]["gap"].push_back(.1); }));
  EXPECT_TRUE(refuses([](Json& r) { r["plan"].push_back(r["plan"][0]); }));
  EXPECT_FALSE(refuses([](Json&) {}));
}

// More classes than a page has cells for, with long names; long cells.
Json very_large(std::size_t classes = 250, std::size_t name_size = 400) {
  Json report = Json::parse(to_json(looked_at(generated(.3, .3, .1))));
  Json names = Json::array(), shares = Json::array(), counts = Json::array(), noise = Json::array(),
       row = Json::array(), matrix = Json::array();
  for (std::size_t c = 0; c < classes; ++c) {
    names.push_back(std::to_string(c) + std::string(name_size, 'n'));
    shares.push_back(.001234567891234);
    counts.push_back(4);
    noise.push_back({{"class", names[c]}, {"rate", .1}, {"low", .05}, {"high", .2}});
    row.push_back(.001);
  }
  for (std::size_t c = 0; c < classes; ++c) matrix.push_back(row);
  report["classes"] = names;
  report["prior"] = shares;
  report["class_rows"] = counts;
  report["noise"] = noise;
  report["transition"] = matrix;
  report["estimates"] = {{"auto", shares}};
  report["plan"][0]["flip"] = matrix;
  for (const char* key : {"noisier", "cleaner", "leans"}) report[key] = nullptr;
  for (std::size_t i = 0; i < 5000; ++i) {
    report["claims"].push_back({{"noisier", names[1]}, {"cleaner", names[2]}});
  }
  Json suspect = report["suspects"]["rows"][0];
  for (std::size_t i = suspect["values"].size(); i < 40; ++i) {
    report["suspects"]["columns"].push_back("c");
  }
  suspect["values"] = Json::array();
  for (std::size_t i = 0; i < 40; ++i) suspect["values"].push_back(std::string(400, 'v'));
  report["suspects"]["rows"] = Json(1000, suspect);
  return report;
}

TEST_F(PageTest, IsSmallHoweverLargeTheReport) {
  const std::string page = page_of_json(very_large().dump());
  EXPECT_LT(page.size(), 2'000'000U);
  const Json report = data_of(page)["documents"][0]["report"];
  EXPECT_FALSE(report.contains("transition"));
  EXPECT_EQ(report["confusions"].size(), 200U);
  EXPECT_EQ(report["claims_total"], 5001U);
  EXPECT_TRUE(report["plan"][0].contains("epsilon"));
  const Json& suspects = report["suspects"];
  EXPECT_GT(suspects["rows"].size(), 10U);
  EXPECT_EQ(suspects["rows"].size() + suspects["rows_left_out"].get<std::size_t>(), 1000U);
}

// Names go before the page does.
TEST_F(PageTest, ShortensNamesFurtherWhereTheyAreMany) {
  Json report = very_large(1000, 2000);
  report["suspects"]["rows"] = Json::array();
  const std::string page = page_of_json(report.dump());
  EXPECT_LT(page.size(), 2'000'000U);
  const Json shown = data_of(page)["documents"][0]["report"];
  ASSERT_EQ(shown["classes"].size(), 1000U);
  std::set<std::string> names;
  for (const Json& name : shown["classes"]) names.insert(name.get<std::string>());
  EXPECT_EQ(names.size(), 1000U);
  EXPECT_EQ(shown["noise"][7]["class"], shown["classes"][7]);
}

// Names that differ only in their middles are cut to the same text.
TEST_F(PageTest, ShortenedNamesStayDifferent) {
  const std::string start(400, 'a'), end(400, 'z');
  Json report = audited();
  const std::string old_names[] = {report["classes"][0], report["classes"][1]};
  std::string json = report.dump();
  for (const std::string& name : old_names) {
    const std::string quoted = '"' + name + '"', longer = '"' + start + name + end + '"';
    for (std::size_t at = 0; (at = json.find(quoted, at)) != json.npos; at += longer.size()) {
      json.replace(at, quoted.size(), longer);
    }
  }
  report = Json::parse(json);
  // Another is what the first is cut to.
  report["label"] = shorten_text(start + old_names[0] + end, 300);
  report["flipped"] = {{start + old_names[0] + end, 1}, {start + old_names[1] + end, 2}};
  const Json shown = data_of(page_of_json(report.dump()))["documents"][0]["report"];
  ASSERT_EQ(shown["flipped"].size(), 2U);
  EXPECT_NE(shown["classes"][0], shown["classes"][1]);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NE(shown["classes"][c], shown["label"]);
    EXPECT_LE(shown["classes"][c].get<std::string>().size(), 300U);
    EXPECT_EQ(shown["noise"][c]["class"], shown["classes"][c]);
    EXPECT_EQ(shown["flipped"][shown["classes"][c].get<std::string>()], c + 1);
  }
}

// The groups of a report again and again: two in three too small to be known, and alike.
Json with_groups(Json report, std::size_t count) {
  const Json known = report["groups"][0];
  Json unknown = known;
  unknown["identified"] = false;
  unknown["rate"] = .9;
  report["groups"] = Json::array();
  for (std::size_t g = 0; g < count; ++g) {
    report["groups"].push_back(g % 3 == 2 ? known : unknown);
    report["groups"].back()["group"] = "group " + std::to_string(g);
  }
  return report;
}

TEST_F(PageTest, GroupsThatAreKnownStay) {
  Dataset dataset = generated(.3, .3, .1, 1000);
  for (std::size_t n = 0; n < 1000; ++n) dataset.groups.codes.push_back(n % 2 == 0 ? 0 : 1);
  dataset.groups.classes = dataset.groups.spellings = {"a", "b"};
  Json report = with_groups(Json::parse(to_json(audit(dataset, {}))), 1500);
  report["plan"] = Json::array({report["plan"][0]});
  report.erase("forced");
  const Json shown = data_of(page_of_json(report.dump()))["documents"][0]["report"];
  EXPECT_EQ(shown["groups"].size(), 1000U);
  EXPECT_EQ(shown["groups_left_out"], 500U);
  const auto known = std::count_if(shown["groups"].begin(), shown["groups"].end(),
                                   [](const Json& group) { return group["identified"] == true; });
  EXPECT_EQ(known, 500);
}

TEST_F(PageTest, AnEvaluationOfVeryManyGroupsFits) {
  Dataset dataset = generated(.4, .3, .1, 1000);
  Labels groups;
  for (std::size_t n = 0; n < 1000; ++n) groups.codes.push_back(n % 2 == 0 ? 0 : 1);
  groups.classes = groups.spellings = {std::string(200, 'a'), std::string(200, 'b')};
  Json report = Json::parse(to_json(
      evaluate(std::span<const std::int32_t>(dataset.labels.codes), dataset.labels, 1, groups)));
  const Json group = report["groups"][0];
  while (report["groups"].size() < 12000) report["groups"].push_back(group);
  const std::string page = page_of_json(report.dump());
  EXPECT_LT(page.size(), 2'000'000U);
  const Json shown = data_of(page)["documents"][0]["report"];
  EXPECT_EQ(shown["groups"].size() + shown["groups_left_out"].get<std::size_t>(), 12000U);
}

TEST_F(PageTest, EvaluationsOfDifferentClassesAreNotCompared) {
  const Dataset dataset = generated(.4, .3, .1, 100);
  const std::span<const std::int32_t> answers(dataset.labels.codes);
  const PageDocument documents[] = {{"b", to_json(evaluate(answers, dataset.labels, 1, {}))},
                                    {"a", to_json(evaluate(answers, dataset.labels, 0, {}))}};
  EXPECT_THROW(to_html(documents), Error);
}

// Every schema is one that the check understands, and it refuses what they refuse.
TEST(Schema, KeywordsAreAllKnown) {
  EXPECT_EQ(schema_fault(Json::parse(to_json(looked_at(generated(.3, .3, .1, 1000)))),
                         "audit.schema.json"),
            "");
  for (const char* name : {"audit.schema.json", "train.schema.json", "evaluate.schema.json"}) {
    EXPECT_FALSE(schema_fault(Json::object(), name).empty()) << name;
    EXPECT_FALSE(schema_fault(3, name).empty()) << name;
    for (const auto& [key, schema] : find_schema(name)["properties"].items()) {
      Json report = Json::object();
      report[key] = Json::object({{"surprise", 1}});
      EXPECT_NO_THROW(schema_fault(report, name)) << key;
    }
  }
}

TEST_F(PageTest, SaysWhereItComesFromOnlyWhatItIsTold) {
  const std::string json = audited().dump();
  const PageDocument document{"audit.json", json};
  const PageOrigin origin{"some/folder/data.csv", "2026-03-04",
                          "noiseplus audit data.csv </script>"};
  const std::string page = to_html({&document, 1}, "", origin);
  EXPECT_EQ(data_of(page)["origin"], (Json{{"file", "data.csv"},
                                           {"date", "2026-03-04"},
                                           {"command", "noiseplus audit data.csv </script>"}}));
  EXPECT_EQ(to_html({&document, 1}, "", origin), page);
  EXPECT_TRUE(data_of(to_html({&document, 1}))["origin"].empty());
  const PageOrigin odd{"\xff.csv", "", std::string(1'000'000, 'x')};
  const Json shown = data_of(to_html({&document, 1}, "", odd))["origin"];
  EXPECT_EQ(shown["file"], "\xef\xbf\xbd.csv");
  EXPECT_LE(shown["command"].get<std::string>().size(), 1000U);
  EXPECT_FALSE(shown.contains("date"));
}

}  // namespace
}  // namespace noiseplus
