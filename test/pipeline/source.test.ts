import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSource, readSourceAt } from '../../src/pipeline/read-source.ts'
import { SourceWriter, sourceBytes, sourceText } from '../../src/pipeline/write-source.ts'
import type { ScriptMap } from '../../src/script/value/script-value.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'

const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii' }),
  fc.constantFrom('"', '\\', '\\u0041', 'a\\"b', '\b\f\n\r\t\0\u001f\u007f', 'ä"\\', '\u2028😀'),
)
const SOURCE = fc.dictionary(
  TEXT,
  fc.oneof(
    TEXT,
    fc.array(TEXT),
    fc.dictionary(TEXT, TEXT),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  ),
)

const written = (json: string): string => sourceText(readSource(encodeUtf8(json)))

describe('the source of a document', () => {
  it('is written as JSON of what was read', () => {
    fc.assert(
      fc.property(SOURCE, source => {
        expect(JSON.parse(written(JSON.stringify(source)))).toEqual(source)
      }),
      { numRuns: 2000 },
    )
  })

  it('is found among the bytes of others', () => {
    fc.assert(
      fc.property(fc.array(SOURCE, { minLength: 1 }), sources => {
        const parts = sources.map(source => encodeUtf8(JSON.stringify(source)))
        const bytes = Buffer.concat(parts)
        const writer = new SourceWriter(1)
        let start = 0
        for (const { length } of parts) {
          writer.write(readSourceAt(bytes, start, start + length))
          start += length
        }
        const alone = parts.map(part => sourceBytes(readSource(part)))
        expect(Buffer.from(writer.bytes()).equals(Buffer.concat(alone))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    // Escapes that have a letter, and others by their number, with digits as Java prints them.
    [
      String.raw`{"a":"\u0008\u000c\n\r\t\u0001\u001f\u007f"}`,
      `{"a":"\\b\\f\\n\\r\\t\\u0001\\u001F\u007f"}`,
    ],
    [String.raw`{"a":"\/\"\\"}`, String.raw`{"a":"/\"\\"}`],
    [String.raw`{"a":"\u0041\n"}`, String.raw`{"a":"A\n"}`],
    // Halves of characters are replaced.
    [String.raw`{"a":"\ud83d\ude00 \ud83d"}`, '{"a":"😀 \ufffd"}'],
    [String.raw`{"a\n":{"ä\n":["\"ö"]}}`, String.raw`{"a\n":{"ä\n":["\"ö"]}}`],
    ['{}', '{}'],
    ['{"a":[],"b":{}}', '{"a":[],"b":{}}'],
    [
      '{"a":1.0,"b":-0.5e3,"c":12345678901234567890}',
      '{"a":1.0,"b":-500.0,"c":12345678901234567890}',
    ],
  ])('of %s is %s', (given, expected) => {
    expect(written(given)).toBe(expected)
  })

  it('leaves nothing of one that cannot be written', () => {
    const endless: ScriptMap = new Map()
    endless.set('a', endless)
    const writer = new SourceWriter(1)
    writer.write(new Map([['b', 'c']]))
    expect(() => writer.write(endless)).toThrow(
      'Document nesting depth (1001) exceeds the maximum allowed (1000)',
    )
    writer.write('d')
    expect(Buffer.from(writer.bytes()).toString()).toBe('{"b":"c"}"d"')
  })

  it('ends where lists that hold others twice print more than they take', () => {
    let list: string | unknown[] = 'x'
    for (let i = 0; i < 40; i++) list = [list, list]
    expect(() => new SourceWriter(1, 1 << 20).write(list as never)).toThrow(
      '[ingest] limit of [1048576] bytes for the source of a document exceeded',
    )
  })
})
