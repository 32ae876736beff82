import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../../src/analysis/registry.ts'
import { indexNameOf, MetadataStore } from '../../../src/engine/metadata/metadata-store.ts'
import { Settings } from '../../../src/schema/settings.ts'
import { StateFile } from '../../../src/shard/state-file.ts'
import { FsDataFolder } from '../../../src/store/data-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const GOLDEN = join(import.meta.dirname, '../../golden/metadata')

/** A copy of a golden folder: an open index `books`, a closed one `shut`, a cluster setting. */
function copyOf(version: string): FsDataFolder {
  const path = tempFolder('metadata')
  cpSync(join(GOLDEN, version), path, { recursive: true })
  return new FsDataFolder(path)
}

const open = (folder: FsDataFolder): MetadataStore =>
  new MetadataStore(folder, settings => new AnalysisRegistry(settings), Settings.EMPTY)
const bodyOf = (folder: FsDataFolder, ...path: string[]): string =>
  Buffer.from(new StateFile(folder.directory(...path)).body!).toString()

describe.each(['v1', 'v2'])('metadata of format %s', version => {
  it('opens for good', () => {
    const folder = copyOf(version)
    const store = open(folder)
    expect(store.node).toMatchObject({
      nodeId: expect.stringMatching(/^[\w-]{22}$/),
      clusterUuid: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(store.node.persistent.get('search.max_buckets')).toBe('99')
    expect(store.indices().map(({ name, isOpen }) => [name, isOpen])).toEqual([
      ['books', true],
      ['shut', false],
    ])
    const books = store.index('books')!
    expect([...(books.mapping.toJson() as Map<string, Map<string, unknown>>)][0]![1].size).toBe(3)
    expect(books.analysis.hasAnalyzer('a')).toBe(true)
    expect(books.settings.get('index.number_of_replicas')).toBe('0')
    expect(indexNameOf(folder.directory('indices', books.uuid))).toBe('books')
  })

  it('stays what it is when it is written anew', () => {
    const folder = copyOf(version)
    const first = open(folder)
    for (const index of first.indices()) first.putIndex(index)
    first.putNode({ persistent: first.node.persistent, transient: Settings.EMPTY })
    const second = open(folder)
    expect(second.node).toEqual(first.node)
    for (const index of first.indices()) {
      const found = second.index(index.name)!
      expect({ ...found, analysis: null, mapping: found.mapping.toJson() }).toEqual({
        ...index,
        analysis: null,
        mapping: index.mapping.toJson(),
      })
    }
  })
})

it('keeps what it does not know, of the node and of an index', () => {
  const folder = copyOf('v2')
  const later = '{"section":"later","version":3,"required":false}\n{"kept" : 1.0}\n'
  const store = open(folder)
  const books = store.index('books')!
  expect(bodyOf(folder, 'node')).toContain(later)
  store.putNode({ persistent: Settings.EMPTY, transient: Settings.EMPTY })
  store.putIndex({ ...books, mappingVersion: 9 })
  expect(bodyOf(folder, 'node')).toContain(later)
  expect(bodyOf(folder, 'node')).toContain('{"persistent":{}}')
  expect(bodyOf(folder, 'indices', books.uuid)).toContain(later)
  expect(open(folder).index('books')!.mappingVersion).toBe(9)
})

it('opens metadata with data streams, tombstones, rollovers and its version for good', () => {
  const folder = copyOf('streams')
  const store = open(folder)
  const [first, second] = store.indices()
  expect([first!.name, second!.name]).toEqual(['.ds-logs-a-000001', '.ds-logs-a-000002'])
  const stream = store.dataStream('logs-a')!
  expect(stream).toEqual({
    name: 'logs-a',
    timestampField: 'at',
    generation: 2,
    indices: [first, second].map(index => ({ name: index!.name, uuid: index!.uuid })),
  })
  expect(store.dataStreamOf(first!)).toBe(stream)
  expect(store.indicesOfStream(stream)).toEqual([first, second])
  expect(first!.mapping.options.streamTimestamp).toEqual({ enabled: true, field: 'at' })
  expect([...first!.rolloverInfo]).toEqual([
    [
      'logs-a',
      {
        met: [
          { kind: 'docs', value: '1' },
          { kind: 'age', value: '0d' },
        ],
        timeInMillis: expect.any(Number),
      },
    ],
  ])
  expect(store.node.graveyard.map(({ name }) => name)).toEqual(['gone'])
  expect(store.node.indexTemplates.get('logs')!.dataStream).toEqual({ timestampField: 'at' })
  expect(store.version).toBe(5)
  for (const index of store.indices()) store.putIndex(index)
  store.putNode({ dataStreams: store.node.dataStreams })
  const again = open(folder)
  expect(again.node).toEqual(store.node)
  expect(again.version).toBe(8)
})
