import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath } from '../../src/pipeline/field-path.ts'
import { sourceText } from '../../src/pipeline/write-source.ts'
import { EngineError } from '../../src/util/errors.ts'
import { documentOf } from '../support/ingest-runs.ts'

const key = fc.constantFrom('a', 'b', '0', '1', '__proto__', 'constructor', 'length', 'ä')
const json = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 1, 1.5, 'x', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value
const source = fc.dictionary(key, json, { maxKeys: 4 })
const path = fc.array(key, { minLength: 1, maxLength: 4 }).map(keys => keys.join('.'))

/** The outcome of a call: its value, or that it was refused as it is documented. */
function outcome(call: () => unknown): unknown {
  try {
    return { value: call() }
  } catch (error) {
    if (error instanceof EngineError && error.type === 'illegal_argument_exception')
      return 'refused'
    throw error
  }
}

describe('paths', () => {
  it('find what was put there', () => {
    fc.assert(
      fc.property(source, path, (given, text) => {
        const document = documentOf(given)
        const at = parsePath(text)
        if (outcome(() => document.set(at, 'put')) === 'refused') return
        expect(document.get(at)).toBe('put')
        expect(document.has(at)).toBe(true)
        expect(document.find(at)).toBe('put')
      }),
    )
  })

  it('find something exactly where they say so', () => {
    fc.assert(
      fc.property(source, path, (given, text) => {
        const document = documentOf(given)
        const at = parsePath(text)
        const got = outcome(() => document.get(at))
        expect(document.has(at)).toBe(got !== 'refused')
        expect({ value: document.find(at) }).toEqual(got === 'refused' ? { value: null } : got)
      }),
    )
  })

  it('change nothing where they are refused', () => {
    fc.assert(
      fc.property(source, path, (given, text) => {
        const document = documentOf(given)
        const before = sourceText(document.fields)
        if (outcome(() => document.remove(parsePath(text))) !== 'refused') return
        expect(sourceText(document.fields)).toBe(before)
      }),
    )
  })

  it('take away what they lead to and nothing beside it', () => {
    fc.assert(
      fc.property(source, fc.constantFrom('a', 'b', 'ä'), (given, name) => {
        const document = documentOf({ ...given, [name]: 1 })
        document.remove(parsePath(name))
        const { [name]: _, ...rest } = given
        expect(JSON.parse(sourceText(document.fields))).toEqual(JSON.parse(JSON.stringify(rest)))
      }),
    )
  })

  it('add to lists, which scalars become', () => {
    fc.assert(
      fc.property(source, path, (given, text) => {
        const document = documentOf(given)
        const at = parsePath(text)
        const before = document.find(at)
        const hadOne = document.has(at)
        if (outcome(() => document.append(at, 'put')) === 'refused') return
        const after = document.get(at) as unknown[]
        const expected = Array.isArray(before) ? before : hadOne ? [before, 'put'] : ['put']
        expect(after).toEqual(expected)
        expect(after.at(-1)).toBe('put')
      }),
    )
  })

  it.each([
    ['a.b', 'field [b] not present as part of path [a.b]'],
    ['n.b', 'cannot resolve [b] from null as part of path [n.b]'],
    ['s.b', 'cannot resolve [b] from object of type [java.lang.String] as part of path [s.b]'],
    ['l.x', '[x] is not an integer, cannot be used as an index as part of path [l.x]'],
    ['l.-1', '[-1] is out of bounds for array with length [1] as part of path [l.-1]'],
    ['_ingest.x', 'field [x] not present as part of path [_ingest.x]'],
  ])('%s leads nowhere: %s', (text, reason) => {
    const document = documentOf({ a: {}, n: null, s: 'x', l: [1] })
    expect(() => document.get(parsePath(text))).toThrow(reason)
  })

  it.each([
    ['', 'path cannot be null nor empty'],
    ['.', 'path [.] is not valid'],
    ['_ingest.', 'path [_ingest.] is not valid'],
    [`a${'.b'.repeat(2000)}`, 'is not valid'],
  ])('%s is none: %s', (text, reason) => {
    expect(() => parsePath(text)).toThrow(reason)
  })

  it.each([
    ['x', 'field [x] not present as part of path [x]'],
    ['n.b', 'cannot remove [b] from null as part of path [n.b]'],
    ['s.b', 'cannot remove [b] from object of type [java.lang.String] as part of path [s.b]'],
    ['l.3', '[3] is out of bounds for array with length [1] as part of path [l.3]'],
  ])('%s has nothing to remove: %s', (text, reason) => {
    const document = documentOf({ n: null, s: 'x', l: [1] })
    expect(() => document.remove(parsePath(text))).toThrow(reason)
  })
})

describe('sources', () => {
  it('come out as they went in, numbers by their kind', () => {
    const text =
      '{"i":1,"d":1.0,"e":1.0E10,"l":9007199254740993,"b":123456789012345678901234567890,"n":null,"s":"\\u0001\\"ä😀"}'
    expect(sourceText(documentOf(text).fields)).toBe(text)
  })

  it('of any JSON are read and written without loss', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), given => {
        const text = JSON.stringify(given)
        expect(JSON.parse(sourceText(documentOf(text).fields))).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each(['[1]', '{', '"x"', '{"a":1,"a":2}', '{} {}'])('%s is none', text => {
    expect(() => documentOf(text)).toThrow('Failed to parse content to map')
  })
})
