import type { Random } from '../../src/util/random.ts'

/** Postings as plain lists. */
export interface PlainPostings {
  readonly docs: Int32Array
  readonly freqs: Int32Array
  /** Positions of document after document. */
  readonly positions: Int32Array
}

/** Document counts around everything that a block boundary could break. */
export const NASTY_COUNTS: readonly number[] = [
  1, 2, 3, 126, 127, 128, 129, 130, 255, 256, 257, 384, 1000,
]

/**
 * Random postings of a nasty shape.
 * @param maxDoc doc IDs stay below
 */
export function randomPostings(random: Random, count: number, maxDoc: number): PlainPostings {
  const docs = new Int32Array(count)
  const freqs = new Int32Array(count)
  const style = random.below(5)
  const room = Math.max(0, maxDoc - count)
  let doc = -1
  let spent = 0
  for (let i = 0; i < count; i++) {
    let gap = 0
    if (style === 1) gap = random.below(3)
    else if (style === 2) gap = random.below(1000)
    else if (style === 3) gap = random.below(50) === 0 ? random.below(1 << 20) : random.below(4)
    else if (style === 4) gap = random.below(20) === 0 ? random.below(2 ** 31) : 0
    gap = Math.min(gap, room - spent)
    spent += gap
    doc += gap + 1
    docs[i] = doc
    const kind = random.below(10)
    freqs[i] = kind < 6 ? 1 : kind < 9 ? 1 + random.below(20) : 1 + random.below(300)
  }
  const total = freqs.reduce((sum, freq) => sum + freq, 0)
  const positions = new Int32Array(total)
  let at = 0
  for (let i = 0; i < count; i++) {
    let position = random.below(10)
    for (let j = 0; j < freqs[i]!; j++) {
      positions[at++] = position
      position += random.below(100) === 0 ? random.below(100_000) : random.below(9)
    }
  }
  return { docs, freqs, positions }
}
