/** The generated table that aggregations are measured over. */
import { Random } from '../../dist/util/random.js'

/** A row of the table. */
export interface TableRow {
  /** Keys of 10, 1,000 and 100,000 of a kind. */
  readonly k10: string
  readonly k1000: string
  readonly k100000: string
  /** None to five of fifty, 2.4 at the mean. */
  readonly tags: readonly string[]
  /** Whole, below a million. */
  readonly n: number
  /** Hundredths, below a thousand. */
  readonly d: number
  /** A time within one year, milliseconds since 1970. */
  readonly t: number
  /** Below 100: queries pick a share of the rows by it. */
  readonly p: number
}

const YEAR_IN_MILLIS = 31_536_000_000
const START = 1_700_000_000_000
const SEED = 17

/** The first rows of the table, always the same. */
export function* tableRows(count: number): Generator<TableRow> {
  const random = new Random(SEED)
  for (let i = 0; i < count; i++) {
    const drawn = Array.from({ length: random.below(6) }, () => `tag ${random.below(50)}`)
    yield {
      k10: `key ${random.below(10)}`,
      k1000: `key ${random.below(1000)}`,
      k100000: `key ${random.below(100_000)}`,
      tags: [...new Set(drawn)],
      n: random.below(1_000_000),
      d: random.below(100_000) / 100,
      t: START + Math.floor(random.next() * YEAR_IN_MILLIS),
      p: random.below(100),
    }
  }
}
