/**
 * The terms of a dictionary that an automaton accepts, one by one: what `dictionary-matches.ts` does
 * where its kernel cannot, and its oracle. The walk seeks from one possible term to the
 * next: where the automaton rejects a term, it names the smallest text above it that may match.
 */
import type { TermsReader } from '../../codec/terms/reader.ts'
import { type AutomatonTable, DEAD, START } from '../../util/automaton/automaton.ts'
import type { NearWord } from '../../util/automaton/levenshtein.ts'
import { encodeUtf8 } from '../../util/bytes.ts'

/** A deterministic automaton over code points; `START` and `DEAD` are two of its states. */
export interface TermAutomaton {
  step(state: number, point: number): number
  /** The first code point at or above `from` that does not lead to `DEAD`; −1: none. */
  nextPoint(state: number, from: number): number
  accepts(state: number): boolean
  /** Whether every continuation is accepted. */
  isTotal(state: number): boolean
  /** Edits of the text that ends in an accepting state; 0 where the automaton counts none. */
  editsOf(state: number): number
  /** The same as plain data, for the kernel; null: it has no such form. */
  readonly form: AutomatonTable | NearWord | null
}

/** Receives the accepted terms, in ascending order. */
export interface TermSink {
  /**
   * A term, in a buffer that the walk overwrites.
   * @param state the automaton's state behind the term
   * @returns whether the walk shall go on
   */
  term(term: Uint8Array, state: number, docFreq: number, ord: number): boolean
  /**
   * All terms with a prefix, which are then passed over; null: they are told one by one.
   * @returns the smallest byte string above them; null when there is none
   */
  readonly prefix: ((prefix: Uint8Array) => Uint8Array | null) | null
}

/** Receives a term in a buffer that the walk overwrites; false ends the walk. */
export type TermListener = (term: Uint8Array, docFreq: number, edits: number) => boolean

/** Walks one leaf's dictionary of a field. */
export function walkMatching(terms: TermsReader, automaton: TermAutomaton, sink: TermSink): void {
  const iterator = terms.iterator()
  const points: number[] = []
  const states: number[] = [START]
  let target: Uint8Array | null = new Uint8Array(0)
  for (let has = iterator.seekCeil(target); has; ) {
    const term = iterator.term()
    decode(term, points)
    let length = 0
    let isTotal = sink.prefix !== null && automaton.isTotal(START)
    while (!isTotal && length < points.length) {
      const next = automaton.step(states[length]!, points[length]!)
      if (next === DEAD) break
      states[++length] = next
      isTotal = sink.prefix !== null && automaton.isTotal(next)
    }
    if (isTotal && sink.prefix !== null) {
      target = sink.prefix(encodePoints(points, length))
    } else if (length === points.length) {
      const state = states[length]!
      if (automaton.accepts(state) && !sink.term(term, state, iterator.docFreq, iterator.ord()))
        return
      has = iterator.next()
      continue
    } else target = above(points, states, length, automaton)
    if (target === null) return
    // Most of the time the next term is the one that is sought.
    has = iterator.next() && (!iterator.isBelow(target) || iterator.seekCeil(target))
  }
}

/** The smallest text above the first `length` + 1 points that the automaton may accept. */
function above(
  points: readonly number[],
  states: readonly number[],
  length: number,
  automaton: TermAutomaton,
): Uint8Array | null {
  for (let at = length; at >= 0; at--) {
    let next = automaton.nextPoint(states[at]!, points[at]! + 1)
    // No term holds a surrogate.
    if (next >= 0xd800 && next < 0xe000) next = automaton.nextPoint(states[at]!, 0xe000)
    if (next >= 0) return encodePoints([...points.slice(0, at), next], at + 1)
  }
  return null
}

function encodePoints(points: readonly number[], length: number): Uint8Array {
  let text = ''
  for (let i = 0; i < length; i++) text += String.fromCodePoint(points[i]!)
  return encodeUtf8(text)
}

/** Code points of a term, which is valid UTF-8. */
function decode(term: Uint8Array, into: number[]): void {
  let count = 0
  for (let at = 0; at < term.length; ) {
    const byte = term[at]!
    const size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    let point = size === 1 ? byte : byte & (0x7f >> size)
    for (let i = 1; i < size; i++) point = (point << 6) | (term[at + i]! & 0x3f)
    into[count++] = point
    at += size
  }
  into.length = count
}
