/**
 * The most likely phrases that a text may have been meant as: every word as it was given or corrected,
 * so many of them at most. Words are scored one by one behind the words before them (a noisy channel).
 */
import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import type { Turn } from '../../util/turns.ts'
import type { CandidateSet } from './candidate-generator.ts'
import type { PhraseWord, WordScorer } from './word-scorer.ts'

/** A phrase. */
export interface Correction {
  readonly score: number
  readonly words: readonly PhraseWord[]
}

/** Max phrases that are kept, whatever is asked for. */
const MAX_CORRECTIONS = 10_000

/** The least positive number: a phrase without a score to beat must have some. */
export const LEAST_SCORE: number = Number.MIN_VALUE

/** The score of a phrase; yields where the turn is over. */
export function* phraseScore(
  words: readonly PhraseWord[],
  scorer: WordScorer,
  turn: Turn,
): Generator<void, number, void> {
  let sum = 0
  for (let at = 0; at < words.length; at++) {
    let score = scorer.score(words, at)
    while (scorer.uncounted !== null) {
      yield* scorer.count(turn)
      score = scorer.score(words, at)
    }
    sum += score
  }
  return Math.exp(sum)
}

/**
 * Finds the best phrases, best first.
 * @param sets      the words, one at least
 * @param maxErrors below 1 a share of the words, else a number of them
 * @param size      max phrases
 * @param cutoff    scores must be above it
 */
export function* bestCorrections(
  sets: readonly CandidateSet[],
  scorer: WordScorer,
  maxErrors: number,
  size: number,
  cutoff: number,
  turn: Turn,
): Generator<void, readonly Correction[], void> {
  const errors = maxErrors >= 1 ? Math.trunc(maxErrors) : roundHalfUp(maxErrors * sets.length)
  const best: Correction[] = []
  const most = Math.min(size, MAX_CORRECTIONS)
  const last = sets.length - 1
  const path: PhraseWord[] = []
  const choices = new Int32Array(sets.length)
  const scores = new Float64Array(sets.length)
  const left = new Float64Array(sets.length)
  left[0] = Math.max(1, errors)
  // By hand: a text may have more words than a stack has room for.
  for (let at = 0; at >= 0; ) {
    if (turn.isOver(1)) yield
    const { input, candidates } = sets[at]!
    const choice = choices[at]!++
    if (choice > (left[at]! > 0 ? candidates.length : 0)) {
      at--
      continue
    }
    path[at] = choice === 0 ? input : candidates[choice - 1]!
    let own = scorer.score(path, at)
    while (scorer.uncounted !== null) {
      yield* scorer.count(turn)
      own = scorer.score(path, at)
    }
    const score = scores[at]! + own
    if (at < last) {
      scores[at + 1] = score
      left[at + 1] = left[at]! - (choice === 0 ? 0 : 1)
      choices[++at] = 0
    } else keep(best, Math.exp(score), path, most, cutoff)
  }
  return best
}

function roundHalfUp(value: number): number {
  return Math.floor(Math.fround(value) + 0.5)
}

/** Puts a phrase among the best: by score, then by its words. */
function keep(
  best: Correction[],
  score: number,
  path: readonly PhraseWord[],
  most: number,
  cutoff: number,
): void {
  if (!(score > cutoff)) return
  const worst = best[most - 1]
  if (worst !== undefined && compare(worst, score, path) <= 0) return
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(best[middle]!, score, path) <= 0) low = middle + 1
    else high = middle
  }
  best.splice(low, 0, { score, words: [...path] })
  if (best.length > most) best.pop()
}

/** Below 0 where a phrase is better than another. */
function compare(a: Correction, score: number, words: readonly PhraseWord[]): number {
  if (a.score !== score) return score - a.score
  for (const [i, { term }] of a.words.entries()) {
    const order = compareBytes(encodeUtf8(term), encodeUtf8(words[i]!.term))
    if (order !== 0) return order
  }
  return 0
}
