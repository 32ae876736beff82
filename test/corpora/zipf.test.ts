import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CorpusDocument } from '../../corpora/lib/corpus.ts'
import { wordOfRank, zipf } from '../../corpora/zipf/generate.ts'

function generate(size: number, seed: number): CorpusDocument[] {
  const options = { size, seed, cache: '', note: () => {}, say: () => {} }
  return [...(zipf.generate(options) as Iterable<CorpusDocument>)]
}

describe('the zipf generator', () => {
  it('makes the same bytes from the same seed, and others from another', () => {
    const hash = (seed: number): string =>
      createHash('sha256')
        .update(JSON.stringify(generate(200, seed)))
        .digest('hex')
    expect(hash(1)).toBe(hash(1))
    expect(hash(1)).not.toBe(hash(2))
  })

  it('starts a longer run with the documents of a shorter one', () => {
    expect(generate(50, 7)).toEqual(generate(80, 7).slice(0, 50))
  })

  it('gives every rank a word of its own', () => {
    const words = new Set(Array.from({ length: 20_000 }, (_, rank) => wordOfRank(rank)))
    expect(words.size).toBe(20_000)
    expect(wordOfRank(0)).toBe('ba')
  })

  it('draws common words far more often than rare ones', () => {
    const counts = new Map<string, number>()
    for (const { body } of generate(500, 3)) {
      for (const word of String(body).split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    const sorted = [...counts.values()].sort((a, b) => b - a)
    expect(sorted[0]!).toBeGreaterThan(10 * sorted[100]!)
    expect(sorted.length).toBeGreaterThan(3000)
  })
})
