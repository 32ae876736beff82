import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleSource } from '../../../src/engine/fetch/visible-source.ts'
import { FieldRule } from '../../../src/service/security/field-rule.ts'
import { RestrictedFields } from '../../../src/service/security/restricted-fields.ts'
import { decodeUtf8, encodeUtf8 } from '../../../src/util/bytes.ts'

const hiding = (patterns: readonly string[]): RestrictedFields =>
  new RestrictedFields(new FieldRule(patterns), null)
const seen = (patterns: readonly string[], ...paths: string[]): readonly boolean[] =>
  paths.map(path => new FieldRule(patterns).sees(path))
const shown = (patterns: readonly string[], document: object): unknown =>
  JSON.parse(decodeUtf8(visibleSource(encodeUtf8(JSON.stringify(document)), hiding(patterns))))

describe('a rule of fields', () => {
  it('shows what it names, with all that is in it', () => {
    expect(seen(['a', 'b.c*'], 'a', 'a.x', 'a.x.y', 'b', 'b.c', 'b.cd', 'b.d', 'c')).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      false,
      false,
    ])
  })

  it('hides what it names, with all that is in it, and shows the rest', () => {
    expect(seen(['~a', '!b.c'], 'a', 'a.x', 'b', 'b.c', 'b.c.d', 'c')).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
    ])
  })

  it('passes over what it names to be shown where it hides anything', () => {
    expect(seen(['a', '~b'], 'a', 'b', 'c')).toEqual([true, false, true])
  })

  it('takes a multi-field for its field', () => {
    expect(seen(['~a'], 'a.keyword')).toEqual([false])
    expect(seen(['a?c'], 'abc.keyword')).toEqual([true])
    expect(seen(['~a.keyword'], 'a', 'a.keyword')).toEqual([true, false])
  })

  it('takes names of users as they stand', () => {
    expect(seen([`~\${user.name}`], `\${user.name}`, 'x')).toEqual([false, true])
  })

  it('is the same for the same patterns in any order', () => {
    expect(new FieldRule(['b', 'a', 'b']).key).toBe(new FieldRule(['a', 'b']).key)
    expect(new FieldRule(['~a']).key).not.toBe(new FieldRule(['a']).key)
  })
})

describe('a source', () => {
  it('keeps objects in lists where they are, and numbers as they were written', () => {
    const source = encodeUtf8('{"l":[{"a":1.50},{"b":2},3,[{"a":null}]],"z":12345678901234567890}')
    const rest = decodeUtf8(visibleSource(source, hiding(['~l.a'])))
    expect(rest).toBe('{"l":[{},{"b":2},3,[{}]],"z":12345678901234567890}')
  })

  it('shows the objects around what is seen, and no values beside it', () => {
    expect(shown(['a.b'], { a: { b: 1, c: 2 }, d: 3 })).toEqual({ a: { b: 1 } })
    expect(shown(['a.b'], { a: [1, { b: 2, c: 3 }], b: 4 })).toEqual({ a: [{ b: 2 }] })
    expect(shown(['a.b'], { a: 5 })).toEqual({})
  })

  it('takes names with dots for paths', () => {
    expect(shown(['~a'], { 'a.b': 1, c: 2 })).toEqual({ c: 2 })
    expect(shown(['~a.b'], { 'a.b': 1, a: { b: 2, c: 3 } })).toEqual({ a: { c: 3 } })
  })

  it('has just the values whose paths are seen', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'a.b')
    const value = fc.letrec<{ node: unknown }>(tie => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.string(),
        fc.constant(null),
        fc.dictionary(key, tie('node'), { maxKeys: 3 }),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    })).node
    const pattern = fc.constantFrom('a', 'b', 'a.b', '*.c', 'a.*', 'b.c', 'c*')
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { maxKeys: 4 }),
        fc.array(pattern, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (document, names, hides) => {
          const patterns = names.map(name => (hides ? `~${name}` : name))
          const rule = new FieldRule(patterns)
          const expected = leaves(document, '').filter(([path]) => rule.sees(path))
          expect(leaves(shown(patterns, document), '')).toEqual(expected)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

/** Values that are neither objects nor lists, with their paths, in order. */
function leaves(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(item => leaves(item, path))
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, each]) =>
    leaves(each, path === '' ? key : `${path}.${key}`),
  )
}
