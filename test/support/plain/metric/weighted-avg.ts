import { exactSum } from '../exact.ts'
import { oneOf, type PlainKind, sometimes } from '../kind.ts'
import { type Field, numbersOf } from '../row.ts'

interface Source {
  readonly field: Field
  readonly missing?: number
}

interface Body {
  readonly value: Source
  readonly weight: Source
}

/** `weighted_avg`. */
export const weightedAvg: PlainKind<Body> = {
  buckets: 'none',
  fits: ({ path }) => path !== 'a.c',
  draw({ random, path }) {
    const value = path === '' ? oneOf<Field>(random, ['n', 'd', 'e']) : 'a.y'
    const weight = path === '' ? 'w' : 'a.y'
    return {
      value: { field: value, ...sometimes(random, 3, { missing: 1.5 }) } as Source,
      weight: { field: weight, ...sometimes(random, 2, { missing: 2 }) } as Source,
    }
  },
  answer({ value, weight }, rows) {
    const products: number[] = []
    const weights: number[] = []
    for (const row of rows) {
      const [own] = numbersOf(row, weight)
      if (own === undefined) continue
      // A number in place of a missing whole one is whole.
      for (const each of wholeWhere(value, numbersOf(row, value))) {
        products.push(each * own)
        weights.push(own)
      }
    }
    const total = exactSum(weights)
    return { value: total === 0 ? null : exactSum(products) / total }
  },
}

function wholeWhere({ field }: Source, numbers: readonly number[]): readonly number[] {
  return field === 'n' || field === 'a.y' ? numbers.map(Math.trunc) : numbers
}
