/**
 * Scores of passages: BM25 of a passage among those of its text, all of the average length, with a
 * bonus for those near the text's start. Every step is rounded to float32 as in Lucene.
 */
import type { Mark } from './marks.ts'

const { fround } = Math

const K1 = fround(1.2)
const B = fround(0.75)
/** Length of an average passage. */
const PIVOT = 87

/**
 * The score of a passage, float32.
 * @param marks  those in it
 * @param length of the whole text
 */
export function passageScore(
  marks: readonly Mark[],
  start: number,
  end: number,
  length: number,
): number {
  const counts = new Map<string, { count: number; readonly freq: number }>()
  for (const { label, freq } of marks) {
    const known = counts.get(label)
    if (known === undefined) counts.set(label, { count: 1, freq })
    else known.count++
  }
  let sum = 0
  for (const { count, freq } of counts.values())
    sum += fround(saturated(count, end - start) * weight(length, freq))
  return fround(sum * bonus(start))
}

function weight(length: number, freq: number): number {
  const passages = fround(1 + fround(length / PIVOT))
  return fround(fround(K1 + 1) * fround(Math.log(1 + (passages + 0.5) / (freq + 0.5))))
}

function saturated(count: number, length: number): number {
  const norm = fround(K1 * fround(fround(1 - B) + fround(B * fround(length / PIVOT))))
  return fround(count / fround(count + norm))
}

function bonus(start: number): number {
  return fround(1 + fround(1 / fround(Math.log(PIVOT + start))))
}
