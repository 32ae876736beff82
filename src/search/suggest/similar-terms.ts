/**
 * The terms of a shard that are similar to a word, as Lucene's `DirectSpellChecker` finds them: those one
 * edit away, and where these are too few those two edits away, are drawn from the dictionary by an
 * automaton, and the best of them by a measure of their own are kept.
 */

import type { Leaf } from '../../segment/leaf.ts'
import { LevenshteinAutomaton } from '../../util/automaton/levenshtein.ts'
import { compareBytes, decodeUtf8 } from '../../util/bytes.ts'
import type { Turn } from '../../util/turns.ts'
import { walkMatching } from '../query/matching-terms.ts'
import { STRING_DISTANCES, type StringDistance } from './string-distance.ts'

/** Which words are corrected: those that are no terms, by terms of more documents, or all. */
export type SuggestMode = 'missing' | 'popular' | 'always'

/** Longer words are not corrected, in code points: what measures them takes the square of their length. */
const MAX_WORD_LENGTH = 512

/** Settings of a search for similar terms; floats are float32. */
export interface SpellCheck {
  /** Terms must be so similar, 0 … 1. */
  readonly accuracy: number
  readonly sort: 'score' | 'frequency'
  readonly distance: StringDistance
  readonly maxEdits: 1 | 2
  /** Times the number asked for, so many terms are looked at. */
  readonly maxInspections: number
  /** Words of more documents are not corrected: up to 1 a share of all, above a number. */
  readonly maxTermFreq: number
  /** Code points at the start that stay as they are. */
  readonly prefixLength: number
  /** Shorter words are not corrected, in code points. */
  readonly minWordLength: number
  /** Terms must be in so many documents: up to 1 a share of all, above a number. */
  readonly minDocFreq: number
}

/** The terms of one field of a shard, and how many of its documents have each. */
export interface CountedTerms {
  readonly field: string
  /** Leaves that have terms of the field; they may have some that no document counts for. */
  readonly leaves: readonly Leaf[]
  readonly isEmpty: boolean
  /** Documents that count. */
  readonly maxDoc: number
  /** Documents with a term, 0 where there is none; yields where the turn is over. */
  docFreq(term: string, turn: Turn): Generator<void, number, void>
  /** The same for a term that the dictionaries say so many documents to have, deleted ones among them. */
  docFreqOf(term: string, whole: number, turn: Turn): Generator<void, number, void>
}

/** A term that is similar to a word. */
export interface SimilarTerm {
  readonly term: string
  /** Float32. */
  readonly score: number
  readonly docFreq: number
}

interface Candidate extends SimilarTerm {
  readonly bytes: Uint8Array
}

/** Finds the best terms for a word, best first. @param size max terms */
export function* similarTerms(
  words: CountedTerms,
  word: string,
  size: number,
  mode: SuggestMode,
  check: SpellCheck,
  turn: Turn,
): Generator<void, readonly SimilarTerm[], void> {
  const docFreq = yield* words.docFreq(word, turn)
  if (words.isEmpty || !isCorrected(words, word, docFreq, mode, check)) return []
  const least = leastDocFreq(words, mode === 'popular' ? docFreq : 0, check.minDocFreq)
  const inspections = Math.min(size * check.maxInspections, 2 ** 31 - 1)
  if (inspections === 0) return []
  const found = yield* candidates(words, word, 1, inspections, least, check, turn)
  if (check.maxEdits > 1 && found.length < inspections) {
    const known = new Set(found.map(({ term }) => term))
    const others = yield* candidates(words, word, check.maxEdits, inspections, least, check, turn)
    for (const more of others) if (!known.has(more.term)) found.push(more)
  }
  const byScore = (a: SimilarTerm, b: SimilarTerm): number => b.score - a.score
  const byFrequency = (a: SimilarTerm, b: SimilarTerm): number => b.docFreq - a.docFreq
  const [first, second] = check.sort === 'score' ? [byScore, byFrequency] : [byFrequency, byScore]
  found.sort((a, b) => first(a, b) || second(a, b) || compareTexts(a.term, b.term))
  return found.slice(0, size)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isCorrected(
  { maxDoc }: CountedTerms,
  word: string,
  docFreq: number,
  mode: SuggestMode,
  { minWordLength, maxTermFreq }: SpellCheck,
): boolean {
  const length = [...word].length
  if (length < minWordLength || length > MAX_WORD_LENGTH) return false
  if (mode === 'missing' && docFreq > 0) return false
  if (maxTermFreq >= 1 && docFreq > maxTermFreq) return false
  return docFreq <= Math.ceil(Math.fround(maxTermFreq * Math.fround(maxDoc)))
}

/** Terms must be in more documents than this. */
function leastDocFreq({ maxDoc }: CountedTerms, docFreq: number, minDocFreq: number): number {
  if (minDocFreq >= 1) return Math.max(docFreq, Math.trunc(minDocFreq))
  if (minDocFreq === 0) return docFreq
  return Math.max(docFreq, Math.trunc(Math.fround(minDocFreq * Math.fround(maxDoc))) - 1)
}

/** The best terms within so many edits, in no order. */
function* candidates(
  words: CountedTerms,
  word: string,
  maxEdits: 1 | 2,
  inspections: number,
  least: number,
  { accuracy, distance, prefixLength }: SpellCheck,
  turn: Turn,
): Generator<void, Candidate[], void> {
  const measure = STRING_DISTANCES[distance]
  const points = [...word].map(char => char.codePointAt(0)!)
  const kept = Math.max(prefixLength, maxEdits - 1)
  const automaton = new LevenshteinAutomaton(points, maxEdits, Math.min(kept, points.length), true)
  const best: Candidate[] = []
  for (const { bytes, term, edits, docFreq: whole } of drawn(words, automaton)) {
    const length = Math.min(points.length, [...term].length)
    const similarity = edits === 0 ? 1 : Math.fround(1 - Math.fround(edits / length))
    const isFull = best.length >= inspections
    if (isFull && similarity <= best[best.length - 1]!.score) continue
    if (term === word || whole <= least) continue
    const score = measure === null ? similarity : measure(word, term)
    if (score < accuracy) continue
    const docFreq = yield* words.docFreqOf(term, whole, turn)
    if (docFreq <= least) continue
    insert(best, { bytes, term, score, docFreq })
    if (best.length > inspections) best.pop()
  }
  return best
}

/** Keeps a list by score, then by term. */
function insert(best: Candidate[], candidate: Candidate): void {
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = best[middle]!
    const order = other.score - candidate.score || compareBytes(candidate.bytes, other.bytes)
    if (order > 0) low = middle + 1
    else high = middle
  }
  best.splice(low, 0, candidate)
}

interface DrawnTerm {
  readonly bytes: Uint8Array
  readonly term: string
  readonly edits: number
  docFreq: number
}

/** The terms that an automaton accepts, in order of their bytes. */
function drawn(words: CountedTerms, automaton: LevenshteinAutomaton): DrawnTerm[] {
  const found = new Map<string, DrawnTerm>()
  for (const leaf of words.leaves) {
    const terms = leaf.terms(words.field)
    if (terms === null) continue
    walkMatching(terms, automaton, {
      prefix: null,
      term(bytes, state, docFreq) {
        const term = decodeUtf8(bytes)
        const known = found.get(term)
        if (known !== undefined) known.docFreq += docFreq
        else
          found.set(term, { bytes: bytes.slice(), term, edits: automaton.editsOf(state), docFreq })
        return true
      },
    })
  }
  const terms = [...found.values()]
  return words.leaves.length === 1 ? terms : terms.sort((a, b) => compareBytes(a.bytes, b.bytes))
}
