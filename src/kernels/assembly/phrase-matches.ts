/** Collects the documents that all terms of a phrase have, with the phrase's frequency. */
import { ordsOf } from './cursor'
import { decodeFreqsAt } from './cursor-blocks'
import { startPositions } from './cursor-positions'
import { freqAt, scoreOf } from './cursor-scores'
import {
  askOptional,
  collectBoth,
  optionalMatching,
  optionals,
  optionalScore,
} from './optional-clauses'
import { exactFrequency, maxSloppy, sloppyFrequency } from './phrase'
import { collect, finalScore, isCounting, threshold } from './plan'
import { constant, cursor, matches, phraseWeight, slop } from './plan-record'
import { prunes, terms } from './required-terms'

/**
 * Matches the phrase on the first `found` matches, with posting ords in every term's `ordsOf`.
 */
export function finishPhrases(found: i32): void {
  const docs = matches()
  for (let k = 0; k < found; k++) finishPhrase(load<i32>(docs + ((<usize>k) << 2)), k)
}

function finishPhrase(doc: i32, match: i32): void {
  const at = (<usize>match) << 2
  const isSloppy = slop() > 0
  let first = 0
  let minFreq = i32.MAX_VALUE
  let sum = 0
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const ord = load<u32>(ordsOf(c) + at)
    decodeFreqsAt(c, ord >> 7)
    const freq = freqAt(c, ord & 127)
    if (i == 0) first = freq
    minFreq = min(minFreq, freq)
    sum += freq
  }
  // An exact phrase occurs no more often than its leading term.
  const maxFreq = isSloppy ? maxSloppy(terms, sum, minFreq) : first
  // Positions cost more than evaluating the other clauses.
  const asksFirst = optionals > 0 && prunes()
  if (asksFirst) {
    if (!askOptional(doc, phraseSum(<f32>maxFreq, doc))) return
  } else if (!isCounting && optionals == 0 && <f32>phraseSum(<f32>maxFreq, doc) < threshold) return
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const ord = load<u32>(ordsOf(c) + at)
    startPositions(c, ord >> 7, ord & 127)
  }
  const freq = isSloppy ? sloppyFrequency(terms) : <f32>exactFrequency(terms)
  if (!(freq > 0)) return
  const score = phraseSum(freq, doc)
  if (asksFirst) collect(doc, finalScore(score, optionalScore, optionalMatching > 0))
  else if (optionals > 0) collectBoth(doc, score)
  else collect(doc, <f32>score)
}

@inline function phraseSum(freq: f32, doc: i32): f64 {
  return constant() + <f64>scoreOf(cursor(0), phraseWeight(), freq, doc)
}
