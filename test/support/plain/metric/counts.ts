/** value_count and cardinality: how many values there are, and how many of them differ. */
import { oneOf, type PlainKind, type Spot, sometimes } from '../kind.ts'
import { type Field, fieldsOf, filledValues, type Value } from '../row.ts'

interface CountBody {
  readonly field: Field
  readonly missing?: Value
}

function countBody({ random, path }: Spot): CountBody {
  const any = fieldsOf(path, 'text', 'ip', 'long', 'double', 'boolean', 'date')
  const field = random.below(40) === 0 ? 'u' : oneOf(random, any)
  const fills: { readonly [F in Field]?: Value } = { k: 'none', n: 77, d: 0.25, 'a.y': 3 }
  const missing = fills[field]
  return { field, ...(missing === undefined ? {} : sometimes(random, 3, { missing })) }
}

/** `value_count`. */
export const valueCount: PlainKind<CountBody> = {
  buckets: 'none',
  draw: countBody,
  answer: (body, rows) => ({ value: rows.flatMap(row => filledValues(row, body)).length }),
}

interface CardinalityBody extends CountBody {
  readonly execution_hint?: string
}

/** `cardinality`, of fewer values than its threshold. */
export const cardinality: PlainKind<CardinalityBody> = {
  buckets: 'none',
  draw: spot => ({
    ...countBody(spot),
    ...sometimes(spot.random, 3, { execution_hint: oneOf(spot.random, ['direct', 'ordinals']) }),
  }),
  answer: (body, rows) => ({ value: new Set(rows.flatMap(row => filledValues(row, body))).size }),
}
