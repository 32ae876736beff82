import { expect, it } from 'vitest'
import { StoredReader } from '../../src/codec/stored/reader.ts'
import { StoredWriter } from '../../src/codec/stored/writer.ts'
import type { MergedDocs } from '../../src/indexing/merged-docs.ts'
import { mergeStored } from '../../src/indexing/merged-stored.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { Random } from '../../src/util/random.ts'

function readerOf(file: Uint8Array): StoredReader {
  return new StoredReader('_0.sto', file.length, (at, length) => file.subarray(at, at + length))
}

function sourcesOf(random: Random, leaf: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, doc) =>
    random.below(50) === 0
      ? new Uint8Array(0)
      : encodeUtf8(`{"from":"${leaf}-${doc}","t":"${'x'.repeat(random.below(900))}"}`),
  )
}

/** @param beside bytes of each record behind its source */
function fileOf(sources: readonly Uint8Array[], beside = 0): Uint8Array {
  const writer = new StoredWriter(new Uint8Array(16))
  for (const source of sources) writer.add(source, 0, source.length, source.length - beside)
  return writer.finish()
}

/** Documents in order of arrival of which `isLive` keeps some. */
function arrival(counts: readonly number[], isLive: (leaf: number, doc: number) => boolean) {
  let maxDoc = 0
  const docMaps = counts.map((count, leaf) =>
    Int32Array.from({ length: count }, (_, doc) => (isLive(leaf, doc) ? maxDoc++ : -1)),
  )
  return { maxDoc, docMaps, origins: null } satisfies MergedDocs
}

it('takes over the blocks of a file of which no document is left out', () => {
  const file = fileOf(sourcesOf(new Random(1), 0, 2000))
  const merged = mergeStored(
    [readerOf(file)],
    arrival([2000], () => true),
    new Uint8Array(16),
  )
  expect(Buffer.compare(merged, file)).toBe(0)
})

it('keeps sources in their order, with and without deletes, and few small blocks', () => {
  const random = new Random(2)
  for (const counts of [[1500, 900, 0, 40, 1200], Array(40).fill(12), [1], []]) {
    const sources = counts.map((count, leaf) => sourcesOf(random, leaf, count))
    const readers = sources.map(list => readerOf(fileOf(list)))
    for (const deletes of [0, 0.01, 0.5, 1]) {
      const docs = arrival(counts, () => random.next() >= deletes)
      const kept = sources.flatMap((list, leaf) =>
        list.filter((_, i) => docs.docMaps[leaf]![i]! >= 0),
      )
      const reader = readerOf(mergeStored(readers, docs, new Uint8Array(16)))
      expect(reader.maxDoc).toBe(kept.length)
      for (const [doc, source] of kept.entries())
        expect(Buffer.compare(reader.read(doc), source)).toBe(0)
      const bytes = kept.reduce((sum, source) => sum + source.length, 0)
      expect(reader.blockCount).toBeLessThanOrEqual(Math.ceil(bytes / 16_384) + counts.length + 1)
    }
  }
})

it('refuses a damaged block that it would take over', () => {
  const file = fileOf(sourcesOf(new Random(3), 0, 500))
  file[40]! ^= 1
  const docs = arrival([500], () => true)
  expect(() => mergeStored([readerOf(file)], docs, new Uint8Array(16))).toThrow('checksum')
})

it('puts sources into another order, however few fit the memory', () => {
  const random = new Random(5)
  const counts = [300, 0, 120]
  const readers = counts.map((count, leaf) => readerOf(fileOf(sourcesOf(random, leaf, count))))
  // Every seventh document is left out, the others are shuffled.
  const places = counts.flatMap((count, leaf) =>
    Array.from({ length: count }, (_, doc) => ({ leaf, doc, key: random.next() })),
  )
  const kept = places.filter((_, i) => i % 7 !== 0).sort((a, b) => a.key - b.key)
  const docMaps = counts.map(count => new Int32Array(count).fill(-1))
  for (const [target, { leaf, doc }] of kept.entries()) docMaps[leaf]![doc] = target
  const docs: MergedDocs = {
    maxDoc: kept.length,
    docMaps,
    origins: {
      leaves: Uint32Array.from(kept, ({ leaf }) => leaf),
      docs: Int32Array.from(kept, ({ doc }) => doc),
    },
  }
  const merged = [1, 5000, 1 << 20].map(bytes =>
    mergeStored(readers, docs, new Uint8Array(16), () => {}, bytes),
  )
  expect(merged[1]).toEqual(merged[0])
  expect(merged[2]).toEqual(merged[0])
  const reader = readerOf(merged[0]!)
  expect(reader.maxDoc).toBe(kept.length)
  for (const [target, { leaf, doc }] of kept.entries())
    expect(Buffer.from(reader.read(target))).toEqual(Buffer.from(readers[leaf]!.read(doc)))
})

it('keeps what records have behind their sources, copied, moved and beside files without any', () => {
  const random = new Random(9)
  const BESIDE = 3
  const counts = [400, 300]
  const sources = counts.map((count, leaf) =>
    Array.from({ length: count }, (_, doc) =>
      encodeUtf8(`{"d":"${leaf}-${doc}${'y'.repeat(500)}"}`),
    ),
  )
  const readers = sources.map((list, leaf) => readerOf(fileOf(list, leaf === 0 ? BESIDE : 0)))
  const inOrder = arrival(counts, () => random.below(10) > 0)
  const places = inOrder.docMaps.flatMap((map, leaf) =>
    Array.from(map, (target, doc) => ({ leaf, doc, target })).filter(({ target }) => target >= 0),
  )
  const reversed: MergedDocs = {
    maxDoc: inOrder.maxDoc,
    docMaps: inOrder.docMaps.map(map => map.map(to => (to < 0 ? -1 : inOrder.maxDoc - 1 - to))),
    origins: {
      leaves: Uint32Array.from(places.toReversed(), ({ leaf }) => leaf),
      docs: Int32Array.from(places.toReversed(), ({ doc }) => doc),
    },
  }
  for (const docs of [arrival(counts, () => true), inOrder, reversed]) {
    const reader = readerOf(mergeStored(readers, docs, new Uint8Array(16)))
    for (const [leaf, map] of docs.docMaps.entries())
      for (const [doc, target] of map.entries()) {
        if (target < 0) continue
        const record = sources[leaf]![doc]!
        const end = record.length - (leaf === 0 ? BESIDE : 0)
        const block = reader.readBlock(reader.blockOf(target))
        expect(Buffer.compare(reader.read(target), record.subarray(0, end))).toBe(0)
        expect(Buffer.compare(reader.besideIn(block, target), record.subarray(end))).toBe(0)
      }
  }
})
