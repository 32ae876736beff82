import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { BufferMemory } from '../../src/indexing/buffer-memory.ts'
import { FieldBuffer } from '../../src/indexing/field-buffer.ts'
import { makeRoom } from '../../src/indexing/term-log.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'

const analyzer = new AnalysisRegistry(new Map()).defaultAnalyzer
// Its own: in that of the process other files leave blocks of other sizes.
const memory = new BufferMemory(makeRoom)

function fieldOf(hasPositions: boolean, from: BufferMemory = memory): FieldBuffer {
  return new FieldBuffer(
    {
      name: 'f',
      indexOptions: hasPositions ? 'positions' : 'freqs',
      hasNorms: true,
      docValues: 'none',
      valueKind: 'long',
      hasPoints: false,
    },
    from,
  )
}

/** What a field holds after documents of several texts each, and is then released. */
function contentOf(
  docs: readonly (readonly string[])[],
  hasPositions: boolean,
  hasWords: boolean,
): unknown {
  const field = fieldOf(hasPositions)
  const alone = {
    words: null,
    repeated: () => expect.unreachable('no frequencies'),
    token: (bytes: Uint8Array, start: number, end: number, position: number) =>
      field.token(bytes, start, end, position),
  }
  const ends: number[] = []
  docs.forEach((texts, slot) => {
    field.startDocument(slot)
    let position = -1
    for (const text of texts) {
      const bytes = encodeUtf8(`"${text}"`)
      const end = bytes.length - 1
      position = analyzer.analyzeBytes(bytes, 1, end, position, hasWords ? field : alone) + 100
      ends.push(position)
    }
  })
  const { terms, log } = field.tokens
  const found = {
    ends,
    terms: Array.from({ length: terms.count }, (_, i) =>
      Buffer.from(terms.bytes.subarray(terms.offsets[i], terms.offsets[i + 1])).toString(),
    ),
    log: [...log],
    lengths: [...field.lengths.subarray(0, docs.length)],
    starts: [...field.logStarts.subarray(0, docs.length)],
  }
  field.tokens.release()
  return found
}

describe('a field of a buffer', () => {
  it('finds the words of a text by kernel as the analyzer alone does', () => {
    const unit = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'abcXYZ0189  .,:;\'_#*-"(é一\u0301\u200d💩\n') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(' The', ' quick', '. Then', 'e.g.', "don't", '3.14', 'a_b'),
      },
      {
        weight: 1,
        arbitrary: fc
          .integer({ min: 1, max: 200 })
          .map(length => 'Ab3'.repeat(67).slice(0, length)),
      },
    )
    const texts = fc.array(fc.string({ unit, maxLength: 90 }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), fc.boolean(), (docs, hasPositions) => {
        expect(contentOf(docs, hasPositions, true)).toEqual(contentOf(docs, hasPositions, false))
      }),
      { seed: 11, numRuns: 3000 },
    )
  })

  it('keeps terms apart whose first eight bytes, or all but the last, are the same', () => {
    const field = fieldOf(true)
    const numbers = new Map<string, number>()
    field.startDocument(0)
    for (let i = 0; i < 20_000; i++) {
      const text = ['a'.repeat(8 + (i % 40)), `${'b'.repeat(i % 24)}${i}`, `${i}`][i % 3]!
      const bytes = encodeUtf8(text)
      field.token(bytes, 0, bytes.length, i)
      const term = field.tokens.log.at(-1)!
      expect(numbers.get(text) ?? numbers.size).toBe(term)
      numbers.set(text, term)
    }
    expect(field.tokens.count).toBe(numbers.size)
    field.tokens.release()
  })

  it('takes the memory of released fields again', () => {
    const fill = (): number => {
      const field = fieldOf(true)
      field.startDocument(0)
      for (let i = 0; i < 5000; i++) {
        const bytes = encodeUtf8(`term ${i} and more`)
        analyzer.analyzeBytes(bytes, 0, bytes.length, 4 * i, field)
      }
      const { bytes } = field.tokens
      field.tokens.release()
      return bytes
    }
    const other = fieldOf(true)
    // Which blocks of a size go to what differs the second time.
    fill()
    fill()
    const before = memory.allocated
    for (let i = 0; i < 20; i++) expect(fill()).toBeGreaterThan(50_000)
    expect(memory.allocated).toBe(before)
    other.tokens.release()
    expect(memory.allocated).toBeLessThan(before - 50_000)
  })
  it('refuses words that its memory has no room for, and goes on when there is some', () => {
    const small = new BufferMemory(makeRoom)
    const field = fieldOf(true, small)
    const held: [number, number][] = []
    for (let bytes = 2 ** 30; bytes >= 64; ) {
      try {
        held.push([small.allocate(bytes), bytes])
      } catch {
        bytes /= 2
      }
    }
    let slot = 0
    const addWord = (): void => {
      const bytes = encodeUtf8(`w${slot}`)
      field.startDocument(slot)
      try {
        analyzer.analyzeBytes(bytes, 0, bytes.length, -1, field)
      } catch (error) {
        field.dropDocument()
        throw error
      }
      slot++
    }
    const fillUp = (): void => {
      for (let i = 0; i < 100_000; i++) addWord()
    }
    expect(fillUp).toThrow(/have no room for \d+ more: refresh or flush/)
    expect(fillUp).toThrow(/have no room for/)
    const { count } = field.tokens
    for (const [at, bytes] of held) small.release(at, bytes)
    for (let i = 0; i < 1000; i++) addWord()
    expect(field.tokens.count).toBeGreaterThanOrEqual(count + 999)
    expect(field.docCount).toBe(slot)
    expect([...field.tokens.log]).toHaveLength(slot)
  })
})
