import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldSearch } from '../../../../src/engine/dsl/field/field-searches.ts'
import type { RangeEnd } from '../../../../src/engine/dsl/field/range-end.ts'
import type { FieldTypeName } from '../../../../src/schema/field-type.ts'
import { encodePoint } from '../../../../src/search/query/point-value.ts'
import { type Definition, fieldOf } from '../../../support/one-field.ts'
import { queryContext } from '../../../support/query-context.ts'

/** By type: how a value is kept. */
const KEPT: readonly (readonly [
  Definition & { type: FieldTypeName },
  (value: number) => bigint,
])[] = [
  [{ type: 'long' }, value => BigInt(Math.trunc(value))],
  [{ type: 'byte' }, value => BigInt(Math.trunc(value))],
  [{ type: 'scaled_float', scaling_factor: 4 }, value => BigInt(Math.floor(value * 4 + 0.5))],
  [{ type: 'double' }, value => encodePoint(value, 'double')],
  [{ type: 'half_float' }, value => encodePoint(value, 'halfFloat')],
]

/** Quarters, which every type but the integers holds exactly. */
const quarter = fc.integer({ min: -400, max: 400 }).map(number => number / 4)
const end = fc.option(fc.record({ value: quarter, isIncluded: fc.boolean() }))

describe.each(KEPT)('a range over %o', (definition, keep) => {
  const field = fieldOf(definition)
  const isWhole = definition.type === 'long' || definition.type === 'byte'

  it('has the values that lie between its ends, and no others', () => {
    fc.assert(
      fc.property(quarter, end, end, (number, lower, upper) => {
        const value = isWhole ? Math.trunc(number) : number
        const asked = (given: typeof lower): RangeEnd | null =>
          given && { text: String(given.value), isIncluded: given.isIncluded }
        const query = fieldSearch(definition.type).range(
          field,
          asked(lower),
          asked(upper),
          { format: null, timeZone: null },
          queryContext,
        )
        const isIn =
          (lower === null || value > lower.value || (lower.isIncluded && value === lower.value)) &&
          (upper === null || value < upper.value || (upper.isIncluded && value === upper.value))
        const kept = keep(value)
        const found = query.kind === 'pointRange' && query.lower <= kept && kept <= query.upper
        expect(found).toBe(isIn)
      }),
    )
  })

  it('has, as a term, the value alone', () => {
    fc.assert(
      fc.property(quarter, quarter, (number, other) => {
        const query = fieldSearch(definition.type).term(field, String(number), queryContext)
        const kept = keep(other)
        const found = query.kind === 'pointRange' && query.lower === kept && kept === query.upper
        expect(found).toBe(number === (isWhole ? Math.trunc(other) : other))
      }),
    )
  })
})
