/** Figures of a list of readings, in the unit of the readings. */
export interface Figures {
  readonly count: number
  readonly mean: number
  readonly least: number
  readonly lowerQuartile: number
  readonly median: number
  readonly upperQuartile: number
  /** The 99th percentile: the largest reading of up to a hundred. */
  readonly p99: number
  readonly most: number
}

/** @param readings at least one */
export function figuresOf(readings: readonly number[]): Figures {
  const sorted = [...readings].sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    least: sorted[0] ?? Number.NaN,
    lowerQuartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    p99: at(0.99),
    most: sorted[sorted.length - 1] ?? Number.NaN,
  }
}
