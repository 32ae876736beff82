import { describe, expect, it } from 'vitest'
import { readLiveDocs } from '../../src/codec/live-docs/reader.ts'
import { writeLiveDocs } from '../../src/codec/live-docs/writer.ts'
import { readManifest } from '../../src/codec/manifest/reader.ts'
import { writeManifest } from '../../src/codec/manifest/writer.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import {
  CREATED,
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  sealDocuments,
  storedOf,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of each format version stays here for good and must open. */
const VERSIONS = ['v1', 'v2'] as const
/** What this build writes. */
const NEWEST = 'v2'
const COUNT = 700
const SEGMENT_ID = idOf(7)
const MAPPING = {
  properties: {
    body: { type: 'text' },
    tag: { type: 'keyword' },
    n: { type: 'long' },
    price: { type: 'double' },
  },
}

/** Document i of the golden segment: enough of one word to fill blocks, and every kind of value. */
function documentOf(i: number): Record<string, unknown> {
  const words = ['common', `w${i % 40}`, `rare${i}`]
  if (i % 3 === 0) words.push('common', 'third')
  return {
    body: words.join(' '),
    ...(i % 2 === 0 ? { tag: [`t${i % 5}`, 'even'] } : {}),
    n: i * i - 1000,
    ...(i % 7 === 0 ? { price: i / 8 } : {}),
  }
}

function build(): Files {
  const sealed = sealDocuments({
    properties: MAPPING.properties,
    range: [0, COUNT],
    documentOf,
    routingOf: i => (i === 5 ? 'route' : null),
    id: SEGMENT_ID,
  })
  const live = new BitSet(COUNT)
  live.addRange(0, COUNT)
  live.delete(13)
  const liveDocs = writeLiveDocs(SEGMENT_ID, live)
  const commit = writeManifest({
    generation: 1,
    storeId: SEGMENT_ID,
    segments: [],
    nextSegment: 1,
    maxSeqNo: COUNT - 1,
    localCheckpoint: COUNT - 1,
    primaryTerm: 1,
    logId: 'golden',
    logGeneration: 2,
    created: CREATED,
  })
  return new Map([...filesOf(sealed), ['_0_1.liv', liveDocs], ['commit_1', commit]])
}

const NAMES = ['_0.seg', '_0.sto', '_0_1.liv', 'commit_1']
const golden = (version: (typeof VERSIONS)[number]): Files =>
  goldenFiles(version, version === NEWEST ? build : null, NAMES)

const arena = testArena()

function open(files: Files): Leaf {
  arena.clear()
  return openFiles(files, arena)
}

/** Reads everything that the golden segment holds, through the readers that searches use. */
function check(files: Files): void {
  arena.scratch.reset()
  const leaf = open(files)
  expect(leaf.maxDoc).toBe(COUNT)
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
  const bodies = leaf.terms('body')!
  const common = bodies.lookup(encodeUtf8('common'))!
  expect([common.docFreq, common.totalTermFreq]).toEqual([COUNT, COUNT + Math.ceil(COUNT / 3)])
  const postings = leaf.postings('body', common)
  const numbers = leaf.numericValues('n')!
  const prices = leaf.numericValues('price')!
  const tags = leaf.ordinals('tag')!
  const tagTerms = leaf.terms('tag')!
  const seqNos = leaf.numericValues('_seq_no')!
  const sources = storedOf(files)
  for (let i = 0; i < COUNT; i++) {
    expect(postings.nextDoc()).toBe(i)
    expect(postings.freq()).toBe(i % 3 === 0 ? 2 : 1)
    expect(postings.nextPosition()).toBe(0)
    if (i % 3 === 0) expect(postings.nextPosition()).toBe(3)
    const mark = arena.scratch.mark()
    const rare = leaf.postings('body', bodies.lookup(encodeUtf8(`rare${i}`))!)
    expect(rare.nextDoc()).toBe(i)
    expect(rare.nextPosition()).toBe(2)
    arena.scratch.release(mark)
    expect(numbers.advanceExact(i) && numbers.number()).toBe(i * i - 1000)
    expect(prices.advanceExact(i)).toBe(i % 7 === 0)
    expect(tags.advanceExact(i)).toBe(i % 2 === 0)
    if (i % 2 === 0) {
      const values = [0, 1].map(at => text(tagTerms.termOfOrd(tags.ord(at))))
      expect(values).toEqual(['even', `t${i % 5}`])
    }
    expect(seqNos.advanceExact(i) && seqNos.number()).toBe(i)
    expect(leaf.ids().lookup(encodeUtf8(`id${i}`))).toBe(i)
    expect(JSON.parse(text(sources.read(i)))).toEqual(documentOf(i))
  }
  expect(leaf.norms('body')!.code(0)).toBe(5)
  expect(readLiveDocs('_0_1.liv', files.get('_0_1.liv')!).deletedCount).toBe(1)
  expect(readManifest('commit_1', files.get('commit_1')!).logId).toBe('golden')
}

describe('the golden segment of the newest format', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    expectSameBytes(build(), golden(NEWEST))
  })
})

describe.each(VERSIONS)('the golden segment of format %s', version => {
  it('opens, and holds what was written', () => {
    check(golden(version))
  })

  it('answers right or is refused with a clear error, whatever is cut or flipped', () => {
    const whole = golden(version)
    const seed = 4711
    const random = new Random(seed)
    let refused = 0
    for (let round = 0; round < 400; round++) {
      const files = new Map([...whole].map(([name, bytes]) => [name, bytes.slice()]))
      const names = [...files.keys()]
      const name = names[random.below(names.length)]!
      const bytes = files.get(name)!
      const at = random.below(bytes.length)
      if (random.below(3) === 0) files.set(name, bytes.slice(0, at))
      else bytes[at] = bytes[at]! ^ (1 << random.below(8))
      try {
        open(files)
        readLiveDocs('_0_1.liv', files.get('_0_1.liv')!)
        readManifest('commit_1', files.get('commit_1')!)
        const reader = storedOf(files)
        for (let block = 0; block < reader.blockCount; block++) reader.readBlock(block)
      } catch (error) {
        expect(error, `seed ${seed}, ${name} at ${at}: ${error}`).toBeInstanceOf(EngineError)
        expect((error as EngineError).type).toBe('corrupt_index_exception')
        refused++
        continue
      }
      // Only bytes that no reader needs may pass: padding between sections, whole-file checksums.
      check(files)
    }
    expect(refused).toBeGreaterThan(300)
  })
})
