// Round numbers on axes.

export interface Axis {
  low: number;
  high: number;
  ticks: number[];
}

function roundStep(length: number, parts: number): number {
  const rough = length / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

// An axis that holds [low, high] and ends at ticks.
export function axisOf(low: number, high: number, parts = 4): Axis {
  const length = high - low > 0 ? high - low : 1;
  const step = roundStep(length, parts);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const ticks: number[] = [];
  for (let i = first; i <= last; ++i) ticks.push(Number((i * step).toPrecision(12)));
  return { low: ticks[0], high: ticks[ticks.length - 1], ticks };
}

// Of shares, from 0 and never beyond 1.
export function shareAxis(highest: number, parts = 4): Axis {
  const axis = axisOf(0, Math.max(highest, 0.004), parts);
  if (axis.high <= 1) return axis;
  return { low: 0, high: 1, ticks: axis.ticks.filter((tick) => tick <= 1) };
}

export function along(axis: Axis, value: number): number {
  return Math.min(1, Math.max(0, (value - axis.low) / (axis.high - axis.low)));
}
