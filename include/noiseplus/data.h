// Stage 1, data: from files to a matrix with integer labels, and back to files.
//
//   file --read--> Table (typed columns) --Encoder--> Features (n x d numbers)
//   file --read--> Arrays (n x d numbers) ----------> Features
//   both together, as the commands use them: load() -> Dataset
//
// Every reader accepts any bytes: it returns data or throws Error(data) naming file:line:column
// (text files) or file and field (binary files). A file that cannot be opened or read is Error(io).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noiseplus/core.h"

struct ArrowArrayStream;  // of the Arrow C data interface; whoever has one has its definition

namespace noiseplus {

// ---------------------------------------------------------------------------------------- bytes

// The contents of a file, in memory or mapped. Movable, read-only.
//
// A compressed file (gzip, npz) may be made to unpack to far more than anybody meant to read. So
// unpacking ends with Error(data) beyond `max_unpacked` bytes; where that is not given, beyond
// default_max_unpacked() of the file's size on the disk.
class Bytes {
 public:
  Bytes();
  explicit Bytes(std::string text);
  Bytes(Bytes&& other) noexcept;
  Bytes& operator=(Bytes&& other) noexcept;
  ~Bytes();

  // Reads `path` into memory, or standard input when it is "-". gzip is recognized by its first
  // bytes and unpacked. Throws io when it is unreadable or changes while it is read, data when the
  // gzip stream is damaged, cut short or unpacks to too much. Waiting for a pipe is no reason to
  // stop: a signal that arrives only makes it ask `execution.progress` again, which is asked a few
  // times a second.
  static Bytes read(const std::string& path, const Execution& execution = {},
                    std::optional<std::uint64_t> max_unpacked = {});

  // As read, without a copy: an uncompressed regular file is mapped, so that a large array costs no
  // memory of its own. Its contents may change at any time; see throw_if_changed(). Maps only after
  // guard_mapped_files(), else reads.
  static Bytes map(const std::string& path, const Execution& execution = {},
                   std::optional<std::uint64_t> max_unpacked = {});

  std::span<const char> span() const { return {data_, size_}; }
  std::string_view view() const { return {data_, size_}; }
  std::size_t size() const { return size_; }
  // Size on the disk, which is less than size() where the file was compressed.
  std::size_t stored_size() const { return stored_size_; }

  // Throws io when a mapped file has another size or time of change than when it was mapped, or
  // could not be read from the disk: what was computed from it is then worth nothing. Call it after
  // the work. Never throws for bytes in memory.
  void throw_if_changed() const;

 private:
  friend class FileReader;
  struct Mapping;
  void free_pages();

  std::string owned_;
  void* block_ = nullptr;  // pages of our own, or of the mapped file
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t stored_size_ = 0;
  std::unique_ptr<Mapping> mapping_;  // null unless mapped
};

// The largest of 256 MiB and 100 times `stored_size`, and at most half of the memory this process
// may have. Text compresses 5 to 20 times, gzip at most 1032 times.
std::uint64_t default_max_unpacked(std::uint64_t stored_size);

// Installs a handler of SIGBUS for the whole process, once, so that Bytes::map may map files. A
// file that is cut while it is mapped would else end the process. With the handler the missing
// pages read as zeros, and Bytes::throw_if_changed() throws. A SIGBUS from elsewhere goes to the
// handler that was there before. Opt-in, because a library must not change signals unasked: the
// program calls it, the Python package maps nothing. Thread-safe.
void guard_mapped_files();

// The path of a file that was cut while mapped, one of them if there were several; empty: none, or
// Bytes::throw_if_changed() or throw_if_mapped_file_was_cut() has thrown because of it. Cheap
// enough to be asked from a progress callback. Thread-safe.
std::string cut_mapped_file();

// Throws io, naming cut_mapped_file(), if there is one. Later calls do not throw for the same cut,
// so that a process may go on with other files. Thread-safe.
void throw_if_mapped_file_was_cut();

enum class Format { automatic, csv, tsv, npy, npz, idx, libsvm, txt };

// By the file's name, ".gz" aside; standard input and unknown endings are csv.
Format format_of(const std::string& path);

// ---------------------------------------------------------------------------------------- tables

struct Column {
  std::string name;
  bool is_unnamed = false;  // the header has no name for it; `name` is then its position, from 1
  bool is_text = false;
  bool is_date = false;                 // the numbers are days since 1970-01-01
  std::vector<double> numbers;          // when !is_text: one per row, NaN = missing
  std::vector<std::int32_t> codes;      // when is_text: index into categories, -1 = missing
  std::vector<std::string> categories;  // distinct texts in order of first appearance

  std::size_t missing() const;
};

// Where the records of a csv file lie in its text, so that they can be written again byte for byte.
struct TableText {
  Bytes bytes;
  char delimiter = ',';
  std::size_t header_begin = 0, header_end = 0;  // equal when there is no header
  std::vector<std::size_t> record_begin;         // one a row
  std::vector<std::size_t> record_end;           // end of the last cell, before the line's end
};

struct Table {
  std::string source;  // the name used in messages
  std::size_t rows = 0;
  std::vector<Column> columns;
  std::vector<std::string> warnings;
  TableText text;

  // The first column of that name, or null.
  const Column* find(std::string_view name) const;
  // As find; throws usage, listing what there is, when the column does not exist.
  const Column& column(std::string_view name) const;
  // "file:line:column" of a cell, counting from 1, for messages. Throws usage unless the column is
  // one of this table, in place and not a copy, and the row is there.
  std::string where(std::size_t row, const Column& column) const;
};

struct TableOptions {
  // Changes the answer.
  // None: found from the header and the first rows (find_delimiter).
  std::optional<char> delimiter = ',';
  bool header = true;                        // else columns are named 1, 2, ...
  std::vector<std::string> text_columns;     // never read as numbers (labels, groups)
  std::vector<std::string> missing = {"?"};  // besides the empty cell and NaN
};

// Reads RFC 4180 text: quoted cells, doubled quotes, LF or CRLF, an optional byte order mark.
// Blanks around an unquoted cell do not count. A column is numeric when every cell that is not
// missing is a number. A second column of the same name gets ".1" appended, a third ".2". Blank
// lines are skipped (in a one-column file they are missing cells). Errors: ragged rows, stray or
// unclosed quotes, no rows. Throws usage when the delimiter is a quote, a line end or NUL.
Table read_table(Bytes bytes, const std::string& source, const TableOptions& options,
                 const Execution& execution = {});

// What separates the cells of a csv text, from its header and up to 20 rows after it: a comma,
// unless the commas do not make two or more cells in the header and as many in each row, and a
// semicolon, a tab or a bar does, with more cells in the header than commas make. Accepts any
// bytes.
char find_delimiter(std::string_view text);

// A table that another program holds in memory, by the Arrow C stream interface: a stream of
// structs, a field each column. Numbers, booleans (0 and 1), texts, dates and timestamps (days
// since 1970-01-01 in UTC), durations (days), and dictionaries of these are taken, in all their
// widths; nulls, NaN, and texts that are empty or spelled as missing, are missing. A column of
// nulls only is numbers. Columns of other types that are named in `ignored_columns` are left out;
// else throws data, naming the column and its type, and so for nested columns, arrays that
// contradict themselves, and errors of the stream. Values are copied; the stream is left to the
// caller, drained but not released. Of the options `missing` counts, and `text_columns`: numbers in
// these are spelled out.
Table read_arrow(ArrowArrayStream& stream, const std::string& source, const TableOptions& options,
                 const std::vector<std::string>& ignored_columns = {});

// A column of texts that somebody else has numbered: row n holds texts[codes[n]], or nothing where
// the code is below 0. As the readers do: blanks at the ends do not count, empty texts and those in
// `missing` are missing, categories are in order of first appearance, and a column without any
// value is numbers. Throws usage when a code is out of range.
Column make_text_column(const std::string& name, std::span<const std::int32_t> codes,
                        std::span<const std::string> texts,
                        const std::vector<std::string>& missing = TableOptions().missing);

// ---------------------------------------------------------------------------------------- arrays

// An n x d matrix: floats of its own, or floats or halves looked at inside a file without a copy.
class Features {
 public:
  Features() = default;
  explicit Features(Matrix matrix) : owned_(std::move(matrix)), view_(owned_.view()) {}
  // REQUIRES: `view` looks into `file`, at a place that stays when the file is moved.
  Features(Bytes file, RowsView view) : file_(std::move(file)), view_(view) {}
  // Somebody else's rows, which must outlive the features.
  explicit Features(RowsView borrowed) : view_(borrowed) {}
  Features(Features&&) = default;
  Features& operator=(Features&&) = default;

  // As they are stored, and valid as long as the features are, moved or not. Who needs floats asks
  // the view for them, row by row or all at once.
  RowsView view() const { return view_; }

  // As Bytes::throw_if_changed, where the rows lie in a mapped file. audit, balance and train_model
  // call it at their end.
  void throw_if_changed() const { file_.throw_if_changed(); }

 private:
  Matrix owned_;
  Bytes file_;
  RowsView view_;
};

// What an array file holds. Texts are empty when the file has no such part.
struct Arrays {
  Features features;
  std::vector<std::string> labels;              // integers without ".0"
  std::optional<std::size_t> first_index = {};  // libsvm: 0 where an index 0 occurs, else 1
  std::vector<std::size_t> row_shape = {};      // npy and idx: of a row that was flattened, 28, 28
};

// npy (numbers and booleans of any size and byte order; C or Fortran order; one dimension = one
// column, more than two are flattened), npz (features from the array "X", "x", "features" or
// "data", or the only array of two or more dimensions; labels from `label` or else "y" or
// "labels"), idx, and libsvm/svmlight (labels first on each line). `label` matters for npz only.
// Without `with_labels` they are not read and need not be there; an array of labels is still no
// candidate for the features.
// NaN is kept and means missing; infinity is an error, and so are bytes after an npy or idx array,
// and a libsvm file so sparse that its dense matrix would be absurd (over 8 GiB, or over 4096 cells
// a byte of the file). 16-bit and 32-bit floats are left where they lie when they are aligned, in C
// order and in this machine's byte order; all else becomes 32-bit floats.
// `max_unpacked` limits the sum of the npz arrays that are read, as Bytes says.
Arrays read_arrays(Bytes bytes, const std::string& source, Format format,
                   const std::string& label = "", bool with_labels = true,
                   std::optional<std::uint64_t> max_unpacked = {});

// One label a row from an npy, idx or txt file (txt: a line each). NaN becomes an empty text.
std::vector<std::string> read_label_texts(Bytes bytes, const std::string& source, Format format);

// ---------------------------------------------------------------------------------------- labels

// Class names are sorted: by value when all of them are numbers, else by bytes. codes[n] is the
// position of row n's class in `classes`.
struct Labels {
  std::vector<std::int32_t> codes;
  std::vector<std::string> classes;
  std::vector<std::string> spellings;  // of each class where it first occurs, for writing it back

  std::size_t count(std::int32_t code) const;
  // The class of that name, or of that number however it is written.
  std::optional<std::size_t> find(std::string_view name) const;
  // The class that --positive NAME calls positive, the last where the name is empty. Throws usage,
  // saying what there is, when there is no such class.
  std::size_t positive(const std::string& name) const;
};

// Equal numbers are one class however they are written ("1", "1.0"); integers are named without
// ".0". Throws data when a label is missing, naming the row: the cell is empty or NaN.
Labels make_labels(const Column& column, const Table& table);
Labels make_labels(const std::vector<std::string>& texts, const std::string& source);

// The same labels in the classes of a model, which may be more than occur in them. `row_ids` as in
// Dataset, for messages. Throws usage when codes, classes and spellings do not fit together or
// row_ids are neither none nor one per row; data, naming the first row, when a label is none of
// these classes: as written, or as a number where all of them are numbers.
Labels relabel(Labels labels, const std::vector<std::string>& classes,
               const std::vector<std::string>& spellings, const std::string& source,
               std::span<const std::size_t> row_ids = {});

// Pairs and larger sets of classes whose names differ only in the case of ASCII letters or in
// blanks, each as one sentence: they may be one class that is spelled in several ways. `what` is
// "classes" or "groups". At most 10 sentences.
std::vector<std::string> find_similar_names(const std::vector<std::string>& classes,
                                            const std::string& what);

// ---------------------------------------------------------------------------------- probabilities

// Class probabilities of a model of the caller's, for rows that the model was not trained on: n x
// K, row n for row n of the labels, columns in the order of labels.classes.
//
// From an npy file (floats of any size, C or Fortran order; columns in that order), or csv or tsv
// with a header, one column per class, named like the class, in any order; either may be gzipped.
// Format::automatic goes by the ending of `source`. Values that miss 0 or 1 by rounding are
// clamped. Throws data, with file:line:column (csv) or file, row and column (npy), for a cell that
// is no number, missing, below 0 or above 1; naming the row, where the values of a row do not add
// up to 1 within .001; and for another number of rows than labels or of columns than classes, and
// for a class without a column or with two. Throws usage for other formats and when there are no
// labels.
Matrix read_probabilities(Bytes bytes, const std::string& source, const Labels& labels,
                          Format format = Format::automatic, const Execution& execution = {});

// The same checks of probabilities in memory. Throws usage unless they are rows x classes.size(),
// data for values as above.
void check_class_probabilities(MatrixView probabilities, std::size_t rows,
                               const std::vector<std::string>& classes);

// ---------------------------------------------------------------------------------------- encoder

struct EncoderOptions {
  // Changes the answer.
  bool scale = true;  // subtract the mean, divide by the standard deviation
  // Categories in fewer rows than this are pooled as one; a table of under 1000 rows pools those
  // below 1 % of its rows, and always those that occur once.
  std::size_t rare = 10;
  std::size_t max_categories = 200;  // of one column; the rest is pooled too
};

// In which order a date is written: 2026-03-04, 04/03/2026 or 03/04/2026. The separator may be a
// hyphen, a slash or a dot, the year has four digits.
enum class DateOrder { year_month_day, day_month_year, month_day_year };

// Days since 1970-01-01, with the time of day as a fraction: "2026-03-04", "2026-03-04 05:06",
// "2026-03-04T05:06:07.5Z", "04.03.2026 05:06:07". An offset from UTC (Z, +01:00, +0100) is
// subtracted; without one the time is taken as it is. Nothing when `text` is no such date in this
// order, blanks at its ends aside. Throws usage when the order is none of DateOrder.
std::optional<double> parse_date(std::string_view text, DateOrder order);

// "2026-03-04", or with a time that is not midnight "2026-03-04 05:06:07". Throws usage for days
// that are not in the years 1 to 9999.
std::string format_date(double days);

// How columns of a table become columns of a matrix. Learned from one table, then applied to any
// that has the same columns: numbers are standardized, missing numbers become the mean and set an
// indicator column, dates are numbers of days, texts become one 0/1 column a category, with one for
// all rare ones and one for missing. A column is dates where it says so (`is_date`), or each of its
// texts is one in the same order; where days and months cannot be told apart, the day is taken to
// come first for dots and the month for others, with a warning. Columns with one value carry
// nothing and are left out, with a warning. A plain value: copy it, compare it, store it.
struct Encoder {
  struct Part {
    std::string column;
    bool is_text = false;
    std::optional<DateOrder> date;        // dates, which are numbers of days; never with is_text
    double offset = 0, scale = 1;         // numbers: (x - offset) * scale
    double fill = 0;                      // numbers: x where it is missing
    bool indicates_missing = false;       // whether a 0/1 column for missing follows
    std::vector<std::string> categories;  // texts: one output column each
    bool pools_rare = false;              // whether an output column for all others follows
  };
  std::vector<Part> parts;

  // Throws data when a number is infinite, usage when a column is not there or does not have a
  // value per row.
  static Encoder learn(const Table& table, const std::vector<std::string>& columns,
                       const EncoderOptions& options, std::vector<std::string>& warnings);

  // Throws data when the table lacks a column, has text where numbers were or no date where dates
  // were, usage when a column does not have a value per row.
  Matrix encode(const Table& table, const Execution& execution = {}) const;

  // How many output columns there are.
  std::size_t columns() const;
  // Names of the output columns: "age", "sex=Male", "age is missing", "city=(other)".
  std::vector<std::string> names() const;
};

// ---------------------------------------------------------------------------------------- dataset

// How the rows of a file become rows of a matrix: what a model keeps of the data it was trained on,
// so that other files are read alike.
struct FeatureRecipe {
  std::size_t columns = 0;                 // of the matrix
  std::optional<Encoder> encoder;          // none: the columns of an array as they are
  std::vector<std::string> missing;        // further spellings of a missing cell
  std::optional<std::size_t> first_index;  // libsvm: what its columns were counted from, 0 or 1
};

// What to do with rows whose label is missing.
enum class MissingLabels { drop, error };

// Which data, said as on the command line.
struct DataRequest {
  // "-" is standard input. Empty: there is no file of rows; labels come from labels_path (and
  // groups from its columns, or from groups_path), and the data set has no features.
  std::string path;
  Format format = Format::automatic;
  std::string label;        // column of the table, or of the csv file of labels
  std::string labels_path;  // for arrays: a file with one label a row
  std::string usual_label;  // the column of labels_path that counts when `label` does not say
  bool header = true;
  // Of csv files: DATA, and those of labels and groups. None: as find_delimiter finds it, and a tab
  // for tsv.
  std::optional<char> delimiter;
  MissingLabels missing_labels = MissingLabels::drop;
  std::vector<std::string> features;  // only these columns; empty = all but those that name rows
  std::vector<std::string> drop;      // not these columns
  std::vector<std::string> missing;   // further spellings of a missing cell
  // Tables are standardized and arrays are taken as they are, because an embedding's own metric
  // means something and a table's units do not; this overrides either.
  std::optional<bool> scale;
  bool with_features = true;        // false: labels only, for work that needs no more
  bool with_labels = true;          // false: rows without labels will do, and labels are not read
  std::vector<std::string> groups;  // columns whose values name a row's group
  std::string groups_path;          // for arrays: a file with one group a row, or a csv of columns
  // Bytes that each compressed file may unpack to; none: as Bytes says.
  std::optional<std::uint64_t> max_unpacked;
  // Read the features like this instead of learning how; `features`, `drop` and `scale` then do not
  // count. Not owned, may be null.
  const FeatureRecipe* recipe = nullptr;
};

// Rows ready for work: features, labels, and what is needed to write them back.
//
// Rows without a label take no part: features, labels and groups do not have them, the table does.
struct Dataset {
  std::string source = "the data";  // the name used in messages
  Features features;
  std::vector<std::string> feature_names;  // empty for arrays
  // Of arrays with more than two dimensions, taken as they are: the sizes of a row, 28, 28.
  std::vector<std::size_t> row_shape;
  Labels labels;
  std::string label_name;
  // The group of each row; "classes" are the names of the groups, of several columns "a|b". Empty
  // when no groups were asked for.
  Labels groups;
  std::string group_name;  // of several columns "x|y"
  FeatureRecipe recipe;    // how `features` came about
  std::vector<std::string> warnings;
  std::optional<Table> table;  // set when the data came from csv or tsv, with all of its rows
  // Where rows without a label were left out: of each row that is left, its place in the file,
  // from 0, ascending. Empty: row n is row n of the file.
  std::vector<std::size_t> row_ids;
  std::size_t missing_labels = 0;  // rows that were left out

  // Place in the file of row n. Throws usage when there are row ids and none for this row.
  std::size_t row_id(std::size_t n) const;
  // Rows of the file, with those that were left out.
  std::size_t file_rows() const { return labels.codes.size() + missing_labels; }
};

// Reads and encodes. The label column is never a feature, nor is any of X, X_noisy, X_balanced when
// the label is one of them. Columns of a table that only name its rows are no features, with a
// warning, unless request.features lists them: whole numbers 0, 1, 2, ... or 1, 2, 3, ... in the
// order of the rows, unless nothing else is left; different whole numbers in every row of a column
// that has no name, is called id, uuid, guid, index, row, key or "Unnamed: 0", or ends in _id or
// Id; and texts that differ in every row, but for dates. Tables of fewer than 10 rows have none.
//
// Rows without a label are left out, with a warning, or are an error (data), as
// request.missing_labels says. Throws data when no label is left.
//
// With a recipe: throws data when a column that it needs is missing or holds text where numbers
// were, or when an array has another number of columns (a libsvm file may have fewer); columns it
// does not know, and texts it has never seen, are named in the warnings.
Dataset load(const DataRequest& request, const Execution& execution = {});

// The same of rows that are in memory already; labels and groups are left to the caller. Of the
// request count `path` as the name used in messages, `label` and `groups` as the names of what is
// no feature or need not be mentioned, and features, drop, missing, scale and recipe. The caller
// has chosen the columns, so that those which only name the rows are features too. An array is
// looked at where it lies, and must outlive the data set, unless it has gaps, is scaled, or not all
// of its columns are taken. Throws as load does, and data when a value is infinite.
Dataset make_dataset(RowsView rows, const DataRequest& request, const Execution& execution = {});
Dataset make_dataset(Table table, const DataRequest& request, const Execution& execution = {});

// The same with labels, one per row; the code -1 is a missing label. Rows without a label are left
// out with a warning, or are an error (data), as request.missing_labels says; an array that has
// such rows is copied. Groups, left to the caller, are then those of the rows that have a label.
// Throws usage when there is not one label per row or a code is none of the classes, data when no
// row has a label. Without codes and classes, labels too are left to the caller.
Dataset make_dataset(RowsView rows, Labels labels, const DataRequest& request,
                     const Execution& execution = {});
Dataset make_dataset(Table table, Labels labels, const DataRequest& request,
                     const Execution& execution = {});
// Labels without rows. Of the request count `path`, `label` and `missing_labels`.
Dataset make_dataset(Labels labels, const DataRequest& request);

// ----------------------------------------------------------------------------------------
// corruption

// A label for each row, drawn from row `code` of the K x K row-stochastic matrix with the row's own
// uniform u: the first other class whose cumulated probability exceeds u, else unchanged. So
// raising a probability only adds changes and never takes one back: draws are nested. `matrix` is
// row-major, classes * classes. Throws usage when it is not row-stochastic, or a code is none of
// 0..classes-1.
std::vector<std::int32_t> draw_labels(std::span<const std::int32_t> codes, std::size_t classes,
                                      std::span<const double> matrix, std::uint64_t seed,
                                      Stream stream);

// The same where each group has a matrix of its own, one after the other: row n is drawn from that
// of groups[n], in 0..G-1. Throws usage as above, and when a row has no group or an unknown one.
std::vector<std::int32_t> draw_labels(std::span<const std::int32_t> codes,
                                      std::span<const std::int32_t> groups, std::size_t classes,
                                      std::span<const double> matrices, std::uint64_t seed,
                                      Stream stream);

// Noise at one rate for all classes, to all others alike. Throws usage unless there are two classes
// or more and the rate is in [0, 1].
std::vector<double> symmetric_transition(std::size_t classes, double rate);

// The random matrices of the Noise+ paper's experiments with many classes: two classes drawn at
// random keep .4 + gap of their labels, all others .4, and what is lost goes to the other classes
// in random shares. The paper prints the transpose: its columns are clean classes. Two classes
// differ by the gap only if one of them alone keeps more, so it is one then. Throws usage when gap
// is not in [0, .6], impossible when there are fewer than two classes.
std::vector<double> random_gap_transition(std::size_t classes, double gap, std::uint64_t seed);

// Reads K lines of K numbers, row = clean class. Throws data with file:line:column.
std::vector<double> read_transition(Bytes bytes, const std::string& source, std::size_t classes);

// What read_transition reads, to the last bit. Throws usage when the matrix is not classes x
// classes.
std::string write_transition(std::span<const double> matrix, std::size_t classes);

// ----------------------------------------------------------------------------------------
// generator

// Clusterable data with known truth: many tight clusters, each wholly of one class.
struct GeneratorOptions {
  std::size_t rows = 50000;
  std::size_t dimensions = 8;
  std::size_t rows_in_cluster = 50;
  double positive = 0.5;  // share of rows of class 1, exact to one row
  double separation = 0;  // by how much clusters of class 1 are shifted along the first dimension
  std::uint64_t seed = 0;
};

struct Generated {
  Matrix features;
  std::vector<std::int32_t> codes;  // clean, 0 or 1
};

// Throws usage when the share of positives is not from 0 to 1, or the separation is not finite.
Generated generate(const GeneratorOptions& options);

// ---------------------------------------------------------------------------------------- output

// A file that appears whole or not at all: written elsewhere, moved into place by commit(). Without
// commit, by an error or a kill, the old file stays. "-" is standard output; what is not a regular
// file (a pipe, /dev/null) is written directly. A link stays a link: the file it names is written,
// and made where there is none. An old file's mode is kept. A name ending in .gz is compressed. The
// descriptors 0, 1 and 2 are never taken, also where they are closed, so that what is printed
// cannot end up in the file.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  // All bytes safely on the disk, not yet in place. Several outputs are finished before the first
  // is committed, so that a full disk leaves none of them.
  void finish();
  // As finish(), and the file has a temporary name beside its final one, so that commit() only
  // renames it. Several outputs are staged before the first is committed, because a rename fails
  // more rarely than all that comes before it. Without commit the name goes away again.
  void stage();
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The table as it was read, every byte, plus a last column of one text a row, quoted where it must
// be. Throws usage when there is not one cell per row, or the table has no text of its own.
void write_with_column(const Table& table, std::string_view name,
                       std::span<const std::string_view> cells, OutputFile& output,
                       const Execution& execution = {});

// Labels only, one a row, in the format of the path's ending: npy (int64 when all classes are
// integers, else text), idx (classes must be 0..255), csv with a header, or txt.
// check_labels_format throws usage when they cannot be; write_labels does so too, and when a code
// is none of the classes.
void check_labels_format(const std::vector<std::string>& classes, const std::string& path);
void write_labels(std::string_view name, std::span<const std::int32_t> codes,
                  const std::vector<std::string>& classes, const std::string& path,
                  OutputFile& output);

// A csv cell, in quotes when it holds the delimiter, a quote, a line end, or blanks at its ends.
std::string csv_cell(std::string_view text, char delimiter);

// The text for a spreadsheet: with a ' before it where a spreadsheet would take it for a formula
// (it begins with =, +, -, @, a tab or a line end, and is not a number), else as it is.
std::string escape_formula(std::string_view text);

// A number the way people write it: shortest digits that read back the same, integers without ".0".
std::string format_number(double value);

// The number `text` spells, blanks at its ends aside; nothing when it is not a number.
std::optional<double> parse_number(std::string_view text);

}  // namespace noiseplus
