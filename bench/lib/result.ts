/** One measured line of a bench. */
export interface BenchResult {
  /** `group/case`. */
  readonly name: string
  readonly unit: string
  readonly min: number
  readonly median: number
  readonly rounds: number
  /** Baseline of the same run that this is held against, and how many times better this is. */
  readonly against?: { readonly name: string; readonly ratio: number }
  /** The mark to reach, as it is worded in the table, and whether the minimum reaches it. */
  readonly mark?: { readonly text: string; readonly isReached: boolean }
}

/** What a bench file exports: it measures and returns its lines. */
export interface Bench {
  readonly name: string
  run(options: BenchOptions): Promise<readonly BenchResult[]>
}

export interface BenchOptions {
  /** Rounds of each case, interleaved; at least 7 for figures that are quoted. */
  readonly rounds: number
  /** Corpus of the macro benches. */
  readonly corpus: string
  /** A line for whoever waits. */
  readonly say: (line: string) => void
}

/** The line of a list of readings. */
export function resultOf(
  name: string,
  unit: string,
  readings: readonly number[],
  more: Pick<BenchResult, 'against' | 'mark'> = {},
): BenchResult {
  const sorted = [...readings].sort((a, b) => a - b)
  const median = sorted[sorted.length >> 1] ?? Number.NaN
  return { name, unit, min: sorted[0] ?? Number.NaN, median, rounds: sorted.length, ...more }
}

/** A mark that the minimum must not pass. */
export function atMost(
  value: number,
  mark: number,
  unit: string,
): NonNullable<BenchResult['mark']> {
  return { text: `≤ ${mark} ${unit}`, isReached: value <= mark }
}

/** A mark that the best reading must reach. */
export function atLeast(
  value: number,
  mark: number,
  unit: string,
): NonNullable<BenchResult['mark']> {
  return { text: `≥ ${mark} ${unit}`, isReached: value >= mark }
}
