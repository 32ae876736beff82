import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentParser } from '../../../src/schema/document-parser.ts'
import { IGNORED_FIELD, OPERATIONS } from '../../../src/schema/parsed-document.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { printAddress } from '../../../src/util/ip-address.ts'
import { type Definition, mappingOf, reasonOf } from '../../support/one-field.ts'

/** The addresses that a document `{"f": ⟨json⟩}` adds, printed. */
function readerOf(definition: Definition): (json: string) => string[] {
  const parser = new DocumentParser(mappingOf(definition), 20)
  return json => {
    const source = encodeUtf8(`{"f":${json}}`)
    parser.parse(source, 0, source.length, '1')
    const { document } = parser
    return Array.from({ length: document.count }, (_, i) => {
      expect(document.kinds[i]).toBe(OPERATIONS.scratchKeyword)
      return printAddress(document.scratch.subarray(document.a[i], document.b[i]))
    })
  }
}

describe('ip', () => {
  it('keeps addresses of both versions, and the null value for null', () => {
    const read = readerOf({ type: 'ip', null_value: '::1' })
    expect(read('["10.0.0.1", null, "2001:DB8::0:1"]')).toEqual(['10.0.0.1', '::1', '2001:db8::1'])
    expect(readerOf({ type: 'ip' })('null')).toEqual([])
    expect(readerOf({ type: 'ip', null_value: 'x' })('null')).toEqual([])
  })

  it('keeps nothing where it is neither indexed nor has doc values', () => {
    expect(readerOf({ type: 'ip', index: false, doc_values: false })('"10.0.0.1"')).toEqual([])
  })

  it('takes an address or says which text is none', () => {
    const read = readerOf({ type: 'ip' })
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.double(), fc.boolean()), value => {
        const json = JSON.stringify(value)
        const text = typeof value === 'string' ? value : json
        if (text === 'null') return
        if (isIP(text) !== 0) expect(read(json)).toHaveLength(1)
        else expect(reasonOf(() => read(json))).toBe(`'${text}' is not an IP string literal.`)
      }),
    )
    expect(reasonOf(() => read('{"a":1}'))).toMatch(/^Can't get text on a START_OBJECT at 1:\d+$/)
  })

  it('lists the field as ignored where it skips what is malformed', () => {
    const parser = new DocumentParser(mappingOf({ type: 'ip', ignore_malformed: true }), 20)
    const source = encodeUtf8('{"f":["x","::1"]}')
    parser.parse(source, 0, source.length, '1')
    const { document } = parser
    expect([...document.fields.subarray(0, document.count)]).toEqual([IGNORED_FIELD, 0])
  })
})
