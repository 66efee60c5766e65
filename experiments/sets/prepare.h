// From the official files of each data set to rows whose clean labels are known, so that whoever
// has the public downloads gets the same rows.
//
// Each function takes the folder of its data set; each file may also be there with ".gz" at its
// end. All throw io, naming the file and where it is to be had, when one is missing, and data when
// its content is not what it should be. Tables are encoded and standardized over all their rows;
// features given as arrays are taken as they are.
#pragma once

#include "experiments/sets/known_rows.h"

namespace noiseplus {

// UCI Adult: adult.data and adult.test, as published (no header; the second starts with a comment
// and ends its labels with a dot). Classes of income, groups by sex.
KnownRows read_adult(const std::string& folder, const Execution& execution = {});

// ProPublica's compas-scores-two-years.csv. Classes two_year_recid, nine of its columns as
// features, groups by race.
KnownRows read_compas(const std::string& folder, const Execution& execution = {});

// FairFace: train_features.npy, train_labels.csv (columns gender and race, rows in the same order),
// and the same of val. Classes of gender, groups by race.
Split read_fairface(const std::string& folder, const Execution& execution = {});

// MNIST: the four idx files. Pixels from 0 to 1.
Split read_mnist(const std::string& folder, const Execution& execution = {});

// One person's labels, or what several agreed upon.
struct GivenCodes {
  std::string name;  // "aggre", "random1", "worse"
  std::vector<std::int32_t> codes;
};

struct HumanLabels {
  KnownRows rows;
  std::vector<GivenCodes> given;
};

// CIFAR-10N: cifar10n_labels.csv, rows in the order of CIFAR-10's training images. Features are
// `features`, an npy file in the same order; where it is empty aggre_swin_probabilities.npy of the
// folder.
HumanLabels read_cifar10n(const std::string& folder, const std::string& features = "",
                          const Execution& execution = {});

// Embeddings of any data set: train_features.npy with train_labels.csv (column `label`),
// train_labels.txt or train_labels.npy, and the same of test. Training labels are as given, right
// or wrong: `clean` of the training rows holds them. Labels of the test are clean, and of the
// classes of training.
Split read_embeddings(const std::string& folder, const Execution& execution = {});

}  // namespace noiseplus
