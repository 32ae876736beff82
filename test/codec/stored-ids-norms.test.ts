import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openIds } from '../../src/codec/ids/reader.ts'
import { writeIds } from '../../src/codec/ids/writer.ts'
import { readLiveDocs } from '../../src/codec/live-docs/reader.ts'
import { writeLiveDocs } from '../../src/codec/live-docs/writer.ts'
import { readManifest } from '../../src/codec/manifest/reader.ts'
import { writeManifest } from '../../src/codec/manifest/writer.ts'
import { CODED_LENGTHS, encodeLength } from '../../src/codec/norms/length-code.ts'
import { NormsReader } from '../../src/codec/norms/reader.ts'
import { writeNorms } from '../../src/codec/norms/writer.ts'
import { StoredReader } from '../../src/codec/stored/reader.ts'
import { StoredWriter } from '../../src/codec/stored/writer.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { CorruptSegmentError, EngineError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(16 << 20)
const segmentId = Uint8Array.from({ length: 16 }, (_, i) => i)

describe('stored fields', () => {
  it('come back byte for byte, whatever their size', () => {
    const random = new Random(4)
    const sources = Array.from({ length: 500 }, (_, i) => {
      const length = i % 97 === 0 ? 70_000 : random.below(900)
      return Uint8Array.from({ length }, () => 32 + random.below(40))
    })
    const writer = new StoredWriter(segmentId)
    for (const source of sources) writer.add(source)
    const file = writer.finish()
    const reader = new StoredReader('x.sto', file.length, (at, n) => file.subarray(at, at + n))
    expect(reader.maxDoc).toBe(500)
    expect(reader.blockCount).toBeGreaterThan(10)
    for (const doc of [0, 499, ...Array.from({ length: 100 }, () => random.below(500))])
      expect(Buffer.compare(reader.read(doc), sources[doc]!)).toBe(0)
  })

  it('have what a record has behind its source, in version 2 alone', () => {
    const pairs = Array.from({ length: 90 }, (_, i) => [
      encodeUtf8(i % 3 === 0 ? '' : `{"s":${i}}`.repeat(i)),
      encodeUtf8(i % 4 === 0 ? '' : `{"v":${i}}`),
    ])
    const fileOf = (withValues: boolean): Uint8Array => {
      const writer = new StoredWriter(segmentId)
      for (const [source, values] of pairs) {
        const record = withValues ? Buffer.concat([source!, values!]) : source!
        writer.add(record, 0, record.length, source!.length)
      }
      return writer.finish()
    }
    const versionOf = (file: Uint8Array): number => {
      const view = new DataView(file.buffer, file.byteOffset, file.length)
      return view.getUint32(view.getUint32(file.length - 32, true), true)
    }
    expect([false, true].map(each => versionOf(fileOf(each)))).toEqual([1, 2])
    const file = fileOf(true)
    const reader = new StoredReader('x.sto', file.length, (at, n) => file.subarray(at, at + n))
    for (const [doc, [source, values]] of pairs.entries()) {
      const block = reader.readBlock(reader.blockOf(doc))
      expect(reader.sourceLength(doc)).toBe(source!.length)
      expect(reader.recordLength(doc)).toBe(source!.length + values!.length)
      expect(Buffer.compare(reader.read(doc), source!)).toBe(0)
      expect(Buffer.compare(reader.besideIn(block, doc), values!)).toBe(0)
    }
  })

  it('refuse a source that is longer than its record, and a version to come', () => {
    const writer = new StoredWriter(segmentId)
    writer.add(encodeUtf8('{}{}'), 0, 4, 2)
    const reading = (change: (directory: DataView) => void): (() => unknown) => {
      const file = writer.finish().slice()
      const view = new DataView(file.buffer)
      const at = view.getUint32(file.length - 32, true)
      const length = view.getUint32(file.length - 24, true)
      change(new DataView(file.buffer, at, length))
      view.setUint32(file.length - 20, crc32(file.subarray(at, at + length)), true)
      return () =>
        new StoredReader('x.sto', file.length, (from, n) => file.subarray(from, from + n))
    }
    expect(reading(directory => directory.setUint32(directory.byteLength - 4, 5, true))).toThrow(
      'expected a source of at most 4 bytes, found 5',
    )
    expect(reading(directory => directory.setUint32(0, 3, true))).toThrow(
      'expected version 1 or 2, found 3',
    )
  })

  it('say so when a byte of a block was changed', () => {
    const writer = new StoredWriter(segmentId)
    for (let i = 0; i < 40; i++) writer.add(encodeUtf8(`{"n":${i}}`.repeat(100)))
    const file = writer.finish()
    file[100] = file[100]! ^ 1
    const reader = new StoredReader('x.sto', file.length, (at, n) => file.subarray(at, at + n))
    expect(() => reader.read(0)).toThrow(CorruptSegmentError)
  })
})

describe('ids', () => {
  it.each([0, 1, 2, 1000])('find each of %i documents, and the youngest of equal ones', count => {
    const ids = Array.from({ length: count }, (_, i) => encodeUtf8(`id-${i % 900}`))
    const offsets = new Uint32Array(count + 1)
    for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + ids[i]!.length
    arena.clear()
    const bytes = Buffer.concat(ids)
    const reader = openIds(arena.section(writeIds(bytes, offsets, count)))
    for (let i = 0; i < count; i++) {
      const youngest = i + 900 < count ? i + 900 : i
      expect(reader.lookup(ids[i]!)).toBe(youngest)
      expect(reader.lookup(ids[i]!, doc => doc < 900)).toBe(i % 900)
      expect(Buffer.from(reader.id(i)).toString()).toBe(`id-${i % 900}`)
    }
    expect(reader.lookup(encodeUtf8('nobody'))).toBe(-1)
  })
})

describe('norms', () => {
  it('code lengths as Lucene does: exactly below 40, then rounding down', () => {
    for (let length = 0; length < 40; length++)
      expect(CODED_LENGTHS[encodeLength(length)]).toBe(length)
    // Facts from SmallFloat.intToByte4 of Lucene 8.8.1.
    expect(CODED_LENGTHS[encodeLength(41)]).toBe(40)
    expect(CODED_LENGTHS[encodeLength(1000)]).toBe(984)
    expect(encodeLength(0x7fffffff)).toBe(255)
    for (let length = 1; length < 100_000; length++)
      expect(CODED_LENGTHS[encodeLength(length)]).toBeLessThanOrEqual(length)
  })

  it('tell an empty text from an absent field', () => {
    const present = new BitSet(3)
    present.add(0)
    present.add(2)
    arena.clear()
    const reader = new NormsReader(arena.section(writeNorms(Uint8Array.of(3, 0, 0), present)))
    expect([0, 1, 2].map(doc => reader.has(doc))).toEqual([true, false, true])
    expect([0, 1, 2].map(doc => reader.code(doc))).toEqual([3, 0, 0])
    expect(reader.docCount).toBe(2)
  })
})

describe('live docs and commit points', () => {
  it('come back, and every changed byte is seen', () => {
    const live = new BitSet(100)
    live.addRange(0, 100)
    live.delete(7)
    const file = writeLiveDocs(segmentId, live)
    expect(readLiveDocs('a.liv', file)).toEqual({ segmentId, live, deletedCount: 1 })
    const manifest = {
      generation: 3,
      storeId: segmentId,
      segments: [
        {
          name: '_0',
          id: segmentId,
          maxDoc: 100,
          deletedDocs: 1,
          liveDocsGeneration: 2,
          files: [{ name: '_0.seg', length: 10, checksum: 77 }],
          minSeqNo: 0,
          maxSeqNo: 99,
        },
      ],
      nextSegment: 1,
      maxSeqNo: 99,
      localCheckpoint: 99,
      primaryTerm: 1,
      logId: 'log',
      logGeneration: 5,
      created: 1234,
    }
    const commit = writeManifest(manifest)
    expect(readManifest('commit_3', commit)).toEqual(manifest)
    for (const [bytes, read] of [
      [file, readLiveDocs],
      [commit, readManifest],
    ] as const) {
      for (let at = 0; at < bytes.length; at++) {
        const damaged = bytes.slice()
        damaged[at] = damaged[at]! ^ (1 << (at & 7))
        expect(() => read('f', damaged)).toThrow(EngineError)
        expect(() => read('f', bytes.slice(0, at))).toThrow(CorruptSegmentError)
      }
    }
  })
})
