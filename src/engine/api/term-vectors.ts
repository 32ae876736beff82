/** Vectors of documents: the terms of their fields, with statistics of the shard. */
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { Long } from '../../util/long.ts'
import type { VersionType } from './documents.ts'

/** Keeps the terms of a field that are typical of the document: those of the highest tf-idf. */
export interface TermFilter {
  /** Terms of a field that are kept. */
  readonly maxTerms: number
  /** Bounds of a term's frequency in the document. */
  readonly minTermFreq: number
  readonly maxTermFreq: number
  /** Bounds of the number of documents that have a term. */
  readonly minDocFreq: number
  readonly maxDocFreq: number
  /** Bounds of a term's length in UTF-16 units; 0: none. */
  readonly minWordLength: number
  readonly maxWordLength: number
}

/** Asks for the vectors of one document. */
export interface TermVectorsCall {
  /** An index, or an alias of one. */
  readonly index: string
  /** Null: `doc` is the document. */
  readonly id: string | null
  /** A document that is not indexed; null: `id` names one. */
  readonly doc: JsonNode | null
  readonly routing: string | null
  /** True reads unrefreshed writes too, by a refresh. */
  readonly realtime: boolean
  /** The version that the document must have; null: any. */
  readonly version: Long | null
  readonly versionType: VersionType
  /** Names and patterns; null: the fields whose mapping keeps vectors, all texts of a `doc`. */
  readonly fields: readonly string[] | null
  /** Analyzers by field, in place of those of the mapping. */
  readonly analyzers: ReadonlyMap<string, string>
  readonly filter: TermFilter | null
  readonly fieldStatistics: boolean
  readonly termStatistics: boolean
  readonly positions: boolean
  readonly offsets: boolean
  readonly payloads: boolean
}

/** One token of a document; null: not asked for, or not kept by the mapping. */
export interface VectorToken {
  readonly position: number | null
  /** In UTF-16 units of the field's values, each one unit behind the one before. */
  readonly startOffset: number | null
  readonly endOffset: number | null
  readonly payload: Uint8Array | null
}

/** One term of a document. */
export interface VectorTerm {
  readonly term: string
  /** Of the shard; null: not asked for, or the shard does not have the term. */
  readonly statistics: { readonly docFreq: number; readonly totalTermFreq: number } | null
  /** In the document. */
  readonly freq: number
  /** Null: neither positions nor offsets nor payloads. */
  readonly tokens: readonly VectorToken[] | null
  /** Of a filter, float32; null without. */
  readonly score: number | null
}

/** Statistics of a field in the shard. */
export interface VectorFieldStatistics {
  readonly sumDocFreq: number
  readonly docCount: number
  readonly sumTotalTermFreq: number
}

/** The terms of one field, in the order of their bytes. */
export interface FieldVector {
  readonly name: string
  /** Null: not asked for. */
  readonly statistics: VectorFieldStatistics | null
  readonly terms: readonly VectorTerm[]
}

/** The vectors of a document. */
export interface TermVectorsOutcome {
  /** The index, whatever name led to it. */
  readonly index: string
  /** Null: the document came with the request. */
  readonly id: string | null
  /** 0 where there is none. */
  readonly version: Long
  readonly tookInMillis: number
  /** In order of name; null: there is no such document. */
  readonly fields: readonly FieldVector[] | null
}
