import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { InvertedBuffer } from '../../src/indexing/inverted-buffer.ts'
import { sealBuffer } from '../../src/indexing/seal.ts'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../src/schema/mapping.ts'
import { parseMapping } from '../../src/schema/mapping-parser.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { openWholeSegment } from '../../src/segment/open-segment.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import { printAddress } from '../../src/util/ip-address.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of addresses, byte strings, intervals and places: stays here for good and must open. */
const FOLDER = join(import.meta.dirname, '../golden/segments/fields-v1')
const NAMES = ['_0.seg', '_0.sto']
const COUNT = 700
const SEGMENT_ID = Uint8Array.from({ length: 16 }, (_, i) => i * 5)
const MAPPING = {
  properties: {
    ip: { type: 'ip' },
    bin: { type: 'binary', doc_values: true },
    span: { type: 'long_range' },
    block: { type: 'ip_range', doc_values: false },
    place: { type: 'geo_point' },
  },
}

const addressOf = (i: number): string =>
  i % 3 === 0 ? `2001:db8::${1 + (i % 50)}` : `10.0.${i % 7}.${i % 200}`
const bytesOf = (i: number): number[] => Array.from({ length: i % 5 }, (_, at) => (i + at) % 256)

function documentOf(i: number): Record<string, unknown> {
  return {
    ip: i % 4 === 0 ? [addressOf(i), addressOf(i + 1)] : addressOf(i),
    ...(i % 2 === 0 ? { bin: Buffer.from(bytesOf(i)).toString('base64') } : {}),
    span: { gte: i - 350, lt: 2 * i + 10 },
    block: `10.${i % 256}.0.0/16`,
    place: { lat: (i % 181) - 90, lon: (i % 361) - 180 },
  }
}

function build(): Map<string, Uint8Array> {
  const mapping = parseMapping(parseJsonTree(encodeUtf8(JSON.stringify(MAPPING))), {
    limits: DEFAULT_MAPPING_LIMITS,
    hasAnalyzer: () => true,
    hasNormalizer: () => true,
  })
  const parser = new DocumentParser(mapping, 20)
  const buffer = new InvertedBuffer()
  buffer.useMapping(mapping, new AnalysisRegistry(new Map()))
  for (let i = 0; i < COUNT; i++) {
    const source = encodeUtf8(JSON.stringify(documentOf(i)))
    parser.parse(source, 0, source.length, `id${i}`)
    buffer.addDocument(parser.document, `id${i}`, null)
  }
  const { segment, stored } = sealBuffer(buffer, {
    seqNos: Float64Array.from({ length: COUNT }, (_, i) => i),
    versions: new BigInt64Array(COUNT).fill(1n),
    primaryTerms: new Float64Array(COUNT).fill(1),
    deadSlots: new Int32Array(0),
    segmentId: SEGMENT_ID,
    created: 1_700_000_000_000,
    sort: '',
  })
  return new Map([
    ['_0.seg', segment],
    ['_0.sto', stored],
  ])
}

function golden(): Map<string, Uint8Array> {
  if (process.env['UPDATE_GOLDEN'] === '1' || !existsSync(FOLDER)) {
    mkdirSync(FOLDER, { recursive: true })
    for (const [name, bytes] of build()) writeFileSync(join(FOLDER, name), bytes)
  }
  return new Map(NAMES.map(name => [name, new Uint8Array(readFileSync(join(FOLDER, name)))]))
}

const arena = testArena()

function open(files: ReadonlyMap<string, Uint8Array>): Leaf {
  arena.clear()
  const directory = new MemoryDirectory()
  for (const [name, bytes] of files) directory.write(name, bytes)
  return openWholeSegment(directory, '_0', null, arena)
}

/** Reads everything that the segment holds, through the readers that searches use. */
function check(files: ReadonlyMap<string, Uint8Array>): void {
  const leaf = open(files)
  const terms = leaf.terms('ip')!
  const ordinals = leaf.ordinals('ip')!
  const ords: string[] = []
  leaf.points('ip')!.visitAll((doc, _hi, ord) => ords.push(`${doc}:${ord}`))
  const byteStrings = leaf.bytes('bin')!
  const places = leaf.numericValues('place')!
  for (let i = 0; i < COUNT; i++) {
    ordinals.advanceExact(i)
    const held = Array.from({ length: ordinals.valueCount() }, (_, at) => ordinals.ord(at))
    for (const ord of held) expect(ords).toContain(`${i}:${ord}`)
    const addresses = held.map(ord => printAddress(terms.termOfOrd(ord)))
    const given = i % 4 === 0 ? [addressOf(i), addressOf(i + 1)] : [addressOf(i)]
    expect(new Set(addresses)).toEqual(new Set(given))
    expect(byteStrings.advanceExact(i)).toBe(i % 2 === 0)
    if (i % 2 === 0) expect([...byteStrings.value(0)]).toEqual(bytesOf(i))
    expect(places.advanceExact(i)).toBe(true)
    const { lat, lon } = documentOf(i)['place'] as { lat: number; lon: number }
    expect((places.hi() * 180) / 2 ** 32).toBeCloseTo(lat, 6)
    expect(((places.lo() | 0) * 360) / 2 ** 32).toBeCloseTo(lon, 6)
  }
  const SIGN = 0x80000000
  const spans = new Map<number, number[]>()
  leaf
    .boxes('span')!
    .visitAll((doc, words) =>
      spans.set(doc, [(words[1]! | 0) + 0, words[0]! < SIGN ? -1 : 1, words[3]! | 0]),
    )
  for (let i = 0; i < COUNT; i++)
    expect(spans.get(i)).toEqual([i - 350, i < 350 ? -1 : 1, 2 * i + 9])
  expect(leaf.boxes('block')!.count).toBe(COUNT)
  expect(leaf.boxes('place')!.docCount).toBe(COUNT)
  expect(leaf.bytes('span')!.docCount).toBe(COUNT)
  expect(leaf.bytes('block')).toBeNull()
}

describe('the golden segment of addresses, byte strings, intervals and places', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    for (const [name, bytes] of build())
      expect(Buffer.compare(bytes, golden().get(name)!), name).toBe(0)
  })

  it('opens, and holds what was written', () => check(golden()))

  it('answers right or is refused with a clear error, whatever is cut or flipped', () => {
    const whole = golden()
    const random = new Random(4712)
    let refused = 0
    for (let round = 0; round < 100; round++) {
      const files = new Map([...whole].map(([name, bytes]) => [name, bytes.slice()]))
      const segment = files.get('_0.seg')!
      const at = random.below(segment.length)
      if (random.below(4) === 0) files.set('_0.seg', segment.slice(0, at))
      else segment[at] = segment[at]! ^ (1 + random.below(255))
      try {
        check(files)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        refused++
      }
    }
    expect(refused).toBeGreaterThan(50)
  })
})
