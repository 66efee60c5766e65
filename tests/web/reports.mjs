// Reports with known numbers, as the program's JSON.

export const TWO = { prior: [0.5, 0.5], rates: [0.1, 0.3], rows: 10000 };
export const EPSILON = (0.3 - 0.1) / (1 - 0.1 + 0.3);

const SEVERITIES = {
  difference: "notice",
  "difference-within-class": "notice",
  "wrong-share": "notice",
  giveaway: "warning",
  direction: "warning",
  "not-identified": "warning",
};

// As src/pipeline/findings.cpp words them.
export const finding = (id, subject, title, text, numbers = {}) => ({
  id,
  severity: SEVERITIES[id] ?? "info",
  subject,
  title,
  text,
  numbers,
});

export const WRONG_SHARE = finding(
  "wrong-share",
  "labels",
  "Wrong labels",
  "20.0 % of all labels are wrong (15.0 to 25.0 %).",
  { value: 0.2, low: 0.15, high: 0.25 },
);
export const CONDITION = finding(
  "condition",
  "labels",
  "Condition",
  "These rates hold if mistakes do not depend on how hard a row is and the labels were not made from these features.",
);
export const CLASSES_DIFFER = finding(
  "difference",
  "classes",
  "Classes: a difference found",
  "Class 'yes' is noisier than 'no' by 20.0 points (95 % interval 17.0 to 23.0, p < 0.0001).",
  { gap: 0.2, low: 0.17, high: 0.23, p_value: 1e-20 },
);
export const CLASSES_ALIKE = finding(
  "no-difference",
  "classes",
  "Classes: no difference found",
  "No difference found between the classes: the gap, 1.2 points, may be chance (95 % interval -3.0 to 5.0, p = 0.61). That does not prove them equally noisy.",
  { gap: 0.012, low: -0.03, high: 0.05, p_value: 0.61 },
);
export const CLASSES_UNKNOWN = finding(
  "not-identified",
  "classes",
  "Classes: not identified",
  "Not identified: these rows do not tell the noise rates of the classes.",
);
export const GROUPS_ALIKE = finding(
  "no-difference",
  "groups",
  "Groups: no difference found",
  "No difference found between the groups: 'south' looks noisier by 15.0 points, but its rate is an upper bound only: it may be overlap of the classes. Within a class, no difference between the groups is proved (p = 0.21): what differs may come from the classes' rates and shares.",
  { gap: 0.15, beyond_class_p_value: 0.21 },
);
export const RANKING = finding(
  "row-scores",
  "rows",
  "Row probabilities",
  "Row probabilities are a ranking: they order the rows by how likely the label is wrong, and are not probabilities.",
);
export const PRECISION = finding(
  "precision",
  "classes",
  "Precision",
  "2,000 rows were enough to know the difference to 0.86 points (wanted: 1).",
  { reached: 0.0086, wanted: 0.01 },
);
export const GIVEAWAY = finding(
  "giveaway",
  "labels",
  "Cannot be judged",
  "Cannot be judged from these features: column 'code' alone reproduces 99.0 % of the labels.",
  { share: 0.99 },
);
export const DIRECTION = finding(
  "direction",
  "classes",
  "A direction, not proved",
  "By the paper's agreements (0.5000 against 0.6000) class 'yes' is noisier than 'no'. That is a direction without a test: nothing is proved.",
  { agreement_of_noisier: 0.5, agreement_of_cleaner: 0.6 },
);
const balancing = (text) => finding("balancing", "labels", "Balancing", text);
export const FLIPPED = balancing(
  "Flipped 1,000 of the 6,000 labels 'no' (probability 16.7 %); the rates are then 25.0 % and 25.0 %.",
);
const TO_FLIP = balancing(
  "To balance: flip 16.7 % of the labels 'no'; the rates are then 25.0 % and 25.0 %.",
);

const groupsDiffer = ([cleaner, noisier]) =>
  finding(
    "difference",
    "groups",
    "Groups: a difference found",
    `Group '${noisier}' is noisier than '${cleaner}' by 15.0 points (95 % interval 12.0 to 18.0, p < 0.0001). Noise depends on the group beyond the class: labels of class 'yes' are noisier in '${noisier}' than in '${cleaner}'.`,
    { gap: 0.15, low: 0.12, high: 0.18, p_value: 1e-9 },
  );

export function twoClasses(changes = {}) {
  const [first, second] = TWO.rates;
  const isAdvised = (changes.advice?.action ?? "balance") === "balance";
  return {
    version: "0.1.0",
    label: "approved",
    rows: TWO.rows,
    features: 5,
    classes: ["no", "yes"],
    positive: "yes",
    class_rows: [6000, 4000],
    estimator: "auto",
    mode: "dense",
    reason: "neighboring rows are nearly always of one class",
    clusterability: {
      disagreement: 0.03,
      disagreement_limit: 0.07,
      mixed: 0.1,
      mixed_limit: 0.3,
      distinct: 1,
      distinct_limit: 0.8,
    },
    estimates: {
      auto: [first, second],
      curve: [0.11, 0.29],
      "latent-class": [first, second],
    },
    k: 10,
    metric: "euclidean",
    anchors: TWO.rows,
    identified: true,
    findings: [CONDITION, CLASSES_DIFFER, ...(isAdvised ? [TO_FLIP] : [])],
    prior: TWO.prior,
    noise: [
      { class: "no", rate: first, low: 0.08, high: 0.12, upper_bound: false },
      { class: "yes", rate: second, low: 0.28, high: 0.32, upper_bound: false },
    ],
    transition: [
      [1 - first, first],
      [second, 1 - second],
    ],
    gap: { value: second - first, low: 0.17, high: 0.23, p_value: 1e-20 },
    noisier: "yes",
    cleaner: "no",
    leans: null,
    claims: [{ noisier: "yes", cleaner: "no" }],
    groups: [],
    noisier_group: null,
    cleaner_group: null,
    scope: "class",
    plan: [
      {
        group: null,
        flip: [
          [1 - EPSILON, EPSILON],
          [0, 1],
        ],
      },
    ],
    agreement: {
      flipped: "no",
      epsilon: [0, 0.1, 0.2],
      gap: [0.06, 0.03, -0.01],
    },
    conditioning: 0.1,
    warnings: ["a first warning"],
    advice: {
      action: "balance",
      why: "the classes are unequally noisy",
      balance_bound: 0.2,
      correct_bound: 0.3,
    },
    seconds: { read: 0.1, neighbours: 0.2, estimate: 0.3 },
    ...changes,
  };
}

const nothing = [
  {
    group: null,
    flip: [
      [1, 0],
      [0, 1],
    ],
  },
];

export function noDifference(changes = {}) {
  return twoClasses({
    findings: [CONDITION, CLASSES_ALIKE],
    gap: { value: 0.012, low: -0.03, high: 0.05, p_value: 0.61 },
    noisier: null,
    cleaner: null,
    claims: [],
    plan: nothing,
    forced: twoClasses().plan,
    advice: {
      action: "nothing",
      why: "no difference between the rates is proved",
    },
    ...changes,
  });
}

export function notIdentified() {
  return noDifference({
    identified: false,
    findings: [CLASSES_UNKNOWN],
    forced: undefined,
    gap: { value: 0.377, low: -1, high: 1, p_value: 1 },
    noise: [
      { class: "no", rate: 0.4321, low: 0, high: 1 },
      { class: "yes", rate: 0.8091, low: 0, high: 1 },
    ],
    estimates: { auto: [0.4321, 0.8091], curve: [0.4444, 0.8765] },
    agreement: undefined,
    advice: {
      action: "check",
      why: "the rates are not identified, so no flip and no weight can be justified. Check some rows by hand first",
    },
  });
}

export function grouped(names = ["north", "south"]) {
  const rates = [0.1, 0.25];
  const flip = (0.25 - 0.1) / (1 - 0.2);
  const groups = names.map((group, g) => ({
    group,
    rows: 5000,
    rate: rates[g],
    low: rates[g] - 0.02,
    high: rates[g] + 0.02,
    identified: true,
    prior: [0.5, 0.5],
    noise: ["no", "yes"].map((name) => ({
      class: name,
      rate: rates[g],
      low: rates[g] - 0.03,
      high: rates[g] + 0.03,
    })),
    transition: [
      [1 - rates[g], rates[g]],
      [rates[g], 1 - rates[g]],
    ],
    noisier: null,
    cleaner: null,
    leans: null,
    class_rows: [2500, 2500],
  }));
  return noDifference({
    findings: [
      CONDITION,
      groupsDiffer(names),
      CLASSES_ALIKE,
      balancing("Balancing would make the groups equally noisy."),
    ],
    groups,
    group_by: "region",
    noisier_group: names[1],
    cleaner_group: names[0],
    leans_group: null,
    scope: "group",
    group_gap: { value: 0.15, low: 0.12, high: 0.18, p_value: 1e-9 },
    group_claims: [{ noisier: names[1], cleaner: names[0] }],
    plan: [
      {
        group: names[0],
        flip: [
          [1 - flip, flip],
          [flip, 1 - flip],
        ],
      },
      {
        group: names[1],
        flip: [
          [1, 0],
          [0, 1],
        ],
      },
    ],
    forced: undefined,
    advice: { action: "balance", why: "the groups are unequally noisy" },
  });
}

export function manyClasses(count) {
  const classes = Array.from({ length: count }, (_, i) => `species ${i}`);
  const rates = classes.map(
    (_, i) => 0.05 + (0.3 * ((i * 37) % count)) / count,
  );
  const matrix = (keep) =>
    classes.map((_, i) =>
      classes.map((_, j) => (i === j ? 1 - keep[i] : keep[i] / (count - 1))),
    );
  const most = Math.max(...rates);
  return twoClasses({
    classes,
    positive: classes[0],
    prior: classes.map(() => 1 / count),
    class_rows: undefined,
    agreement: undefined,
    transition: matrix(rates),
    noise: classes.map((name, i) => ({
      class: name,
      rate: rates[i],
      low: rates[i] - 0.01,
      high: rates[i] + 0.01,
    })),
    estimates: { auto: rates, curve: rates.map((rate) => rate + 0.01) },
    gap: { value: 0.29, low: 0.2, high: 0.3, p_value: 1e-9 },
    findings: [
      CONDITION,
      finding(
        "difference",
        "classes",
        "Classes: a difference found",
        `Class '${classes[rates.indexOf(most)]}' is noisier than 'species 0'; the highest and the lowest rate are 29.0 points apart (95 % interval 20.0 to 30.0, p < 0.0001).`,
        { gap: 0.29, low: 0.2, high: 0.3, p_value: 1e-9 },
      ),
      balancing(
        "To balance: flip 20.0 % of the labels; every rate is then 34.0 %.",
      ),
    ],
    noisier: classes[rates.indexOf(most)],
    cleaner: classes[0],
    claims: [{ noisier: classes[rates.indexOf(most)], cleaner: classes[0] }],
    plan: [
      {
        group: null,
        flip: matrix(rates.map((rate) => (most - rate) / (1 - rate))),
      },
    ],
  });
}

// Probabilities rise with the position; the row numbers are all different and in no order.
export function suspects(count, columns, more = () => ({})) {
  const rows = Array.from({ length: count }, (_, i) => ({
    row: ((i * 7919) % 100003) + 1,
    given: i % 2,
    suggested: 1 - (i % 2),
    probability: (i + 1) / (2 * count),
    neighbours: Array.from({ length: 10 }, (_, n) =>
      n < i % 11 ? 1 - (i % 2) : i % 2,
    ),
    values: Array.from({ length: columns }, (_, c) =>
      c === 0 ? String((i * 31) % 97) : `value ${c} ${i % (c + 2)}`,
    ),
    ...more(i),
  }));
  return {
    judged: 10000,
    unlikely: 812,
    columns: Array.from({ length: columns }, (_, c) => `column ${c}`),
    columns_left_out: 0,
    rows,
  };
}

const part = (accuracy, tpr, fpr) => ({
  rows: 500,
  accuracy,
  accuracy_interval: [accuracy - 0.02, accuracy + 0.02],
  tpr,
  tpr_interval: [tpr - 0.03, tpr + 0.03],
  fpr,
  fpr_interval: [fpr - 0.02, fpr + 0.02],
  positive_rate: 0.3,
  positive_rate_interval: [0.28, 0.32],
  confusion: [
    [200, 50],
    [60, 190],
  ],
});

export function evaluation(accuracy, violation) {
  return {
    version: "0.1.0",
    classes: ["no", "yes"],
    positive: "yes",
    ...part(accuracy, 0.8, 0.1),
    warnings: [],
    groups: [
      { group: "north", ...part(accuracy, 0.75, 0.12) },
      { group: "south", ...part(accuracy, 0.75 + violation, 0.1) },
    ],
    equalized_odds_violation: violation,
    equalized_odds_violation_interval: [violation - 0.01, violation + 0.01],
    demographic_parity_violation: 0.02,
    demographic_parity_violation_interval: null,
    error_parity_violation: 0.03,
    error_parity_violation_interval: [0.01, 0.05],
  };
}

export function training() {
  const group = (name, tpr) => ({
    group: name,
    rows: 5000,
    base_rate: 0.4,
    tpr,
    tpr_spread: 0.02,
    fpr: 0.1,
    fpr_spread: 0.01,
  });
  return {
    version: "0.1.0",
    label: "approved",
    rows: 10000,
    features: 5,
    classes: ["no", "yes"],
    model: "linear",
    loss: "peer",
    transition: [
      [0.9, 0.1],
      [0.3, 0.7],
    ],
    transition_from: "auto",
    alpha: 0.5,
    alphas: [
      { alpha: 0, accuracy: 0.7 },
      { alpha: 0.5, accuracy: 0.71 },
    ],
    fair: {
      constraint: "equalized-odds",
      tolerance: 0.01,
      judged_by: "given labels",
      why: "labels are taken as given",
      groups: [group("north", 0.7), group("south", 0.72)],
      violation: 0.02,
      error: 0.25,
      unconstrained_error: 0.22,
      shares: [0.6, 0.4],
      rounds: 7,
      models_trained: 9,
      folds: 0,
      converged: true,
    },
    converged: true,
    noisy_accuracy: 0.75,
    held_out_accuracy: null,
    warnings: [],
    seconds: 1.5,
  };
}
