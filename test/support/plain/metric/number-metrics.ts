/** avg, sum, min, max, stats and extended_stats. */
import { exactSum } from '../exact.ts'
import { oneOf, type PlainKind, type Printed, type Spot, sometimes } from '../kind.ts'
import { type Field, fieldsOf, numbersOf, type Row, typeOf, type ValueType } from '../row.ts'
import { printedValue, shownText } from '../text.ts'

/** The body of a metric over numbers. */
export interface NumberBody {
  readonly field: Field
  readonly missing?: number
}

/** A field of numbers of some types, and sometimes a number for rows without one. */
export function numberBody(
  { random, path }: Spot,
  types: readonly ValueType[] = ['long', 'double', 'boolean', 'date'],
): NumberBody {
  const field = random.below(40) === 0 ? 'u' : oneOf(random, fieldsOf(path, ...types))
  const isPlain = field !== 'u' && (typeOf(field) === 'long' || typeOf(field) === 'double')
  return { field, ...(isPlain ? sometimes(random, 4, { missing: 3 }) : {}) }
}

/** The numbers of rows, ascending. */
export function sortedNumbers(body: NumberBody, rows: readonly Row[]): number[] {
  return [...Float64Array.from(rows.flatMap(row => numbersOf(row, body))).sort()]
}

interface Moments {
  readonly count: number
  readonly min: number | null
  readonly max: number | null
  readonly avg: number | null
  readonly sum: number
}

/** The keys of `stats` over numbers. */
export function momentsOf(numbers: readonly number[]): Moments {
  const count = numbers.length
  const sum = exactSum(numbers)
  const isEmpty = count === 0
  return {
    count,
    min: isEmpty ? null : numbers.reduce((a, b) => Math.min(a, b)),
    max: isEmpty ? null : numbers.reduce((a, b) => Math.max(a, b)),
    avg: isEmpty ? null : sum / count,
    sum,
  }
}

function single(name: 'avg' | 'sum' | 'min' | 'max'): PlainKind<NumberBody> {
  return {
    buckets: 'none',
    draw: numberBody,
    answer(body, rows) {
      return printedValue(typeOf(body.field), momentsOf(sortedNumbers(body, rows))[name])
    },
  }
}

/** `stats`, with texts where its type has them. */
function statsOf(body: NumberBody, numbers: readonly number[]): Printed {
  const moments = momentsOf(numbers)
  const type = typeOf(body.field)
  if (moments.count === 0 || shownText(type, 0) === undefined) return { ...moments }
  return {
    ...moments,
    min_as_string: shownText(type, moments.min!),
    max_as_string: shownText(type, moments.max!),
    avg_as_string: shownText(type, moments.avg!),
    sum_as_string: shownText(type, moments.sum),
  }
}

interface ExtendedBody extends NumberBody {
  readonly sigma?: number
}

const SPREADS = [
  'variance',
  'variance_population',
  'variance_sampling',
  'std_deviation',
  'std_deviation_population',
  'std_deviation_sampling',
] as const

const BOUNDS = [
  'upper',
  'lower',
  'upper_population',
  'lower_population',
  'upper_sampling',
  'lower_sampling',
] as const

/** The keys of `extended_stats` behind those of `stats`. */
export function spreadOf(numbers: readonly number[], sigma: number): Printed {
  const { count, sum, avg } = momentsOf(numbers)
  if (count === 0)
    return {
      sum_of_squares: null,
      ...Object.fromEntries(SPREADS.map(name => [name, null])),
      std_deviation_bounds: Object.fromEntries(BOUNDS.map(name => [name, null])),
    }
  const squares = exactSum(numbers.map(value => value * value))
  const spread = squares - (sum * sum) / count
  const population = Math.max(0, spread / count)
  const sampling = Math.max(0, spread / (count - 1))
  const variance = (name: string): number => (name.endsWith('sampling') ? sampling : population)
  const raw = (value: number): number | string => (Number.isNaN(value) ? 'NaN' : value)
  return {
    sum_of_squares: squares,
    ...Object.fromEntries(
      SPREADS.map(name => [
        name,
        raw(name.startsWith('std') ? Math.sqrt(variance(name)) : variance(name)),
      ]),
    ),
    std_deviation_bounds: Object.fromEntries(
      BOUNDS.map(name => {
        const width = sigma * Math.sqrt(variance(name))
        return [name, raw(name.startsWith('upper') ? avg! + width : avg! - width)]
      }),
    ),
  }
}

/** The kinds by name. */
export const NUMBER_METRICS = {
  avg: single('avg'),
  sum: single('sum'),
  min: single('min'),
  max: single('max'),
  stats: {
    buckets: 'none',
    draw: numberBody,
    answer: (body, rows) => statsOf(body, sortedNumbers(body, rows)),
  } satisfies PlainKind<NumberBody>,
  extended_stats: {
    buckets: 'none',
    draw: spot => ({
      ...numberBody(spot, ['long', 'double']),
      ...sometimes(spot.random, 3, { sigma: oneOf(spot.random, [0, 1, 3.5]) }),
    }),
    answer(body, rows) {
      const numbers = sortedNumbers(body, rows)
      return { ...statsOf(body, numbers), ...spreadOf(numbers, body.sigma ?? 2) }
    },
  } satisfies PlainKind<ExtendedBody>,
}
