import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BestFirst } from '../../src/codec/completions/best-first.ts'
import { CompletionColumn } from '../../src/codec/completions/completion-column.ts'
import { CompletionsReader } from '../../src/codec/completions/reader.ts'
import { writeCompletions } from '../../src/codec/completions/writer.ts'
import { compareBytes, decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(8 << 20)

interface Entry {
  readonly key: string
  readonly surface: string
  readonly weight: number
  readonly doc: number
}

function bytesOf(entries: readonly Entry[], hasContexts = false): Uint8Array {
  const column = new CompletionColumn(hasContexts)
  for (const { key, surface, weight, doc } of entries) {
    const start = encodeUtf8(key)
    const bytes = encodeUtf8(key + surface)
    column.push(doc, weight, bytes, 0, start.length, bytes.length)
  }
  return writeCompletions(column, 1 << 20)
}

function readerOf(entries: readonly Entry[], hasContexts = false): CompletionsReader {
  return new CompletionsReader(arena.section(bytesOf(entries, hasContexts)))
}

const compareTexts = (a: string, b: string): number => compareBytes(encodeUtf8(a), encodeUtf8(b))
const inOrder = (a: Entry, b: Entry): number =>
  compareTexts(a.key, b.key) ||
  b.weight - a.weight ||
  compareTexts(a.surface, b.surface) ||
  a.doc - b.doc

function sorted(entries: readonly Entry[]): Entry[] {
  const order = [...entries].sort(inOrder)
  return order.filter((entry, i) => i === 0 || inOrder(order[i - 1]!, entry) !== 0)
}

function allOf(reader: CompletionsReader): Entry[] {
  const cursor = reader.cursor()
  return Array.from({ length: reader.count }, (_, entry) => {
    cursor.moveTo(entry)
    const key = decodeUtf8(cursor.key.subarray(0, cursor.keyLength))
    return { key, surface: decodeUtf8(cursor.surface()), weight: cursor.weight, doc: cursor.doc }
  })
}

/** Keys of few letters, so that many share beginnings or are the same. */
const entry = fc.record({
  key: fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '\u001f', 'é'), minLength: 1, maxLength: 5 }),
    fc.string({ minLength: 1, maxLength: 90 }),
  ),
  surface: fc.string({ minLength: 1, maxLength: 6 }),
  weight: fc.oneof(fc.nat(3), fc.nat(2147483647)),
  doc: fc.nat(300),
})
const entries = fc
  .tuple(fc.array(entry, { minLength: 1, maxLength: 400 }), fc.boolean())
  .map(([list, plain]) =>
    plain ? list.map(each => ({ ...each, surface: each.key.replaceAll('\u001f', ' ') })) : list,
  )

describe('completions', () => {
  it('hold every entry once, in order', () => {
    fc.assert(
      fc.property(entries, given => {
        arena.clear()
        expect(allOf(readerOf(given))).toEqual(sorted(given))
      }),
      { numRuns: 60 },
    )
  })

  it('tell contexts from inputs, whatever the surface form', () => {
    const given = [
      { key: '\u0000red\u001dfoo\u001fbar', surface: 'foo bar', weight: 1, doc: 0 },
      { key: '\u0000red\u001dfoo', surface: 'Foo', weight: 1, doc: 1 },
    ]
    arena.clear()
    const reader = readerOf(given, true)
    expect(allOf(reader)).toEqual(sorted(given))
    const cursor = reader.cursor()
    cursor.moveTo(0)
    expect(cursor.contextLength()).toBe(5)
  })

  it('find the first entry at or above a key', () => {
    fc.assert(
      fc.property(entries, entry, (given, { key }) => {
        arena.clear()
        const wanted = sorted(given).findIndex(each => compareTexts(each.key, key) >= 0)
        const reader = readerOf(given)
        expect(reader.seekCeil(encodeUtf8(key))).toBe(wanted < 0 ? reader.count : wanted)
      }),
      { numRuns: 100 },
    )
  })

  it('give the entries of ranges from the best down, equal ones in order', () => {
    const boosts = fc.array(fc.nat(4), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(entries, boosts, fc.array(fc.nat(400), { maxLength: 6 }), (given, by, cuts) => {
        arena.clear()
        const reader = readerOf(given)
        const ends = [...new Set(cuts.map(cut => cut % (reader.count + 1)))].sort((a, b) => a - b)
        const ranges = ends.slice(1).map((end, i) => ({
          start: ends[i]!,
          end,
          scoreOf: (weight: number) => weight * by[i % by.length]!,
        }))
        const all = allOf(reader)
        const wanted = ranges
          .flatMap(({ start, end, scoreOf }) =>
            all.slice(start, end).map((each, i) => [start + i, scoreOf(each.weight)] as const),
          )
          .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        const walk = new BestFirst(reader, ranges)
        const found: (readonly [number, number])[] = []
        while (walk.next()) found.push([walk.entry, walk.score])
        expect(found).toEqual(wanted)
      }),
      { numRuns: 100 },
    )
  })

  it('find the best of many entries by the maxima of all levels', () => {
    const given = Array.from({ length: 9000 }, (_, i) => ({
      key: String(i).padStart(5, '0'),
      surface: 's',
      weight: (i * 7919) % 9001,
      doc: i,
    }))
    arena.clear()
    const reader = readerOf(given)
    expect(reader.levelCount).toBe(4)
    const walk = new BestFirst(reader, [{ start: 100, end: 9000, scoreOf: weight => weight }])
    const best = given.slice(100).sort((a, b) => b.weight - a.weight)
    for (const { doc } of best) {
      expect(walk.next()).toBe(true)
      expect(walk.entry).toBe(doc)
    }
    expect(walk.next()).toBe(false)
  })

  it('say that they are corrupt, and read nothing beyond their end', () => {
    const whole = bytesOf(
      Array.from({ length: 40 }, (_, i) => ({ key: `key${i}`, surface: 'S', weight: i, doc: i })),
    )
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        arena.clear()
        const damaged = whole.slice()
        damaged[at] = byte
        try {
          const reader = new CompletionsReader(arena.section(damaged))
          // A smaller number of entries is none that its own blocks contradict.
          if (reader.count <= 64) allOf(reader)
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
          expect((error as EngineError).record.type).toBe('corrupt_index_exception')
        }
      }),
      { numRuns: 300 },
    )
  })
})
