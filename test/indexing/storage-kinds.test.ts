import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { FieldBuffer } from '../../src/indexing/field-buffer.ts'
import { bufferMemory } from '../../src/indexing/inverted-buffer.ts'
import { fieldBufferOptions, valueWriter } from '../../src/indexing/storage-kinds.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { storageOf } from '../../src/schema/field-type/field-types.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { type Definition, mappingOf } from '../support/one-field.ts'

/** The terms and integers that a document's values leave in the buffer of their field. */
function buffered(definition: Definition, json: string): unknown {
  const mapping = mappingOf(definition)
  const storage = storageOf(mapping.field('f')!)
  const buffer = new FieldBuffer(fieldBufferOptions('f', storage), bufferMemory())
  const writer = valueWriter(storage, buffer, new AnalysisRegistry(new Map()), mapping)
  const parser = new DocumentParser(mapping, 20)
  const source = encodeUtf8(`{"f":${json}}`)
  parser.parse(source, 0, source.length, '1')
  buffer.startDocument(0)
  for (let i = 0; i < parser.document.count; i++) writer.add(parser.document, i)
  const { bytes, offsets, count } = buffer.tokens.terms
  const terms = Array.from({ length: count }, (_, i) =>
    decodeUtf8(bytes.slice(offsets[i]!, offsets[i + 1]!)),
  )
  const { hi, lo, length } = buffer.values
  const values = Array.from({ length }, (_, i) => [hi[i]!, lo[i]!])
  const { position } = buffer
  buffer.tokens.release()
  return { terms, values, position }
}

describe('values in the buffer of their field', () => {
  it('are the terms of an analyzer, with the gap behind each value', () => {
    expect(buffered({ type: 'text', position_increment_gap: 10 }, '["The Sea", "Wolf"]')).toEqual({
      terms: ['the', 'sea', 'wolf'],
      values: [],
      position: 22,
    })
  })

  it('are terms as they stand', () => {
    expect(buffered({ type: 'keyword' }, '["The Sea", "\\u0061"]')).toMatchObject({
      terms: ['The Sea', 'a'],
      values: [],
    })
  })

  it('are integers, of floating-point numbers too', () => {
    expect(buffered({ type: 'long' }, '[-1, 4294967297]')).toMatchObject({
      terms: [],
      values: [
        [-1, 4294967295],
        [1, 1],
      ],
    })
    expect(buffered({ type: 'float' }, '1')).toMatchObject({ values: [[0, 0x3f800000]] })
    expect(buffered({ type: 'half_float' }, '[1, -1]')).toMatchObject({
      values: [
        [0, 0x3c00],
        [-1, 0xffffc3ff],
      ],
    })
    expect(buffered({ type: 'double' }, '1')).toMatchObject({ values: [[0x3ff00000, 0]] })
  })

  it('are terms and integers of booleans, integers alone where they are not indexed', () => {
    const values = [
      [0, 1],
      [0, 0],
    ]
    expect(buffered({ type: 'boolean' }, '[true, false]')).toMatchObject({
      terms: ['T', 'F'],
      values,
    })
    expect(buffered({ type: 'boolean', index: false }, '[true, false]')).toMatchObject({
      terms: [],
      values,
    })
  })
})
