/**
 * A weight: a rewritten query joined with one shard's statistics and term look-ups, made once per
 * shard by `create-weight.ts`. It is a plain record that may cross threads; workers make scorers
 * from it and from a leaf (`scorer/scorer-supplier.ts`) and look up no terms.
 *
 * Nodes are numbered from 0 in the order in which the profile prints them, parents first. A boost
 * has no node of its own: the node of what it boosts carries its description, as in Lucene.
 */
import type { TermState } from '../../codec/terms/format.ts'
import type { SectionUse } from './section-use.ts'

/** How a clause of a boolean takes part: `filter` is `must` without a score. */
export type Occur = 'must' | 'filter' | 'should' | 'must_not'

/** One node; `id` is its place in `Weight.nodes`. */
export type WeightNode =
  | TermWeight
  | PhraseWeight
  | SynonymWeight
  | MultiPhraseWeight
  | SpanWeight
  | AllWeight
  | NoneWeight
  | ConstantWeight
  | BooleanWeight
  | DisMaxWeight
  | BoostingWeight
  | MultiTermWeight
  | PointWeight
  | ExistsWeight
  | IdsWeight

export interface TermWeight {
  readonly kind: 'term'
  readonly id: number
  readonly field: string
  readonly term: string
  /** Index in `LeafStates.terms`. */
  readonly termId: number
  /** Documents of the shard that count for the field, and the factor in `weight`: to explain it. */
  readonly docCount: number
  readonly boost: number
  /** f32(boost · idf); 0 where nobody asks for scores. */
  readonly weight: number
  /** Mean field length over the shard, float32. */
  readonly average: number
  readonly scored: boolean
}

export interface PhraseWeight {
  readonly kind: 'phrase'
  readonly id: number
  readonly field: string
  readonly terms: readonly string[]
  readonly termIds: readonly number[]
  readonly docCount: number
  readonly boost: number
  readonly positions: readonly number[]
  readonly slop: number
  readonly weight: number
  readonly average: number
  readonly scored: boolean
}

/** Several terms as one. */
export interface SynonymWeight {
  readonly kind: 'synonym'
  readonly id: number
  readonly field: string
  readonly terms: readonly string[]
  readonly termIds: readonly number[]
  readonly docCount: number
  readonly boost: number
  readonly weight: number
  readonly average: number
  readonly scored: boolean
}

/** A phrase with one of several terms at each position. */
export interface MultiPhraseWeight {
  readonly kind: 'multiPhrase'
  readonly id: number
  readonly field: string
  readonly terms: readonly (readonly string[])[]
  readonly termIds: readonly (readonly number[])[]
  readonly docCount: number
  readonly boost: number
  readonly positions: readonly number[]
  readonly slop: number
  readonly weight: number
  readonly average: number
  readonly scored: boolean
}

/** A span with its terms looked up. */
export type SpanPlan =
  | { readonly kind: 'term'; readonly termId: number }
  | { readonly kind: 'or'; readonly spans: readonly SpanPlan[] }
  | { readonly kind: 'near'; readonly spans: readonly SpanPlan[] }
  | { readonly kind: 'gap'; readonly width: number }

export interface SpanWeight {
  readonly kind: 'span'
  readonly id: number
  readonly field: string
  readonly span: SpanPlan
  /** Each once, in the order of the terms' text. */
  readonly termIds: readonly number[]
  readonly docCount: number
  readonly boost: number
  readonly weight: number
  readonly average: number
  readonly scored: boolean
}

export interface AllWeight {
  readonly kind: 'all'
  readonly id: number
  readonly score: number
}

export interface NoneWeight {
  readonly kind: 'none'
  readonly id: number
}

export interface ConstantWeight {
  readonly kind: 'constant'
  readonly id: number
  readonly score: number
  readonly child: WeightNode
}

export interface BooleanWeight {
  readonly kind: 'boolean'
  readonly id: number
  readonly clauses: readonly { readonly occur: Occur; readonly node: WeightNode }[]
  readonly minimumShouldMatch: number
  readonly scored: boolean
}

export interface DisMaxWeight {
  readonly kind: 'disMax'
  readonly id: number
  readonly children: readonly WeightNode[]
  readonly tieBreaker: number
  readonly scored: boolean
}

export interface BoostingWeight {
  readonly kind: 'boosting'
  readonly id: number
  readonly positive: WeightNode
  readonly negative: WeightNode
  readonly factor: number
  /** Applied last, in double. */
  readonly boost: number
}

/** Terms in byte order from `lower` up to `upper`, which is not in it; null is open. */
export interface TermRun {
  readonly lower: Uint8Array
  readonly upper: Uint8Array | null
}

/** The documents that have any term of some runs. */
export interface MultiTermWeight {
  readonly kind: 'multiTerm'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Index in `LeafStates.expansions`. */
  readonly expansionId: number
  /** Ascending and apart. */
  readonly runs: readonly TermRun[]
}

/** Closed intervals of sortable 64-bit values, as halves: `hi` signed, `lo` unsigned. */
export interface PointInterval {
  readonly lowerHi: number
  readonly lowerLo: number
  readonly upperHi: number
  readonly upperLo: number
}

export interface PointWeight {
  readonly kind: 'point'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Ascending and apart. */
  readonly intervals: readonly PointInterval[]
  readonly indexed: boolean
  readonly docValues: boolean
}

export interface ExistsWeight {
  readonly kind: 'exists'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Index in `LeafStates.terms` of the field's name in `_field_names`; null if it is not listed. */
  readonly nameId: number | null
}

export interface IdsWeight {
  readonly kind: 'ids'
  readonly id: number
  readonly score: number
  readonly ids: readonly Uint8Array[]
}

/** What the profile says of a node. */
export interface WeightNodeInfo {
  readonly type: string
  readonly description: string
  /** −1 for the root. */
  readonly parent: number
  /** When its creation began and how long it took, nanoseconds; children are within it. */
  readonly createStart: number
  readonly createTime: number
}

/** What was looked up in one leaf. */
export interface LeafStates {
  /** By term number; null where the leaf has no such term. */
  readonly terms: readonly (TermState | null)[]
  /** By expansion number. */
  readonly expansions: readonly Expansion[]
}

/** The terms of some runs in one leaf. */
export interface Expansion {
  /** Null for more than a few, and where terms have no postings: who searches walks the runs. */
  readonly states: readonly TermState[] | null
  /** Postings of them all, or documents with the field where that is not known. */
  readonly postings: number
}

/** The plain record that workers get. */
export interface Weight {
  readonly root: WeightNode
  /** What the profile says of each node; slices that are not profiled need none. */
  readonly nodes: readonly WeightNodeInfo[]
  /** By place of the leaf in the snapshot. */
  readonly leaves: readonly LeafStates[]
  /** What scorers will read, each field once; slices, whose leaves have it, need none. */
  readonly sections: readonly SectionUse[]
  /** How many postings iterators a leaf's scorers hold open at once: what scratch is sized by. */
  readonly openPostings: number
  /** About how many postings and documents scorers will pass, over all leaves. */
  readonly cost: number
}
