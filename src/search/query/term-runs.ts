/** Ranges of terms in byte order, the form of all multi-term queries. */
import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import type { TermRun } from '../weight/weight-node.ts'

/** A range of one term. */
export function oneTerm(term: string): TermRun {
  return termRunOf(encodeUtf8(term))
}

/** The same for a term's bytes, which are copied. */
export function termRunOf(term: Uint8Array): TermRun {
  const lower = term.slice()
  return { lower, upper: justAfter(lower) }
}

/** The terms of a range; empty if its lower bound is above its upper one. */
export function rangeRuns(query: {
  readonly lower: string | null
  readonly upper: string | null
  readonly includeLower: boolean
  readonly includeUpper: boolean
}): readonly TermRun[] {
  const lower = query.lower === null ? new Uint8Array(0) : encodeUtf8(query.lower)
  const upper = query.upper === null ? null : encodeUtf8(query.upper)
  const from = query.lower === null || query.includeLower ? lower : justAfter(lower)
  const to = upper === null || !query.includeUpper ? upper : justAfter(upper)
  return to !== null && compareBytes(from, to) >= 0 ? [] : [{ lower: from, upper: to }]
}

/** The terms from one to another, both included. */
export function runBetween(lower: Uint8Array, upper: Uint8Array): TermRun {
  return { lower, upper: justAfter(upper) }
}

/** The smallest term above this one: a zero byte appended. */
function justAfter(term: Uint8Array): Uint8Array {
  const next = new Uint8Array(term.length + 1)
  next.set(term)
  return next
}

/** All terms that start with a prefix. */
export function prefixRun(prefix: string): TermRun {
  return prefixRunOf(encodeUtf8(prefix))
}

/** The same for a prefix in bytes. */
export function prefixRunOf(lower: Uint8Array): TermRun {
  return { lower, upper: afterPrefix(lower) }
}

/** The smallest term above all terms with a prefix; null when there is none. */
function afterPrefix(prefix: Uint8Array): Uint8Array | null {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return null
  const next = prefix.slice(0, length)
  next[length - 1] = next[length - 1]! + 1
  return next
}
