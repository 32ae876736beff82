/** derivative, cumulative_sum, serial_diff, moving_fn and bucket_sort: what buckets get from others. */
import type { Random } from '../../../../src/util/random.ts'
import { numberAt } from '../bucket/bucket-order.ts'
import { type NamedBucket, oneOf, type PlainParent, type Printed, sometimes } from '../kind.ts'

type GapPolicy = 'skip' | 'insert_zeros'

/** The keys of pipelines that read one path. */
interface PathBody {
  readonly buckets_path: string
  readonly gap_policy?: GapPolicy
}

/** Whether a path leads anywhere: some pipelines give some buckets nothing. */
function leadsTo(bucket: Printed, path: string): boolean {
  return path === '_count' || path.split(/[>.]/)[0]! in bucket
}

/** The number of a bucket; NaN: it has none, and is passed over. */
export function bucketNumber(bucket: Printed, path: string, policy: GapPolicy = 'skip'): number {
  if (!leadsTo(bucket, path)) return Number.NaN
  const value = numberAt(bucket, path)
  const isGap = Number.isNaN(value) || (bucket['doc_count'] === 0 && path !== '_count')
  return !isGap ? value : policy === 'skip' ? Number.NaN : 0
}

function pathBody(random: Random, paths: readonly string[]): PathBody {
  const gap_policy = oneOf<GapPolicy>(random, ['skip', 'insert_zeros'])
  return { buckets_path: oneOf(random, paths), ...sometimes(random, 3, { gap_policy }) }
}

/** A pipeline that adds a result to buckets; `undefined` adds none. */
function adding<B extends PathBody>(
  draw: (random: Random) => Omit<B, keyof PathBody>,
  results: (
    body: B,
    values: readonly number[],
    buckets: readonly Printed[],
  ) => readonly (Printed | undefined)[],
): PlainParent<B> {
  return {
    stands: 'within',
    needsHistogram: true,
    draw: (random, paths) => ({ ...pathBody(random, paths), ...draw(random) }) as B,
    apply(body, name, buckets) {
      const printed = buckets.map(bucket => bucket.printed)
      const values = printed.map(each => bucketNumber(each, body.buckets_path, body.gap_policy))
      return results(body, values, printed).map((result, i) => {
        const bucket = buckets[i]!
        if (result === undefined) return bucket
        return { name: bucket.name, printed: { ...bucket.printed, [name]: result } }
      })
    },
  }
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

interface DerivativeBody extends PathBody {
  readonly unit?: 'day'
}

interface SerialBody extends PathBody {
  readonly lag?: number
}

interface MovingBody extends PathBody {
  readonly window: number
  readonly shift?: number
  readonly script: string
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** What the functions of windows give for values, at least one. */
const MOVING: Readonly<Record<string, (values: readonly number[]) => number>> = {
  'max(values)': values => Math.max(...values),
  'min(values)': values => Math.min(...values),
  'unweightedAvg(values)': mean,
  'stdDev(values, MovingFunctions.unweightedAvg(values))': values => {
    const middle = mean(values)
    return Math.sqrt(mean(values.map(value => (value - middle) ** 2)))
  },
  'linearWeightedAvg(values)': values =>
    values.reduce((sum, value, i) => sum + value * (i + 1), 0) /
    values.reduce((sum, _, i) => sum + i + 1, 1),
  'ewma(values, 0.5)': values => values.reduce((last, value) => value * 0.5 + last * 0.5),
}

interface SortBody {
  readonly sort?: readonly Readonly<Record<string, { readonly order: 'asc' | 'desc' }>>[]
  readonly from?: number
  readonly size?: number
}

const bucketSort: PlainParent<SortBody> = {
  stands: 'within',
  needsHistogram: false,
  draw: (random, paths) => ({
    ...(random.below(4) === 0
      ? { from: 1 }
      : { sort: [{ [oneOf(random, paths)]: { order: oneOf(random, ['asc', 'desc'] as const) } }] }),
    ...sometimes(random, 2, { from: random.below(2) }),
    ...sometimes(random, 2, { size: 1 + random.below(3) }),
  }),
  apply({ sort, from = 0, size = Number.POSITIVE_INFINITY }, _name, buckets) {
    const [path, direction] = Object.entries(sort?.[0] ?? {})[0] ?? []
    if (path === undefined) return buckets.slice(from, from + size)
    const sign = direction!.order === 'asc' ? 1 : -1
    const number = ({ printed }: NamedBucket): number => bucketNumber(printed, path)
    return buckets
      .filter(bucket => !Number.isNaN(number(bucket)))
      .sort((a, b) => sign * (number(a) - number(b)))
      .slice(from, from + size)
  },
}

/** The kinds by name. */
export const PARENTS = {
  derivative: adding<DerivativeBody>(
    random => sometimes(random, 3, { unit: 'day' }),
    ({ unit, buckets_path: path }, values, buckets) =>
      values.map((value, i) => {
        const [before, own] = [buckets[i - 1], buckets[i]!]
        if (before === undefined || !leadsTo(before, path) || !leadsTo(own, path)) return undefined
        const difference = value - values[i - 1]!
        const days = (Number(own['key']) - Number(before['key'])) / 86_400_000
        return {
          value: orNull(difference),
          ...(unit === undefined ? {} : { normalized_value: orNull(difference / days) }),
        }
      }),
  ),
  cumulative_sum: adding<PathBody>(
    () => ({}),
    (_body, values) => {
      let sum = 0
      return values.map(value => {
        if (!Number.isNaN(value)) sum += value
        return { value: sum }
      })
    },
  ),
  serial_diff: adding<SerialBody>(
    random => sometimes(random, 2, { lag: 1 + random.below(3) }),
    ({ lag = 1 }, values) =>
      values.map((value, i) => {
        const difference = value - (values[i - lag] ?? Number.NaN)
        return Number.isNaN(difference) ? undefined : { value: difference }
      }),
  ),
  moving_fn: adding<MovingBody>(
    random => ({
      window: 1 + random.below(4),
      script: `MovingFunctions.${oneOf(random, Object.keys(MOVING))}`,
      ...sometimes(random, 2, { shift: random.below(3) - 1 }),
    }),
    ({ window, shift = 0, script }, values) => {
      const present = values.filter(value => !Number.isNaN(value))
      const compute = MOVING[script.replace('MovingFunctions.', '')]!
      let index = 0
      return values.map(value => {
        if (Number.isNaN(value)) return undefined
        const from = Math.max(0, index - window + shift)
        const within = present.slice(from, Math.max(0, index + shift))
        index++
        return { value: within.length === 0 ? null : orNull(compute(within)) }
      })
    },
  ),
  bucket_sort: bucketSort,
}
