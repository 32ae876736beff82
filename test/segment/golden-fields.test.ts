import { describe, expect, it } from 'vitest'
import { printAddress } from '../../src/util/ip-address.ts'
import {
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  refusalsOf,
  sealDocuments,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of addresses, byte strings, intervals and places: stays here for good and must open. */
const FOLDER = 'fields-v1'
const COUNT = 700
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

function build(): Files {
  const { properties } = MAPPING
  return filesOf(sealDocuments({ properties, range: [0, COUNT], documentOf, id: idOf(5) }))
}

const arena = testArena()
const golden = (): Files => goldenFiles(FOLDER, build)

/** Reads everything that the segment holds, through the readers that searches use. */
function check(files: Files): void {
  arena.clear()
  const leaf = openFiles(files, arena)
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
    expectSameBytes(build(), golden())
  })

  it('opens, and holds what was written', () => check(golden()))

  it('answers right or is refused with a clear error, whatever is cut or flipped', () => {
    expect(refusalsOf(golden(), 4712, check)).toBeGreaterThan(50)
  })
})
