import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentParser } from '../../../src/schema/document-parser.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { type Definition, mappingOf, reasonOf } from '../../support/one-field.ts'

/** The byte strings that a document `{"f": ⟨json⟩}` adds. */
function readerOf(definition: Definition): (json: string) => number[][] {
  const parser = new DocumentParser(mappingOf(definition), 20)
  return json => {
    const source = encodeUtf8(`{"f":${json}}`)
    parser.parse(source, 0, source.length, '1')
    const { document } = parser
    return Array.from({ length: document.count }, (_, i) => [
      ...document.scratch.subarray(document.a[i], document.b[i]),
    ])
  }
}

describe('binary', () => {
  it('reads Base64, lines or not', () => {
    const read = readerOf({ type: 'binary', doc_values: true })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), bytes => {
        const text = Buffer.from(bytes).toString('base64')
        expect(read(JSON.stringify(text))).toEqual([[...bytes]])
        expect(read(JSON.stringify(text.replace(/(.{4})/g, '$1\r\n')))).toEqual([[...bytes]])
      }),
    )
    expect(read('[null, "AQI=", null]')).toEqual([[1, 2]])
  })

  it('takes a text or says why it is none', () => {
    const read = readerOf({ type: 'binary', doc_values: true })
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), text => {
        const json = JSON.stringify(text)
        const isBase64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(text.replace(/\s/g, ''))
        if (isBase64 && !text.includes('_')) expect(read(json)).toHaveLength(1)
        else
          expect(reasonOf(() => read(json))).toBe(
            'Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS)',
          )
      }),
    )
    expect(reasonOf(() => read('1'))).toBe(
      'the value is no VALUE_STRING, it cannot be read as binary',
    )
    expect(reasonOf(() => read('{}'))).toMatch(/^Can't get text on a START_OBJECT at 1:\d+$/)
  })

  it('reads nothing that it does not keep', () => {
    expect(readerOf({ type: 'binary' })('["no Base64", 1]')).toEqual([])
  })
})
