import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8, encodeUtf8 } from '../../../src/util/bytes.ts'
import { parseJsonTree, parseKnownTree } from '../../../src/util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../../src/util/json/json-writer.ts'

/** Strings around the length from which on a reader looks for their end, with what may stand in them. */
const strings = fc
  .array(
    fc.oneof(
      fc.constantFrom('\\', '"', '\\"', '\n', '\u0001', 'é', '猫', '😀', '\\\\"'),
      fc.integer({ min: 0, max: 40 }).map(length => 'x'.repeat(length)),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 6 },
  )
  .map(parts => parts.join(''))

const { value: values } = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    strings,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(strings, tie('value'), { maxKeys: 4 }),
  ),
}))

describe('JSON that was read before', () => {
  it('is the same tree, locations included', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1), (value, indent) => {
        const bytes = encodeUtf8(JSON.stringify(value, null, indent))
        expect(parseKnownTree(bytes)).toEqual(parseJsonTree(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  it('is an error of the documented type where it is cut', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 3 }), fc.nat(), (value, cut) => {
        const whole = encodeUtf8(JSON.stringify(value))
        const bytes = whole.subarray(0, cut % whole.length)
        expect(() => parseKnownTree(bytes)).toThrow(/Unexpected|Unrecognized|Invalid/)
      }),
      { numRuns: 1000 },
    )
  })

  it('is read in time that grows with its length', () => {
    const bytes = encodeUtf8(JSON.stringify('\\'.repeat(2_000_000)))
    expect(parseKnownTree(bytes)).toMatchObject({ value: '\\'.repeat(2_000_000) })
  })
})

describe('comments', () => {
  const read = (text: string): unknown =>
    JSON.parse(decodeUtf8(writeJson(jsonValueOf(parseJsonTree(encodeUtf8(text))))))

  it.each([
    ['{"a":1// "b":2}\n}', { a: 1 }],
    ['// first\n{"a" /* of "it" */ : /**/ [1, // one\r\n 2 /* * / **/ ]}//', { a: [1, 2] }],
    ['{"url":"http://x/*y*/"}', { url: 'http://x/*y*/' }],
  ])('are blanks: %j', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it('count as lines', () => {
    expect(parseJsonTree(encodeUtf8('/*\n\n*/ {}'))).toMatchObject({ line: 3, col: 4 })
  })

  it.each([
    ['{ /', 'Unexpected end-of-input'],
    [
      '{ /x',
      "Unexpected character ('x' (code 120)): was expecting either '*' or '/' for a comment",
    ],
    ['{} /* *', 'Unexpected end-of-input'],
    ['/*/', 'Unexpected end-of-input'],
    ['// {}', 'Unexpected end-of-input'],
  ])('are an error where they are none: %j', (text, reason) => {
    expect(() => read(text)).toThrow(reason)
  })
})
