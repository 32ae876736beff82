import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CharacterValue } from '../../../src/script/value/character-value.ts'
import { compareValues } from '../../../src/script/value/compare.ts'
import { valuesEqual } from '../../../src/script/value/equality.ts'
import { hashOf } from '../../../src/script/value/hash.ts'
import { addKey, deleteKey, hasKey, setKey, valueOfKey } from '../../../src/script/value/keys.ts'
import { MapEntry } from '../../../src/script/value/map-entry.ts'
import type { ScriptMap, ScriptSet, ScriptValue } from '../../../src/script/value/script-value.ts'
import { Float32, Float64 } from '../../../src/util/json/json-value.ts'

const FREE = { step(): void {} }

/** Values that equal one another often, made anew each time. */
const scalar: fc.Arbitrary<ScriptValue> = fc.oneof(
  fc.constantFrom<ScriptValue>(null, true, 'a', 'b', 0, 1, 2, 0n, 1n, 0.5, Number.NaN),
  fc.constantFrom(0, -0, 1, 2).map(value => new Float64(value)),
  fc.constantFrom(0, -0, 0.5, 1).map(value => new Float32(value)),
  fc.constantFrom(97, 98).map(unit => new CharacterValue(unit)),
)

const { value } = fc.letrec<{ value: ScriptValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 2 }).map(pairs => {
      const map: ScriptMap = new Map()
      for (const [key, of] of pairs) setKey(map, key, of, FREE)
      return map
    }),
    fc.array(tie('value'), { maxLength: 3 }).map(items => {
      const set: ScriptSet = new Set()
      for (const item of items) addKey(set, item, FREE)
      return set
    }),
    fc.tuple(tie('value'), tie('value')).map(([key, of]) => new MapEntry(key, of, null)),
  ),
}))

describe('equality of values', () => {
  it('is reflexive and symmetric, and equal values have equal hashes', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(valuesEqual(a, a, FREE)).toBe(true)
        expect(valuesEqual(a, b, FREE)).toBe(valuesEqual(b, a, FREE))
        if (valuesEqual(a, b, FREE)) expect(hashOf(a, FREE)).toBe(hashOf(b, FREE))
      }),
      { numRuns: 2000 },
    )
  })

  it("tells Java's classes of numbers apart", () => {
    const numbers: ScriptValue[] = [1, 1n, new Float64(1), new Float32(1), new CharacterValue(1)]
    for (const a of numbers) for (const b of numbers) expect(valuesEqual(a, b, FREE)).toBe(a === b)
    expect(valuesEqual(new Float64(0), new Float64(-0), FREE)).toBe(false)
    expect(valuesEqual(Number.NaN, Number.NaN, FREE)).toBe(true)
  })

  it('does not depend on the order of maps and sets', () => {
    expect(
      valuesEqual(
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
        new Map([
          ['b', 2],
          ['a', 1],
        ]),
        FREE,
      ),
    ).toBe(true)
    expect(valuesEqual(new Set([1, 2]), new Set([2, 1]), FREE)).toBe(true)
  })
})

describe('keys', () => {
  type Change = readonly ['set' | 'delete' | 'get', ScriptValue]
  const change: fc.Arbitrary<Change> = fc.tuple(
    fc.constantFrom('set' as const, 'delete' as const, 'get' as const),
    value,
  )

  it('are found as a list of pairs finds them', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), changes => {
        const map: ScriptMap = new Map()
        let pairs: [ScriptValue, number][] = []
        for (const [i, [kind, key]] of changes.entries()) {
          const held = pairs.find(pair => valuesEqual(pair[0], key, FREE))
          expect(hasKey(map, key, FREE)).toBe(held !== undefined)
          expect(valueOfKey(map, key, FREE)).toBe(held?.[1] ?? null)
          if (kind === 'set') {
            setKey(map, key, i, FREE)
            if (held === undefined) pairs.push([key, i])
            else held[1] = i
          } else if (kind === 'delete') {
            expect(deleteKey(map, key, FREE)).toBe(held !== undefined)
            pairs = pairs.filter(pair => pair !== held)
          }
          expect([...map]).toEqual(pairs)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('are found in a map that held them before it was first asked', () => {
    const map: ScriptMap = new Map<ScriptValue, ScriptValue>([
      [new Float64(1), 'x'],
      [[1], 'y'],
    ])
    expect(valueOfKey(map, new Float64(1), FREE)).toBe('x')
    expect(valueOfKey(map, [1], FREE)).toBe('y')
  })
})

describe('the natural order', () => {
  it('is antisymmetric and agrees with equality', () => {
    const comparable = fc.oneof(
      fc.tuple(fc.double(), fc.double()).map(([a, b]) => [boxedDouble(a), boxedDouble(b)] as const),
      fc.tuple(fc.integer(), fc.integer()),
      fc.tuple(fc.string(), fc.string()),
      fc.tuple(fc.bigInt(), fc.bigInt()),
    )
    fc.assert(
      fc.property(comparable, ([a, b]) => {
        expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0)
        expect(compareValues(a, b) === 0).toBe(valuesEqual(a, b, FREE))
      }),
    )
  })
})

function boxedDouble(number: number): ScriptValue {
  return Number.isInteger(number) ? new Float64(number) : number
}
