import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shingled } from '../../src/engine/dsl/query-shingles.ts'
import { TailSink } from '../../src/indexing/token-tail.ts'
import type { TokenTail } from '../../src/schema/field-storage.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'

/** The terms that a tail makes of words by position; a position may have several words or none. */
function terms(tail: TokenTail, positions: readonly (readonly string[])[]): string[] {
  const found: string[] = []
  const tailSink = new TailSink(tail, {
    words: null,
    token(bytes, start, end, position) {
      found.push(`${position}:${decodeUtf8(bytes.subarray(start, end))}`)
    },
    repeated() {
      throw new Error('terms of a tail have no frequencies of their own')
    },
  })
  tailSink.start()
  for (const [position, words] of positions.entries())
    for (const word of words) {
      const bytes = encodeUtf8(word)
      tailSink.token(bytes, 0, bytes.length, position)
    }
  tailSink.flush()
  return found
}

const WORDS = fc.array(fc.array(fc.stringMatching(/^[aé😀]{1,5}$/u), { maxLength: 2 }), {
  minLength: 1,
  maxLength: 6,
})

describe('terms of derived fields', () => {
  it('are the beginnings of each word, by code points', () => {
    expect(terms({ kind: 'prefixes', min: 1, max: 2 }, [['aé😀'], ['b']])).toEqual([
      '0:a',
      '0:aé',
      '1:b',
    ])
    fc.assert(
      fc.property(WORDS, fc.integer({ min: 1, max: 4 }), (words, min) => {
        const expected = words.flatMap((row, position) =>
          row.flatMap(word =>
            [...word].flatMap((_, i, all) =>
              i + 1 >= min && i < 4 ? [`${position}:${all.slice(0, i + 1).join('')}`] : [],
            ),
          ),
        )
        expect(terms({ kind: 'prefixes', min, max: 4 }, words)).toEqual(expected)
      }),
      { seed: 1 },
    )
  })

  it('are words in a row, as queries make them too', () => {
    expect(terms({ kind: 'shingles', size: 2 }, [['a'], [], ['b'], ['c', 'd']])).toEqual([
      '0:a _',
      '2:b c',
      '2:b d',
    ])
    fc.assert(
      fc.property(WORDS, fc.integer({ min: 2, max: 4 }), (rows, size) => {
        // A query's tokens begin with the first word and end with the last.
        const first = rows.findIndex(row => row.length > 0)
        const words = first < 0 ? [] : rows.slice(first)
        while (words.length > 0 && words[words.length - 1]!.length === 0) words.pop()
        let last = -1
        const tokens = words.flatMap((row, position) =>
          row.map(term => {
            const positionIncrement = position - last
            last = position
            return { term, positionIncrement, positionLength: 1, endOffset: 0 }
          }),
        )
        let position = -1
        const asked = shingled(tokens, size).map(row => {
          position += row.positionIncrement
          return `${position}:${row.term}`
        })
        expect(asked).toEqual(terms({ kind: 'shingles', size }, words))
      }),
      { seed: 2 },
    )
  })

  it('are beginnings of words in a row, fewer at the end of a value', () => {
    expect(terms({ kind: 'shinglePrefixes', size: 2, max: 3 }, [['ab'], ['cd']])).toEqual([
      '0:a',
      '0:ab',
      '0:ab ',
      '1:c',
      '1:cd',
    ])
  })

  it('have fillers where positions are left out, and cost nothing for them', () => {
    const gap = Array.from({ length: 5 }, (): string[] => [])
    expect(terms({ kind: 'shinglePrefixes', size: 3, max: 9 }, [['a'], ...gap, ['b']])).toEqual([
      '0:a',
      '0:a ',
      '0:a _',
      '0:a _ ',
      '0:a _ _',
      '6:b',
    ])
    const found: number[] = []
    const sink = new TailSink(
      { kind: 'shingles', size: 2 },
      { words: null, token: (_b, _s, _e, position) => found.push(position), repeated: () => {} },
    )
    sink.start()
    for (const position of [0, 2_000_000_000, 2_000_000_001])
      sink.token(encodeUtf8('a'), 0, 1, position)
    sink.flush()
    expect(found).toEqual([0, 2_000_000_000])
  })

  it('are bounded where many words share their positions', () => {
    const many = Array.from({ length: 200 }, (_, i) => `w${i}`)
    expect(() => terms({ kind: 'shingles', size: 3 }, [many, many, many])).toThrow(
      'Too many graph paths (> 1000)',
    )
  })
})
