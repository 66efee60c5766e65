// What the program's JSON says (docs/audit.schema.json, docs/evaluate.schema.json), as far as the
// page looks at it. What is optional here may be missing, and the page does without.

export type Matrix = number[][];
export type Interval = [number, number] | null;

export interface Rate {
  class: string;
  rate: number;
  low: number;
  high: number;
  upper_bound?: boolean;
}

export interface Gap {
  value: number;
  low: number;
  high: number;
  p_value: number;
}

// One result of an audit, in the program's words.
export interface Finding {
  id: string;
  severity: "info" | "notice" | "warning";
  subject: "labels" | "rows" | "classes" | "groups";
  title: string;
  text: string;
  numbers: Record<string, number>;
}

export interface Pair {
  noisier: string;
  cleaner: string;
}

// The same class in two groups.
export interface ClassClaim {
  class: string;
  noisier: string;
  cleaner: string;
}

export interface BeyondClass {
  differs: boolean;
  p_value: number;
  claims: ClassClaim[];
}

export interface Group {
  group: string;
  rows: number;
  rate: number;
  low: number;
  high: number;
  upper_bound?: boolean;
  identified: boolean;
  prior: number[];
  noise: Rate[];
  symmetric_rate?: { rate: number; low: number; high: number };
  transition?: Matrix;
  noisier: string | null;
  cleaner: string | null;
  leans: string | null;
  too_small?: string;
  class_rows?: number[];
}

export interface Flip {
  group: string | null;
  flip: Matrix;
  rebuilt?: boolean; // from the shares that are flipped, the matrix being too large for a page
}

export interface Confusion {
  clean: number;
  given: number;
  share: number;
}

export interface Suspect {
  row: number;
  given: number;
  suggested: number;
  probability: number;
  group?: number;
  neighbours?: number[];
  values?: string[];
  pixels?: string;
}

export interface Suspects {
  judged?: number;
  unlikely?: number;
  columns?: string[];
  columns_left_out?: number;
  rows_left_out?: number;
  image?: { width: number; height: number };
  rows: Suspect[];
}

export interface Clusterability {
  disagreement: number;
  disagreement_limit: number;
  mixed: number;
  mixed_limit: number;
  distinct: number;
  distinct_limit: number;
}

export interface Agreement {
  flipped: string;
  epsilon: number[];
  gap: (number | null)[];
}

export interface PaperPart {
  name: string;
  agreement: number | null;
  epsilon: number;
  steps: number;
  successful: boolean;
}

export type Scope = "class" | "group" | "class-in-group";

interface Gain {
  value: number;
  low: number;
  high: number;
}

// What to do next, and what each route gained where they were tried.
export interface Advice {
  action: string;
  why: string;
  balance_bound?: number;
  correct_bound?: number;
  expected_gain?: Gain;
  comparison?: {
    model: string;
    rows: number;
    judged_by: string;
    gains: (Gain & { action: string })[];
  };
  rows_to_fix?: number;
}

export interface Audit {
  version: string;
  label: string;
  rows: number;
  missing_labels?: number; // rows that were left out
  features: number;
  classes: string[];
  positive: string;
  estimator: string;
  mode?: "dense" | "overlap";
  reason?: string;
  estimates: Record<string, number[]>;
  k: number;
  metric: string;
  anchors: number;
  identified: boolean;
  giveaway?: { kind: string; columns: string[]; share: number; text: string; rule?: string };
  findings: Finding[]; // the most general first
  row_probabilities?: "calibrated" | "ranking";
  prior: number[];
  noise: Rate[];
  transition?: Matrix;
  confusions?: Confusion[];
  gap: Gap;
  noisier: string | null;
  cleaner: string | null;
  leans: string | null;
  claims: Pair[];
  claims_total?: number; // where not all are listed
  groups: Group[];
  groups_left_out?: number;
  group_by?: string;
  noisier_group: string | null;
  cleaner_group: string | null;
  leans_group?: string | null;
  group_gap?: Gap;
  beyond_class?: BeyondClass;
  group_claims?: Pair[];
  group_claims_total?: number;
  scope: Scope;
  plan: Flip[];
  plan_left_out?: boolean;
  forced?: Flip[];
  flipped?: Record<string, number>;
  paper?: { successful: boolean; noisiest: string | null; parts: PaperPart[] };
  conditioning: number;
  warnings: string[];
  advice: Advice;
  seconds: Record<string, number>;
  class_rows?: number[];
  clusterability?: Clusterability;
  agreement?: Agreement;
  suspects?: Suspects;
}

// Beside these keys a group has the rates that the constraint compares, each with its spread:
// "tpr", "tpr_spread" and so on.
export interface FairGroup {
  group: string;
  rows: number;
  base_rate: number;
  negative_noise?: number;
  positive_noise?: number;
  [rate: string]: string | number | undefined;
}

export interface Fair {
  constraint: string;
  tolerance: number;
  judged_by: string;
  why: string;
  groups: FairGroup[];
  violation: number;
  unconstrained_violation?: number;
  error: number;
  unconstrained_error: number;
  shares: number[];
  rounds: number;
  models_trained: number;
  folds: number;
  converged: boolean;
}

export interface Training {
  version: string;
  label: string;
  rows: number;
  features: number;
  classes: string[];
  model: string;
  loss: string;
  transition?: Matrix;
  confusions?: Confusion[];
  transition_from?: string;
  alpha?: number;
  alphas?: { alpha: number; accuracy: number }[];
  groups?: { group: string; delta: number }[];
  balanced?: {
    scope: string;
    estimator: string;
    flipped: Record<string, number>;
    groups: { group: string; rate: number; low: number; high: number; identified?: boolean }[];
  };
  fair?: Fair;
  steps?: number;
  converged: boolean;
  noisy_accuracy: number;
  held_out_accuracy: number | null;
  warnings: string[];
  seconds: number;
}

export type Measure = "accuracy" | "tpr" | "fpr" | "positive_rate";

export type Quality = { rows: number; confusion?: Matrix; confusions?: Confusion[] } & Record<
  Measure,
  number | null
> &
  Record<`${Measure}_interval`, Interval>;

export type Violation =
  "equalized_odds_violation" | "demographic_parity_violation" | "error_parity_violation";

export interface CleanRates {
  groups: {
    group: string;
    negative_noise: number;
    positive_noise: number;
    base_rate: number;
    tpr: number | null;
    tpr_interval: Interval;
    fpr: number | null;
    fpr_interval: Interval;
  }[];
  equalized_odds_violation: number | null;
  equalized_odds_violation_interval: Interval;
  violation_bound: number | null;
}

export type Evaluation = Quality & {
  version: string;
  classes: string[];
  positive: string;
  groups: (Quality & { group: string })[];
  groups_left_out?: number;
  clean?: CleanRates;
  warnings: string[];
} & Record<Violation, number | null> &
  Record<`${Violation}_interval`, Interval>;

export type Document =
  | { kind: "audit"; name: string; report: Audit }
  | { kind: "training"; name: string; report: Training }
  | { kind: "evaluation"; name: string; report: Evaluation };

// Where the page comes from, as far as whoever made it said so.
export interface Origin {
  file?: string;
  date?: string;
  command?: string;
}

export interface PageData {
  version: string;
  title: string;
  origin?: Origin;
  documents: Document[];
}
