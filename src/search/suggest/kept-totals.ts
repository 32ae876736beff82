import type { BitSet } from '../../util/bit-set.ts'

/** The terms of a field in some documents of a leaf. */
export interface FieldTotals {
  /** Occurrences of all terms. */
  readonly occurrences: number
  /** Distinct terms. */
  readonly terms: number
}

interface Kept {
  readonly field: string
  readonly words: Int32Array
  readonly totals: FieldTotals
}

/** Of one segment: callers whose roles differ, times the fields that they ask of. */
const MAX_KEPT = 8

/**
 * Totals of segments, kept by field and documents: to add them up takes every posting of the field. They go with
 * their segments, and those that were asked for first with the ninth of one.
 */
const KEPT = new WeakMap<object, Kept[]>()

/** Those that are kept; null: none are. */
export function keptTotals(segment: object, field: string, documents: BitSet): FieldTotals | null {
  const found = KEPT.get(segment)?.find(
    each => each.field === field && isSame(each.words, documents.words),
  )
  return found?.totals ?? null
}

/** Keeps totals. */
export function keepTotals(
  segment: object,
  field: string,
  documents: BitSet,
  totals: FieldTotals,
): void {
  const kept = KEPT.get(segment) ?? []
  kept.push({ field, words: documents.words.slice(), totals })
  if (kept.length > MAX_KEPT) kept.shift()
  KEPT.set(segment, kept)
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
