// A producer of the Arrow C stream interface, for the tests of its reader: what it gives are plain
// values that a test or a fuzzer fills in, right or wrong. Each buffer is an allocation of its own,
// of just its size, so that a sanitizer sees whoever reads beyond.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/arrow_abi.h"

namespace noiseplus::arrow_test {

// An array and its type.
struct Array {
  std::string format;
  std::string name;
  std::int64_t length = 0;
  std::int64_t offset = 0;
  std::int64_t null_count = -1;                          // not counted
  std::vector<std::optional<std::string>> buffers = {};  // none: a null pointer
  std::vector<Array> children = {};
  std::vector<Array> dictionary = {};  // one or none
};

// How many structs have been given and not been released.
struct Given {
  int schemas = 0;
  int arrays = 0;
  int schemas_alive = 0;
  int arrays_alive = 0;
};

struct SchemaParts {
  std::string format, name;
  std::vector<std::unique_ptr<ArrowSchema>> owned;
  std::vector<ArrowSchema*> children;
  int* alive = nullptr;
};

struct ArrayParts {
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> owned;
  std::vector<ArrowArray*> children;
  int* alive = nullptr;
};

template <typename Parts, typename Struct>
void release(Struct* given) {
  const std::unique_ptr<Parts> parts(static_cast<Parts*>(given->private_data));
  for (const auto& part : parts->owned) {
    if (part->release != nullptr) part->release(part.get());
  }
  if (parts->alive != nullptr) --*parts->alive;
  given->release = nullptr;
}

inline void fill(const Array& array, ArrowSchema& schema, int* alive) {
  auto parts = std::make_unique<SchemaParts>();
  parts->format = array.format;
  parts->name = array.name;
  parts->alive = alive;
  const auto add = [&](const Array& part) {
    parts->owned.push_back(std::make_unique<ArrowSchema>());
    fill(part, *parts->owned.back(), nullptr);
    return parts->owned.back().get();
  };
  for (const Array& child : array.children) parts->children.push_back(add(child));
  schema = {};
  if (!array.dictionary.empty()) schema.dictionary = add(array.dictionary.front());
  schema.format = parts->format.c_str();
  schema.name = parts->name.c_str();
  schema.flags = ARROW_FLAG_NULLABLE;
  schema.n_children = static_cast<std::int64_t>(parts->children.size());
  schema.children = parts->children.data();
  schema.release = release<SchemaParts, ArrowSchema>;
  schema.private_data = parts.release();
}

inline void fill(const Array& array, ArrowArray& target, int* alive) {
  auto parts = std::make_unique<ArrayParts>();
  parts->alive = alive;
  for (const std::optional<std::string>& buffer : array.buffers) {
    parts->memory.emplace_back(buffer ? new char[buffer->size()] : nullptr);
    if (buffer) std::copy(buffer->begin(), buffer->end(), parts->memory.back().get());
    parts->buffers.push_back(parts->memory.back().get());
  }
  const auto add = [&](const Array& part) {
    parts->owned.push_back(std::make_unique<ArrowArray>());
    fill(part, *parts->owned.back(), nullptr);
    return parts->owned.back().get();
  };
  for (const Array& child : array.children) parts->children.push_back(add(child));
  target = {};
  if (!array.dictionary.empty()) target.dictionary = add(array.dictionary.front());
  target.length = array.length;
  target.offset = array.offset;
  target.null_count = array.null_count;
  target.n_buffers = static_cast<std::int64_t>(parts->buffers.size());
  target.buffers = parts->buffers.data();
  target.n_children = static_cast<std::int64_t>(parts->children.size());
  target.children = parts->children.data();
  target.release = release<ArrayParts, ArrowArray>;
  target.private_data = parts.release();
}

// The stream itself. It lives in the object, which must stay where it is.
class Producer {
 public:
  Producer(Array schema, std::vector<Array> batches)
      : schema_(std::move(schema)), batches_(std::move(batches)) {
    stream_.get_schema = [](ArrowArrayStream* stream, ArrowSchema* out) {
      return of(stream).give_schema(*out);
    };
    stream_.get_next = [](ArrowArrayStream* stream, ArrowArray* out) {
      return of(stream).give_batch(*out);
    };
    stream_.get_last_error = [](ArrowArrayStream* stream) {
      const Producer& producer = of(stream);
      return producer.error ? producer.error->c_str() : nullptr;
    };
    stream_.release = [](ArrowArrayStream* stream) { ++of(stream).releases; };
    stream_.private_data = this;
  }
  Producer(const Producer&) = delete;
  Producer& operator=(const Producer&) = delete;

  ArrowArrayStream& stream() { return stream_; }

  Given given;
  int releases = 0;                                // of the stream
  std::function<void(ArrowSchema&)> spoil_schema;  // called with each struct that is given
  std::function<void(ArrowArray&)> spoil_batch;
  bool fails_at_schema = false;
  std::optional<std::size_t> fails_at_batch;
  std::optional<std::string> error;

 private:
  static Producer& of(ArrowArrayStream* stream) {
    return *static_cast<Producer*>(stream->private_data);
  }

  int give_schema(ArrowSchema& out) {
    if (fails_at_schema) return 5;
    ++given.schemas;
    ++given.schemas_alive;
    fill(schema_, out, &given.schemas_alive);
    if (spoil_schema) spoil_schema(out);
    return 0;
  }

  int give_batch(ArrowArray& out) {
    if (fails_at_batch == next_) return 5;
    out = {};
    if (next_ == batches_.size()) return 0;
    ++given.arrays;
    ++given.arrays_alive;
    fill(batches_[next_++], out, &given.arrays_alive);
    if (spoil_batch) spoil_batch(out);
    return 0;
  }

  ArrowArrayStream stream_ = {};
  Array schema_;
  std::vector<Array> batches_;
  std::size_t next_ = 0;
};

}  // namespace noiseplus::arrow_test
