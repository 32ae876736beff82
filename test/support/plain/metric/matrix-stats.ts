import { Near } from '../difference.ts'
import { oneOf, type PlainKind, type Printed, sometimes } from '../kind.ts'
import { type Field, numbersOf } from '../row.ts'

interface Body {
  readonly fields: readonly Field[]
  readonly mode?: 'avg' | 'min' | 'max' | 'sum' | 'median'
  readonly missing?: { readonly [F in Field]?: number }
}

/** `matrix_stats`. */
export const matrixStats: PlainKind<Body> = {
  buckets: 'none',
  fits: ({ path }) => path === '',
  draw: ({ random }) => ({
    fields: oneOf<readonly Field[]>(random, [['d'], ['d', 'w'], ['w', 'n', 'd'], ['n']]),
    ...sometimes(random, 2, {
      mode: oneOf(random, ['avg', 'min', 'max', 'sum', 'median'] as const),
    }),
    ...sometimes(random, 3, { missing: { w: 3 } }),
  }),
  answer({ fields, mode = 'avg', missing = {} }, rows) {
    const columns = fields.map((): number[] => [])
    for (const row of rows) {
      const numbers = fields.map(field => {
        const fill = missing[field]
        return numbersOf(row, fill === undefined ? { field } : { field, missing: fill })
      })
      if (numbers.some(({ length }) => length === 0)) continue
      for (const [i, values] of numbers.entries()) columns[i]!.push(oneNumber(values, mode))
    }
    return momentsOf([...fields], columns)
  },
}

/** The number that stands for several. */
function oneNumber(values: readonly number[], mode: NonNullable<Body['mode']>): number {
  const sorted = [...values].sort((a, b) => a - b)
  const sum = sorted.reduce((a, b) => a + b, 0)
  switch (mode) {
    case 'avg':
      return sum / sorted.length
    case 'sum':
      return sum
    case 'min':
      return sorted[0]!
    case 'max':
      return sorted.at(-1)!
    case 'median': {
      const middle = sorted.length >> 1
      return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
    }
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The moments of columns of equal length, around their means. */
function momentsOf(names: readonly string[], columns: readonly (readonly number[])[]): Printed {
  const count = columns[0]!.length
  if (count === 0) return { doc_count: 0 }
  const deviations = columns.map(values => {
    const middle = mean(values)
    return values.map(value => value - middle)
  })
  const power = (i: number, exponent: number): number =>
    mean(deviations[i]!.map(value => value ** exponent))
  const covariance = (i: number, k: number): number =>
    deviations[i]!.reduce((sum, value, row) => sum + value * deviations[k]![row]!, 0) / (count - 1)
  const byName = (value: (k: number) => number): Printed =>
    Object.fromEntries(names.map((name, k) => [name, new Near(value(k))]))
  return {
    doc_count: count,
    fields: names.map((name, i) => ({
      name,
      count,
      mean: new Near(mean(columns[i]!)),
      variance: new Near(covariance(i, i)),
      skewness: new Near(power(i, 3) / power(i, 2) ** 1.5),
      kurtosis: new Near(power(i, 4) / power(i, 2) ** 2),
      covariance: byName(k => covariance(i, k)),
      correlation: byName(k =>
        i === k ? 1 : covariance(i, k) / Math.sqrt(covariance(i, i) * covariance(k, k)),
      ),
    })),
  }
}
