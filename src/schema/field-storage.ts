/**
 * The storage kinds: the ways in which a segment keeps a field. Indexing, the codec and segments
 * know these alone, never a field type; each field type names the kind of its fields.
 */
import type { GraphMethod } from './knn-vector/graph-method.ts'
import type { VectorElement } from './knn-vector/vector-space.ts'

/** Contents of postings: nothing, documents, frequencies too, positions too. */
export type IndexOptions = 'none' | 'docs' | 'freqs' | 'positions'

/** How a floating-point number becomes an integer of the same order (`codec/doc-values/sortable.ts`). */
export type FloatKind = 'double' | 'float' | 'half_float'

/** Contents of a field's term vectors for each token of a document. */
export interface VectorParts {
  readonly positions: boolean
  readonly offsets: boolean
  readonly payloads: boolean
}

/** Common to all kinds. */
interface KeptParts {
  /** Of its terms; `none` without terms. */
  readonly indexOptions: IndexOptions
  readonly hasNorms: boolean
  /** `numeric`: integers of 64 bits; `ordinals`: of its terms; `bytes`: strings of them; `shapes`: triangles; `vectors`. */
  readonly docValues: 'none' | 'numeric' | 'ordinals' | 'bytes' | 'shapes' | 'vectors'
}

/**
 * The terms that a derived field makes of an analyzer's tokens: their beginnings of `min` to `max`
 * code points, `size` of them in a row, or beginnings of at most `size` in a row.
 */
export type TokenTail =
  | { readonly kind: 'prefixes'; readonly min: number; readonly max: number }
  | { readonly kind: 'shingles'; readonly size: number }
  | { readonly kind: 'shinglePrefixes'; readonly size: number; readonly max: number }

/** Terms that an analyzer makes of text. */
export interface TokenStorage extends KeptParts {
  readonly kind: 'tokens'
  readonly docValues: 'none'
  /** Name of the index analyzer, null for the index default. */
  readonly analyzer: string | null
  /** Positions between two values of one document. */
  readonly positionIncrementGap: number
  /** Whether the mapping names the gap; if not, a custom analyzer's own goes first. */
  readonly isGapGiven: boolean
  /** How tokens become terms; null: they are the terms. */
  readonly tail: TokenTail | null
  /** Tokens by document; null: none are kept. */
  readonly vectors: VectorParts | null
}

/** A term for each value. */
export interface TermStorage extends KeptParts {
  readonly kind: 'terms'
  readonly docValues: 'none' | 'ordinals'
  /** Null keeps values as they are. */
  readonly normalizer: string | null
}

/** Integers of 64 bits. */
export interface LongStorage extends KeptParts {
  readonly kind: 'longs'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none' | 'numeric'
  readonly hasPoints: boolean
}

/** Floating-point numbers, kept as sortable integers. */
export interface FloatStorage extends KeptParts {
  readonly kind: 'floats'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none' | 'numeric'
  readonly hasPoints: boolean
  readonly floatKind: FloatKind
}

/** 0 and 1, which are the terms `F` and `T` where they are indexed. */
export interface FlagStorage extends KeptParts {
  readonly kind: 'flags'
  readonly indexOptions: 'none' | 'docs'
  readonly hasNorms: false
  readonly docValues: 'none' | 'numeric'
}

/** Addresses of 16 bytes, in a dictionary of their own; points are their ordinals there. */
export interface AddressStorage extends KeptParts {
  readonly kind: 'addresses'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none' | 'ordinals'
  readonly hasPoints: boolean
}

/** Byte strings, by document alone. */
export interface ByteStorage extends KeptParts {
  readonly kind: 'bytes'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none' | 'bytes'
}

/** Intervals: the two ends of each, found as a point of a plane. */
export interface IntervalStorage extends KeptParts {
  readonly kind: 'intervals'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none' | 'bytes'
  readonly hasBoxes: boolean
  /** 32-bit words of an end. */
  readonly endWords: 2 | 4
}

/** Places on the Earth: a signed integer of 32 bits for each coordinate, in one of 64. */
export interface PlaceStorage extends KeptParts {
  readonly kind: 'places'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none' | 'numeric'
  readonly hasBoxes: boolean
}

/** Numbers of tokens that an analyzer finds in text. */
export interface CountStorage extends KeptParts {
  readonly kind: 'counts'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none' | 'numeric'
  readonly hasPoints: boolean
  readonly analyzer: string
  /** Whether positions without a token count too. */
  readonly countsPositions: boolean
}

/** Terms whose frequency in a document is a number of its own. */
export interface FeatureStorage extends KeptParts {
  readonly kind: 'features'
  readonly indexOptions: 'freqs'
  readonly hasNorms: false
  readonly docValues: 'none'
}

/** A context of completions: its values are given with an input, or stand in another field. */
export interface CompletionContext {
  readonly name: string
  readonly type: 'category' | 'geo'
  /** Full path of the field whose values are contexts too; null: none. */
  readonly path: string | null
  /** Max digits of geohashes. */
  readonly precision: number
}

/** Inputs that typed beginnings are completed to, with their weights and contexts. */
export interface CompletionStorage extends KeptParts {
  readonly kind: 'completions'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'none'
  readonly analyzer: string
  /** Whether tokens stand apart. */
  readonly preservesSeparators: boolean
  /** Whether positions without a token count. */
  readonly preservesIncrements: boolean
  /** Empty: inputs have none. */
  readonly contexts: readonly CompletionContext[]
}

/** Shapes on the Earth: triangles, each a byte string of its own (`geo-shape/shape-triangles.ts`). */
export interface ShapeStorage extends KeptParts {
  readonly kind: 'shapes'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'shapes'
}

/** Vectors, at most one for each document. */
export interface VectorStorage extends KeptParts {
  readonly kind: 'vectors'
  readonly indexOptions: 'none'
  readonly hasNorms: false
  readonly docValues: 'vectors'
  readonly element: VectorElement
  /** Components; bits of a binary vector. */
  readonly dimension: number
  /** How a graph of the vectors is made; null: none ever is. */
  readonly method: GraphMethod | null
}

/** Storage of one field in a segment. */
export type FieldStorage =
  | TokenStorage
  | TermStorage
  | LongStorage
  | FloatStorage
  | FlagStorage
  | AddressStorage
  | ByteStorage
  | IntervalStorage
  | PlaceStorage
  | CountStorage
  | FeatureStorage
  | CompletionStorage
  | ShapeStorage
  | VectorStorage
