#include <zip.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "data/array_readers.h"
#include "data/gzip.h"
#include "data/npy.h"

namespace noiseplus {
namespace {

// An npz file is a zip archive with one npy file for each array.
struct Entry {
  std::string name;  // without ".npy"
  std::size_t index = 0;
};

using Zip = std::unique_ptr<zip_t, void (*)(zip_t*)>;
using ZipFile = std::unique_ptr<zip_file_t, int (*)(zip_file_t*)>;

void throw_if_memory_is_lacking(zip_error_t* error) {
  if (zip_error_code_zip(error) == ZIP_ER_MEMORY) throw std::bad_alloc();
}

class Archive {
 public:
  // `bytes` must outlive the archive. All arrays that are read may together have `limit` bytes.
  Archive(const Bytes& bytes, const std::string& source, std::uint64_t limit);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;

  // "x.npz, array 'X'"
  std::string name_of(const Entry& entry) const {
    return source_ + ", array " + quoted(entry.name);
  }

  // The entry's first bytes, at most `most` of them.
  std::string read_begin(const Entry& entry, std::size_t most) const;
  // All of it, its checksum compared.
  std::string read(const Entry& entry);

  // For messages: the names of the arrays, of many only the first.
  std::string listing() const;

 private:
  std::size_t checked_size(const Entry& entry) const;
  ZipFile open(const Entry& entry) const;
  void append(zip_file_t* file, const Entry& entry, std::size_t most, std::string& content) const;
  Error damaged(const Entry& entry, const std::string& why) const {
    return {ErrorKind::data,
            name_of(entry) + ": " + why + "; the archive is damaged, copy or save it again"};
  }

  std::string source_;
  std::size_t size_ = 0;
  std::uint64_t stored_size_ = 0, limit_ = 0, unpacked_ = 0;
  Zip zip_;
  std::vector<Entry> entries_;
};

Zip open_archive(std::string_view bytes, const std::string& source) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* buffer = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  Zip zip(buffer == nullptr ? nullptr : zip_open_from_source(buffer, ZIP_RDONLY, &error),
          zip_discard);
  if (zip != nullptr) return zip;
  const bool lacks_memory = zip_error_code_zip(&error) == ZIP_ER_MEMORY;
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  zip_source_free(buffer);
  if (lacks_memory) throw std::bad_alloc();
  throw Error(ErrorKind::data, source + ": cannot be read as an npz (zip) archive: " + why +
                                   "; check the file and its format");
}

Archive::Archive(const Bytes& bytes, const std::string& source, std::uint64_t limit)
    : source_(source),
      size_(bytes.size()),
      stored_size_(bytes.stored_size()),
      limit_(limit),
      zip_(open_archive(bytes.view(), source)) {
  constexpr std::string_view ending = ".npy";
  const zip_int64_t count = zip_get_num_entries(zip_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(zip_.get(), static_cast<zip_uint64_t>(i), 0);
    std::string_view text = name == nullptr ? "" : name;
    if (!text.ends_with(ending)) continue;
    text.remove_suffix(ending.size());
    entries_.push_back({std::string(text), static_cast<std::size_t>(i)});
  }
}

const Entry* Archive::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

// What the archive says an entry's size is may be a lie meant to exhaust the memory: believe it
// only when the compressed bytes are there and could grow to it.
std::size_t Archive::checked_size(const Entry& entry) const {
  zip_stat_t status;
  zip_stat_init(&status);
  constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  if (zip_stat_index(zip_.get(), entry.index, 0, &status) != 0 ||
      (status.valid & needed) != needed) {
    throw damaged(entry, "its size is not recorded");
  }
  if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE) {
    throw Error(ErrorKind::data, name_of(entry) + ": is encrypted; save it without a password");
  }
  const bool is_stored = status.comp_method == ZIP_CM_STORE;
  if (!is_stored && status.comp_method != ZIP_CM_DEFLATE) {
    throw Error(ErrorKind::data, name_of(entry) + ": is compressed by method " +
                                     std::to_string(status.comp_method) +
                                     "; save it with numpy.savez or numpy.savez_compressed");
  }
  constexpr zip_uint64_t max_growth = 1032;  // of deflate: 258 bytes from 2 bits
  constexpr zip_uint64_t allowance = zip_uint64_t{1} << 20;
  const zip_uint64_t largest =
      is_stored ? status.comp_size : status.comp_size * max_growth + allowance;
  if (status.comp_size > size_ || status.size > largest) {
    throw damaged(entry, "says that " + std::to_string(status.comp_size) +
                             " compressed bytes in a file of " + std::to_string(size_) +
                             " unpack to " + std::to_string(status.size));
  }
  return status.size;
}

ZipFile Archive::open(const Entry& entry) const {
  ZipFile file(zip_fopen_index(zip_.get(), entry.index, 0), zip_fclose);
  if (file == nullptr) {
    throw_if_memory_is_lacking(zip_get_error(zip_.get()));
    throw damaged(entry, zip_strerror(zip_.get()));
  }
  return file;
}

// Memory grows with what was really unpacked, not with what the archive says.
void Archive::append(zip_file_t* file, const Entry& entry, std::size_t most,
                     std::string& content) const {
  constexpr std::size_t first_block = std::size_t{1} << 20;
  while (content.size() < most) {
    const std::size_t used = content.size();
    content.resize(std::min(most, std::max(first_block, used * 2)));
    const zip_int64_t got = zip_fread(file, content.data() + used, content.size() - used);
    content.resize(used + static_cast<std::size_t>(std::max<zip_int64_t>(got, 0)));
    if (got < 0) {
      throw_if_memory_is_lacking(zip_file_get_error(file));
      throw damaged(entry, zip_error_strerror(zip_file_get_error(file)));
    }
    if (got == 0) return;
  }
}

std::string Archive::read_begin(const Entry& entry, std::size_t most) const {
  std::string content;
  append(open(entry).get(), entry, std::min(most, checked_size(entry)), content);
  return content;
}

std::string Archive::read(const Entry& entry) {
  const std::size_t size = checked_size(entry);
  if (size > limit_ - unpacked_) throw unpacks_too_far(name_of(entry), stored_size_, limit_);
  unpacked_ += size;
  const ZipFile file = open(entry);
  std::string content;
  append(file.get(), entry, size, content);
  if (content.size() < size) {
    throw damaged(entry, "holds " + std::to_string(content.size()) + " bytes instead of " +
                             std::to_string(size));
  }
  // libzip compares the checksum when it meets the end.
  std::array<char, 1> beyond{};
  const zip_int64_t got = zip_fread(file.get(), beyond.data(), beyond.size());
  if (got < 0) {
    throw_if_memory_is_lacking(zip_file_get_error(file.get()));
    throw damaged(entry, zip_error_strerror(zip_file_get_error(file.get())));
  }
  if (got > 0) throw damaged(entry, "holds more than " + std::to_string(size) + " bytes");
  return content;
}

std::string Archive::listing() const {
  constexpr std::size_t most = 20;
  std::string text = entries_.size() == 1 ? "the array " : "the arrays ";
  for (std::size_t i = 0; i < std::min(most, entries_.size()); ++i) {
    if (i > 0) text += ", ";
    text += quoted(entries_[i].name);
  }
  if (entries_.size() > most) text += " and " + std::to_string(entries_.size() - most) + " more";
  return text;
}

const Entry* find_label(const Archive& archive, const std::string& source, const std::string& label,
                        bool is_needed) {
  const Entry* found = label.empty() ? nullptr : archive.find(label);
  if (found != nullptr) return found;
  if (label.empty() || !is_needed) {
    found = archive.find("y");
    return found != nullptr ? found : archive.find("labels");
  }
  throw Error(ErrorKind::usage, source + ": there is no array " + quoted(label) +
                                    " for the labels, only " + archive.listing() +
                                    "; name one of these");
}

// An array that cannot be read is no candidate; it is no error either, as nobody asked for it.
bool has_two_dimensions(const Archive& archive, const Entry& entry) {
  constexpr std::size_t max_header = 4096;
  try {
    const std::string begin = archive.read_begin(entry, max_header);
    return parse_npy_header(begin, entry.name).shape.size() >= 2;
  } catch (const Error&) {
    return false;
  }
}

const Entry& find_features(const Archive& archive, const std::string& source, const Entry* label) {
  for (const char* name : {"X", "x", "features", "data"}) {
    const Entry* found = archive.find(name);
    if (found != nullptr && found != label) return *found;
  }
  std::vector<const Entry*> candidates;
  for (const Entry& entry : archive.entries()) {
    if (&entry != label && has_two_dimensions(archive, entry)) candidates.push_back(&entry);
  }
  if (candidates.size() == 1) return *candidates.front();
  throw Error(ErrorKind::data,
              source + ": holds " + archive.listing() + ", " +
                  (candidates.empty() ? "none" : std::to_string(candidates.size())) +
                  " of two or more dimensions; call the array of features 'X'");
}

}  // namespace

Arrays read_npz(const Bytes& bytes, const std::string& source, const std::string& label,
                bool with_labels, std::optional<std::uint64_t> max_unpacked) {
  Archive archive(bytes, source, unpack_limit(max_unpacked, bytes.stored_size()));
  if (archive.entries().empty()) {
    throw Error(ErrorKind::data,
                source + ": holds no arrays; check the file, or save it with numpy.savez");
  }
  const Entry* label_entry = find_label(archive, source, label, with_labels);
  const Entry& features_entry = find_features(archive, source, label_entry);

  Arrays arrays;
  Bytes features_file(archive.read(features_entry));
  const RawArray features = read_npy(features_file.view(), archive.name_of(features_entry));
  arrays.features = to_features(features, std::move(features_file));
  if (label_entry == nullptr || !with_labels) return arrays;

  const std::string label_file = archive.read(*label_entry);
  arrays.labels = to_label_texts(read_npy(label_file, archive.name_of(*label_entry)));
  if (arrays.labels.size() != features.rows()) {
    throw Error(ErrorKind::data, source + ": the array " + quoted(features_entry.name) + " has " +
                                     std::to_string(features.rows()) + " rows but " +
                                     quoted(label_entry->name) + " has " +
                                     std::to_string(arrays.labels.size()) +
                                     "; save one label for each row");
  }
  return arrays;
}

}  // namespace noiseplus
