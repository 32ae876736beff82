import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvDocuments } from '../../src/cli/csv-documents.ts'
import { DocumentFiles, type Format, formatNamed } from '../../src/cli/document-files.ts'
import { jsonItems, jsonLines } from '../../src/cli/json-documents.ts'
import type { BulkOperation } from '../../src/embed/bulk-load.ts'
import { decodeUtf8 } from '../../src/util/bytes.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('documents')
let count = 0

function fileOf(ending: string, content: string | Uint8Array): string {
  const path = join(folder, `${count++}.${ending}`)
  writeFileSync(path, content)
  return path
}

async function read(
  files: string[],
  format: Format | null = null,
  idField: string | null = null,
): Promise<[id: string | undefined, source: string][]> {
  const found: [string | undefined, string][] = []
  for await (const operation of new DocumentFiles(files, format, idField).operations()) {
    const { id, source } = operation as Extract<BulkOperation<object>, { source: unknown }>
    found.push([id, decodeUtf8(source as Uint8Array)])
  }
  return found
}

async function sourcesOf(ending: string, content: string | Uint8Array): Promise<string[]> {
  return (await read([fileOf(ending, content)])).map(([, source]) => source)
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('files of documents', () => {
  it('are read as lines, arrays or rows, told by name and first byte', async () => {
    expect(await sourcesOf('ndjson', '{"a":1}\n\n {"a": 2}\r\n{"a":3}')).toEqual([
      '{"a":1}',
      ' {"a": 2}\r',
      '{"a":3}',
    ])
    expect(await sourcesOf('json', ' [ {"a":[1,{"b":"]},"}]}, {"a":2} ]\n')).toEqual([
      ' {"a":[1,{"b":"]},"}]}',
      ' {"a":2} ',
    ])
    expect(await sourcesOf('json', '{"a":1}\n{"a":2}\n')).toEqual(['{"a":1}', '{"a":2}'])
    expect(await sourcesOf('csv', '\ufeffa,b\r\n1,"x, ""y""\nz"\r\n,2\n\n')).toEqual([
      '{"a":"1","b":"x, \\"y\\"\\nz"}',
      '{"b":"2"}',
    ])
    expect(await sourcesOf('tsv', 'a\tb\n1\t2\n')).toEqual(['{"a":"1","b":"2"}'])
    expect(await sourcesOf('ndjson', '')).toEqual([])
  })

  it('are read as a bulk body where their first line is an action', async () => {
    const body = '{"index":{"_id":"1"}}\n{"a":1}\n{"create":{}}\n{"a":2}\n\n{"delete":{"_id":3}}\n'
    const operations = async (
      content: string,
      format: Format | null = null,
      idField: string | null = null,
    ): Promise<unknown[]> => {
      const files = new DocumentFiles([fileOf('ndjson', content)], format, idField, 'books')
      return (await gather(files.operations())).map(operation =>
        'delete' in operation
          ? operation
          : { ...operation, source: decodeUtf8(operation.source as Uint8Array) },
      )
    }
    expect(await operations(body)).toEqual([
      { id: '1', source: '{"a":1}' },
      { source: '{"a":2}', create: true },
      { delete: '3' },
    ])
    expect(await operations(body, 'bulk', 'a')).toContainEqual({
      id: '2',
      source: '{"a":2}',
      create: true,
    })
    expect(await operations(body, 'ndjson')).toHaveLength(5)
    expect(await operations('{"index":{"far":{}}}\n{"a":1}\n')).toHaveLength(2)
    const routed = '{"index":{"_index":"books","routing":"r"}}\n{"index":{}}\n'
    expect(await operations(routed)).toEqual([{ source: '{"index":{}}', routing: 'r' }])
    for (const [content, reason] of [
      ['{"index":{}}\n', 'document 1: the file ends before'],
      ['{"index":{}}\n{"a":1}\n{"a":2}\n', 'document 2: its line of an action is none'],
      ['{"index":{"_index":"films"}}\n{}\n', 'names index [films], and --index says [books]'],
      ['{"update":{"_id":"1"}}\n{}\n', '[update] is not supported yet'],
      ['{"index":{"version":1}}\n{}\n', 'has [version]'],
      ['{"delete":{}}\n', '[delete] needs an _id'],
    ] as const)
      await expect(operations(content)).rejects.toThrow(reason)
    await expect(operations('{"a":1}\n', 'bulk')).rejects.toThrow('document 1: its line')
  })

  it('are unpacked where their bytes say so', async () => {
    expect(await sourcesOf('gz', gzipSync('{"a":1}\n'))).toEqual(['{"a":1}'])
    expect(await sourcesOf('csv.gz', gzipSync('a\n1\n'))).toEqual(['{"a":"1"}'])
    const damaged = gzipSync('{"a":1}\n'.repeat(1000)).subarray(0, 30)
    await expect(sourcesOf('gz', damaged)).rejects.toThrow('cannot read')
  })

  it('give ids from a field, and say which document has none', async () => {
    const file = fileOf('ndjson', '{"id":"x","n":1}\n{"id":7}\n')
    expect((await read([file], null, 'id')).map(([id]) => id)).toEqual(['x', '7'])
    const bad = fileOf('ndjson', '{"id":"x"}\n{"n":1}\n')
    await expect(read([bad], null, 'id')).rejects.toThrow('document 2 has no [id]')
    await expect(read([fileOf('ndjson', '{"id"')], null, 'id')).rejects.toThrow('is no JSON')
  })

  it('say where a document stands', async () => {
    const files = new DocumentFiles(
      [fileOf('ndjson', '{}\n{}\n'), fileOf('ndjson', '{}\n')],
      null,
      null,
    )
    await gather(files.operations())
    expect(files.placeOf(1)).toMatch(/\.ndjson, document 2$/)
    expect(files.placeOf(2)).toMatch(/\.ndjson, document 1$/)
    expect(files.readBytes).toBe(files.totalBytes)
  })

  it.each([
    ['json', '[{"a":1}', 'the array does not end with ]'],
    ['json', '[1}', 'a closing brace has no opening one'],
    ['json', '[1] 2', 'there is more behind the end'],
    ['csv', 'a,a\n1,2\n', 'the column [a] is named twice'],
    ['csv', 'a\n1,2\n', 'row 2 has 2 values for 1 columns'],
    ['csv', 'a\n"1\n', 'quotes of the last value do not close'],
  ])('refuse a damaged %s', async (ending, content, message) => {
    await expect(sourcesOf(ending, content)).rejects.toThrow(message)
  })

  it('refuse what is not there, and formats that are none', () => {
    expect(() => new DocumentFiles([join(folder, 'none')], null, null)).toThrow('there is no file')
    expect(() => formatNamed('xml')).toThrow('--format takes one of ndjson, bulk, json, csv, tsv')
  })

  it('are cut the same however the stream is cut', async () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 20 }), async (documents, size) => {
        const array = Buffer.from(JSON.stringify(documents))
        const items = await gather(jsonItems(inChunks(array, size)))
        expect(items.map(item => JSON.parse(decodeUtf8(item)))).toEqual(
          JSON.parse(array.toString()),
        )
        const lines = Buffer.from(documents.map(value => `${JSON.stringify(value)}\n`).join(''))
        const read = await gather(jsonLines(inChunks(lines, size)))
        expect(read.map(line => JSON.parse(decodeUtf8(line)))).toEqual(JSON.parse(array.toString()))
      }),
      { seed: 11, numRuns: 150 },
    )
  })

  it('give back rows as they were quoted', async () => {
    const value = fc.string({ maxLength: 6, unit: fc.constantFrom(...'ab",\n \r') })
    const rows = fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (given, size) => {
        const quoted = given.map(row =>
          row.map(text => `"${text.replaceAll('"', '""')}"`).join(','),
        )
        const text = ['x,y', ...quoted, ''].join('\n')
        async function* texts(): AsyncGenerator<string> {
          for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
        }
        const documents = await gather(csvDocuments(texts(), ','))
        expect(
          documents.map(document => [document.get('x') ?? '', document.get('y') ?? '']),
        ).toEqual(given)
      }),
      { seed: 13, numRuns: 200 },
    )
  })
})
