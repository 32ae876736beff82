/** Vectors of documents, for what stands above the codec. */
import type { VectorParts } from '../schema/field-storage.ts'
import type { Leaf } from './leaf.ts'

/** The terms of one document in turn, ascending by bytes, and the tokens of each. */
export interface DocumentVector {
  /** The current term: valid up to `termLength`, overwritten by the next one. */
  readonly term: Uint8Array
  readonly termLength: number
  /** Tokens of the current term. */
  readonly freq: number
  /** The current token; −1 for what the segment does not keep. */
  readonly position: number
  readonly start: number
  readonly end: number
  /** A view; null: there is none. */
  readonly payload: Uint8Array | null
  /** Moves to the next term; false behind the last. @throws {CorruptSegmentError} */
  nextTerm(): boolean
  /** Moves to the next token of the current term; false behind the last. @throws {CorruptSegmentError} */
  nextToken(): boolean
}

/** The term vectors of a field in a leaf; null: none are stored. */
export function vectorParts(leaf: Leaf, field: string): VectorParts | null {
  return leaf.vectors(field)?.parts ?? null
}

/**
 * A document's vector, ahead of its first term.
 * @param field of which the leaf keeps vectors
 */
export function documentVector(leaf: Leaf, field: string, docId: number): DocumentVector | null {
  return leaf.vectors(field)?.cursor(docId) ?? null
}
