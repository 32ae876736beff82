import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Definition, reasonOf, valueReader } from '../../support/one-field.ts'

const DEFINITIONS: readonly Definition[] = [
  { type: 'completion' },
  { type: 'constant_keyword', value: 'a' },
  { type: 'flat_object' },
  { type: 'match_only_text' },
  { type: 'rank_feature' },
  { type: 'rank_features' },
  { type: 'search_as_you_type' },
  { type: 'token_count', analyzer: 'standard', null_value: 3 },
  { type: 'wildcard', ignore_above: 5 },
]

describe.each(DEFINITIONS)('$type', definition => {
  it('answers values or a documented error to any JSON', () => {
    const read = valueReader(definition)
    const near = fc.record(
      {
        input: fc.oneof(fc.string(), fc.array(fc.string())),
        weight: fc.oneof(fc.integer(), fc.string()),
        contexts: fc.object(),
        feature: fc.oneof(fc.double(), fc.string()),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          near.map(value => JSON.stringify(value)),
        ),
        json => {
          try {
            read(json)
          } catch (error) {
            const { record } = error as { record: { type: string } }
            expect(record.type).toBe('mapper_parsing_exception')
          }
        },
      ),
      { seed: 7, numRuns: 500 },
    )
  })
})

describe('flat_object', () => {
  const read = valueReader({ type: 'flat_object' })

  it('makes a value and a path with it of each leaf', () => {
    expect(read('{"a":{"b":"x","c":[1,[2.50,null]]},"d.e":true,"f":[{"g":"y"},{}]}')).toEqual([
      'x',
      'a.b=x',
      '1',
      'a.c=1',
      '2.50',
      'a.c=2.50',
      'true',
      'd.e=true',
      'y',
      'f.g=y',
    ])
    expect(read('[null, {"a":1}, {"a":2}]')).toEqual(['1', 'a=1', '2', 'a=2'])
  })

  it('refuses a path that no term holds before it grows', () => {
    const deep = `${`{"${'k'.repeat(9000)}":`.repeat(5)}1${'}'.repeat(5)}`
    expect(reasonOf(() => read(deep))).toMatch(/^Document contains at least one immense term/)
  })

  it('finds what any object holds', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean())
    const key = fc.stringMatching(/^[a-z]{1,3}$/)
    const { tree } = fc.letrec(tie => ({
      tree: fc.dictionary(
        key,
        fc.oneof({ maxDepth: 3 }, leaf, tie('tree'), fc.array(leaf, { maxLength: 3 })),
        { maxKeys: 4 },
      ),
    }))
    const leaves = (value: unknown, path: string): string[] => {
      if (Array.isArray(value)) return value.flatMap(item => leaves(item, path))
      if (typeof value !== 'object' || value === null) return [`${value}`, `${path}=${value}`]
      return Object.entries(value).flatMap(([name, inner]) =>
        leaves(inner, path === '' ? name : `${path}.${name}`),
      )
    }
    fc.assert(
      fc.property(tree, value => {
        expect(read(JSON.stringify(value))).toEqual(leaves(value, ''))
      }),
      { seed: 8 },
    )
  })
})

describe('completion', () => {
  it('cuts inputs without breaking a character', () => {
    const read = valueReader({ type: 'completion', max_input_length: 3 })
    expect(read('["abcd", {"input": ["ab😀", "c"], "weight": "7"}]')).toEqual(['abc', 'ab😀', 'c'])
  })
})

describe('rank_features', () => {
  it('takes time by the number of features, however many objects hold them', () => {
    const read = valueReader({ type: 'rank_features' })
    const objects = (count: number): string =>
      `[${Array.from({ length: count }, (_, i) => `{"f${i}":1}`).join()}]`
    expect(read(objects(100_000))).toHaveLength(100_000)
    expect(reasonOf(() => read('[{"a":1},{"a":2}]'))).toMatch(/the same rank feature \[f\.a\]/)
    expect(read('{"a":1}')).toEqual(['a'])
  })
})
