#include <cmath>
#include <cstring>
#include <functional>

#include "learn_support.h"
#include "saved_models.h"

namespace noiseplus {
namespace {

// What read_model says of the model after a change to its trees.
std::string refusal_after(const std::function<void(BoostedTrees&)>& change) {
  SavedModel model = tree_model();
  const std::string whole = model_bytes(model);
  change(model.model.boosted);
  EXPECT_THROW(model_bytes(model), Error);
  // The words of the trees, written here as the format says.
  std::string numbers;
  const auto append = [&](const auto& value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    numbers.append(bytes, sizeof(value));
  };
  const BoostedTrees& boosted = model.model.boosted;
  for (const double offset : boosted.offsets) append(offset);
  append(static_cast<std::uint32_t>(boosted.trees.size()));
  for (const Tree& tree : boosted.trees) {
    append(static_cast<std::uint32_t>(tree.splits.size()));
    for (const TreeSplit& split : tree.splits) {
      append(split.column);
      append(split.threshold);
      append(split.left);
      append(split.right);
    }
    for (const double leaf : tree.leaves) append(leaf);
  }
  std::uint32_t header_size = 0;
  std::memcpy(&header_size, whole.data() + 12, 4);
  return refusal(file_of(whole.substr(16, header_size), numbers, 3));
}

TEST(TreeFile, ReadsWhatWasWritten) {
  const SavedModel model = tree_model();
  const std::string bytes = bytes_of(model);
  EXPECT_EQ(bytes[8], 3) << "version";
  const SavedModel read = read_model(Bytes(bytes), "m");
  EXPECT_EQ(read.model.boosted.inputs, 5U);
  EXPECT_EQ(read.model.boosted.offsets, model.model.boosted.offsets);
  EXPECT_TRUE(read.model.boosted.trees == model.model.boosted.trees);
  EXPECT_TRUE(read.model.layers.empty());
  EXPECT_EQ(bytes_of(read), bytes);
}

TEST(TreeFile, AnswersFollowTheSplits) {
  const SavedModel model = tree_model();
  Matrix row(1, 5);
  row.row(0)[4] = .75F;  // right in the first two trees, left in the others
  row.row(0)[0] = 1;     // right: leaf 0
  row.row(0)[3] = 0;     // left: leaf 1
  const Matrix found = probabilities(model, row.view());
  const double logits[] = {-1.25 - .2 + .1, 1 / 3.0 - .2 + .1, 0 + .1 + .25};
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(found.row(0)[c], std::exp(logits[c]) / sum, 1e-6);
}

TEST(TreeFile, TreesThatLeadNowhereAreRefused) {
  const auto says = [](const std::string& message,
                       const std::function<void(BoostedTrees&)>& change) {
    const std::string found = refusal_after(change);
    EXPECT_NE(found.find(message), std::string::npos) << found << " does not say: " << message;
  };
  const float not_a_number = std::nanf("");
  for (const std::int32_t child : {0, 1, 3, 2147483647, ~4, std::int32_t{-2147483647} - 1}) {
    says("leads nowhere", [=](BoostedTrees& b) { b.trees[1].splits[1].left = child; });
  }
  says("leads nowhere", [](BoostedTrees& b) { b.trees[0].splits[0].left = 0; });
  says("to one place", [](BoostedTrees& b) { b.trees[0].splits[0].left = 2; });
  says("to one place", [](BoostedTrees& b) { b.trees[0].splits[2].left = ~2; });
  says("a column that is not there", [](BoostedTrees& b) { b.trees[0].splits[0].column = 5; });
  says("a column that is not there", [](BoostedTrees& b) { b.trees[0].splits[2].column = ~0U; });
  says("threshold", [=](BoostedTrees& b) { b.trees[4].splits[0].threshold = not_a_number; });
  says("threshold", [](BoostedTrees& b) {
    b.trees[4].splits[0].threshold = std::numeric_limits<float>::infinity();
  });
  says("a leaf of a tree is not a number",
       [=](BoostedTrees& b) { b.trees[5].leaves[0] = not_a_number; });
  says("an offset", [=](BoostedTrees& b) { b.offsets[2] = not_a_number; });
  says("trees for each output", [](BoostedTrees& b) { b.trees.pop_back(); });
  says("trees for each output", [](BoostedTrees& b) { b.trees.clear(); });
  says("fill the rest", [](BoostedTrees& b) { b.offsets.pop_back(); });
  says("fill the rest", [](BoostedTrees& b) { b.trees[0].leaves.pop_back(); });
  says("fill the rest", [](BoostedTrees& b) { b.trees[5].leaves.push_back(1); });
}

TEST(TreeFile, HugeCountsTakeNoMemory) {
  const std::string header =
      R"({"label":"y","classes":["a","b"],"spellings":["a","b"],"positive":1,"shares":[],)"
      R"("models":[{"inputs":2}],"fair":null,"recipe":{"columns":2,"missing":[],"first_index":null,)"
      R"("encoder":null},"notes":[]})";
  const std::string offset(8, '\0'), huge(4, '\xff'), one("\1\0\0\0", 4);
  EXPECT_NO_THROW(read_model(Bytes(file_of(header, offset + one + std::string(12, '\0'), 3)), "m"));
  for (const std::string& numbers : {std::string(), offset, offset + huge, offset + one,
                                     offset + one + huge, offset + one + huge + offset}) {
    EXPECT_NE(refusal(file_of(header, numbers, 3)).find("fill the rest"), std::string::npos);
  }
  EXPECT_NE(refusal(file_of(header, offset, 2)).find("format 3 by its content"), std::string::npos);
}

TEST(TreeFile, EveryDamagedByteIsFound) {
  const std::string bytes = bytes_of(tree_model());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    EXPECT_FALSE(refusal(damaged).empty());
    EXPECT_FALSE(refusal(bytes.substr(0, i)).empty());
  }
}

}  // namespace
}  // namespace noiseplus
