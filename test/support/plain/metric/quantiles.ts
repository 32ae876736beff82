/** percentiles and percentile_ranks of both methods, and median_absolute_deviation. */
import { oneOf, type PlainKind, type Printed, type Spot, sometimes } from '../kind.ts'
import { typeOf, type ValueType } from '../row.ts'
import { doubleText, printedValue, shownText } from '../text.ts'
import { type NumberBody, numberBody, sortedNumbers } from './number-metrics.ts'

interface QuantileBody extends NumberBody {
  readonly percents?: readonly number[]
  readonly values?: readonly number[]
  readonly keyed?: boolean
  readonly hdr?: { readonly number_of_significant_value_digits: number }
  readonly tdigest?: { readonly compression: number }
}

/** The value at a share of sorted ones; null without any. */
function atShare(sorted: readonly number[], share: number): number | null {
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length))
  return sorted.length === 0 ? null : sorted[at]!
}

/** Cells of values that share their leading digits. */
class DigitCells {
  readonly #sorted: readonly number[]
  readonly #half: number
  readonly #unit: number

  constructor(sorted: readonly number[], digits: number) {
    this.#sorted = sorted
    this.#half = 2 ** Math.ceil(Math.log2(2 * 10 ** digits)) / 2
    const lowest = sorted.find(value => value > 0)
    this.#unit = lowest === undefined ? 1 : 2 ** Math.floor(Math.log2(lowest)) / this.#half
  }

  percentile(percent: number): number | null {
    if (this.#sorted.length === 0) return null
    const rank = Math.max(1, Math.ceil((percent / 100) * this.#sorted.length))
    const { start, width } = this.#cell(this.#sorted[rank - 1]!)
    return start + width - this.#unit
  }

  percentBelow(value: number): number | null {
    if (this.#sorted.length === 0) return null
    const { start, width } = this.#cell(value)
    const below = this.#sorted.filter(each => each < start + width)
    return (100 * below.length) / this.#sorted.length
  }

  #cell(value: number): { readonly start: number; readonly width: number } {
    const units = value / this.#unit
    const doublings =
      units < 1 ? 0 : Math.max(0, Math.floor(Math.log2(units)) - Math.log2(this.#half))
    const width = this.#unit * 2 ** doublings
    return { start: Math.floor(value / width) * width, width }
  }
}

function rankOf(sorted: readonly number[], value: number): number | null {
  if (sorted.length === 0) return null
  const below = sorted.filter(each => each < value).length
  const equal = sorted.filter(each => each === value).length
  return (100 * (below + equal / 2)) / sorted.length
}

function draw(spot: Spot, list: object, types: readonly ValueType[]): QuantileBody {
  const { random, path } = spot
  const keyed = sometimes(random, 2, { keyed: random.below(2) === 0 })
  // Cells have no negative values, and all of these have one digit.
  if (random.below(3) === 0) {
    const field = path === '' ? 'w' : path === 'a' ? 'a.y' : 'a.c.z'
    const digits = { number_of_significant_value_digits: 1 + random.below(4) }
    return { field, ...list, ...keyed, hdr: digits }
  }
  const digest = sometimes(random, 3, { tdigest: { compression: oneOf(random, [100, 300]) } })
  return { ...numberBody(spot, types), ...list, ...keyed, ...digest }
}

function printed(
  body: QuantileBody,
  keys: readonly number[],
  type: ValueType,
  answer: (key: number) => number | null,
): Printed {
  const sorted = [...keys].sort((a, b) => a - b)
  if (body.keyed === false)
    return { values: sorted.map(key => ({ key, ...printedValue(type, answer(key)) })) }
  const values: Record<string, unknown> = {}
  for (const key of sorted) {
    const value = answer(key)
    const text = value === null ? undefined : shownText(type, value)
    values[doubleText(key)] = value
    if (text !== undefined) values[`${doubleText(key)}_as_string`] = text
  }
  return { values }
}

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99]

/** `percentiles`. */
export const percentiles: PlainKind<QuantileBody> = {
  buckets: 'none',
  draw(spot) {
    const list = oneOf(spot.random, [{}, { percents: [50] }, { percents: [99, 0, 12.5] }])
    return draw(spot, list, ['long', 'double', 'date'])
  },
  answer(body, rows) {
    const sorted = sortedNumbers(body, rows)
    const digits = body.hdr?.number_of_significant_value_digits
    const cells = digits === undefined ? null : new DigitCells(sorted, digits)
    return printed(body, body.percents ?? DEFAULT_PERCENTS, typeOf(body.field), percent =>
      cells === null ? atShare(sorted, percent / 100) : cells.percentile(percent),
    )
  },
}

/** `percentile_ranks`. */
export const percentileRanks: PlainKind<QuantileBody> = {
  buckets: 'none',
  draw: spot => draw(spot, { values: [spot.random.below(6), 2.5] }, ['long', 'double']),
  answer(body, rows) {
    const sorted = sortedNumbers(body, rows)
    const digits = body.hdr?.number_of_significant_value_digits
    const cells = digits === undefined ? null : new DigitCells(sorted, digits)
    return printed(body, body.values!, 'double', value =>
      cells === null ? rankOf(sorted, value) : cells.percentBelow(value),
    )
  },
}

/** `median_absolute_deviation`. */
export const medianAbsoluteDeviation: PlainKind<NumberBody> = {
  buckets: 'none',
  draw: spot => numberBody(spot, ['long', 'double']),
  answer(body, rows) {
    const sorted = sortedNumbers(body, rows)
    const median = atShare(sorted, 0.5)
    if (median === null) return { value: null }
    const distances = Float64Array.from(sorted, value => Math.abs(value - median)).sort()
    return { value: atShare([...distances], 0.5) }
  },
}
