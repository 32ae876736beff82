import { expect, it } from 'vitest'
import { INDEX_TEMPLATES } from '../../../src/engine/metadata/section/templates.ts'
import { parseIndexTemplate } from '../../../src/engine/metadata/template.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'

it.each<[object, string]>([
  [{}, '@timestamp'],
  [{ timestamp_field: { name: 'at' } }, 'at'],
  [{ timestamp_field: 'at', hidden: true }, '@timestamp'],
  [{ timestamp_field: { name: 7 }, more: {} }, '@timestamp'],
])('reads templates of data streams that builds of before wrote: %j', (given, timestampField) => {
  // Any object was kept below `data_stream`.
  const stored = { t: { index_patterns: ['t*'], composed_of: [], data_stream: given } }
  const node = parseJsonTree(Buffer.from(JSON.stringify(stored)))
  expect(INDEX_TEMPLATES.parse(node).get('t')!.dataStream).toEqual({ timestampField })
})

it('refuses in a request what it passes over in a file', () => {
  const body = { index_patterns: ['t*'], data_stream: { hidden: true } }
  const node = parseJsonTree(Buffer.from(JSON.stringify(body)))
  expect(() => parseIndexTemplate(node)).toThrow(
    /\[data_stream_template\] unknown field \[hidden\]/,
  )
  expect(parseIndexTemplate(node, true).dataStream).toEqual({ timestampField: '@timestamp' })
})
