/** avg_bucket and its kin, and percentiles_bucket: metrics over the buckets of a sibling. */
import { exactSum } from '../exact.ts'
import { oneOf, type PlainSibling, type Printed, sometimes } from '../kind.ts'
import { momentsOf, spreadOf } from '../metric/number-metrics.ts'
import { doubleText } from '../text.ts'

function sibling(
  answer: (values: readonly number[], names: readonly string[]) => Printed,
): PlainSibling {
  return {
    stands: 'beside',
    draw: () => ({}),
    answer: (_body, values, names) => answer(values, names),
  }
}

/** The best value with the names of all buckets that have it. */
function extreme(best: (a: number, b: number) => number): PlainSibling {
  return sibling((values, names) => {
    if (values.length === 0) return { value: null, keys: [] }
    const value = values.reduce((a, b) => best(a, b))
    return { value, keys: names.filter((_, i) => values[i] === value) }
  })
}

interface PercentilesBody {
  readonly percents?: readonly number[]
  readonly keyed?: boolean
}

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99]

/** The kinds by name. */
export const SIBLINGS = {
  avg_bucket: sibling(values => ({ value: momentsOf(values).avg })),
  sum_bucket: sibling(values => ({ value: exactSum(values) })),
  min_bucket: extreme(Math.min),
  max_bucket: extreme(Math.max),
  stats_bucket: sibling(values => ({ ...momentsOf(values) })),
  extended_stats_bucket: {
    stands: 'beside',
    draw: random => sometimes(random, 2, { sigma: random.below(4) }),
    answer: ({ sigma = 2 }, values) => ({ ...momentsOf(values), ...spreadOf(values, sigma) }),
  } satisfies PlainSibling<{ readonly sigma?: number }>,
  percentiles_bucket: {
    stands: 'beside',
    draw: random => ({
      ...sometimes(random, 2, { percents: oneOf(random, [[50], [0, 33.3, 100]]) }),
      ...sometimes(random, 3, { keyed: false }),
    }),
    answer({ percents = DEFAULT_PERCENTS, keyed = true }, values) {
      const sorted = [...Float64Array.from(values).sort()]
      const at = (percent: number): number | null =>
        sorted[Math.round((percent / 100) * (sorted.length - 1))] ?? null
      return {
        values: keyed
          ? Object.fromEntries(percents.map(percent => [doubleText(percent), at(percent)]))
          : percents.map(percent => ({ key: percent, value: at(percent) })),
      }
    },
  } satisfies PlainSibling<PercentilesBody>,
}
