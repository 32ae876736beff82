/**
 * A weight: a rewritten query joined with one shard's statistics and term look-ups, made once per
 * shard by `create-weight.ts`. It is a plain record that may cross threads; workers make scorers
 * from it and a leaf (`weight-ops.ts`) and look up no terms.
 */
import type { TermState } from '../../codec/terms/format.ts'
import type { SectionUse } from './section-use.ts'
import type { WeightNode } from './weight-node.ts'

/** The profile's entry of a node. */
export interface WeightNodeInfo {
  readonly type: string
  readonly description: string
  /** −1 for the root. */
  readonly parent: number
  /** Start and duration of its creation, nanoseconds; includes its children. */
  readonly createStart: number
  readonly createTime: number
}

/** States looked up in one leaf. */
export interface LeafStates {
  /** By term id; null when the leaf lacks the term. */
  readonly terms: readonly (TermState | null)[]
  /** By expansion id. */
  readonly expansions: readonly Expansion[]
}

/** Many terms in one leaf. */
export interface Expansion {
  /**
   * Null for more than a few terms, or terms without postings: the search thread walks the ranges.
   */
  readonly states: readonly TermState[] | null
  /** Pairs of ords, from and to, ascending and disjoint; empty where states are listed. */
  readonly ranges: Int32Array
  /** Sum of the terms' document frequencies, or the documents with the field if unknown. */
  readonly postings: number
}

/** The plain record that workers receive. */
export interface Weight {
  readonly root: WeightNode
  /** Profile entries of the nodes; empty for slices without a profile. */
  readonly nodes: readonly WeightNodeInfo[]
  /** By ord of the leaf in the snapshot. */
  readonly leaves: readonly LeafStates[]
  /** Sections that scorers will read, each field once; empty in slices, whose leaves have them. */
  readonly sections: readonly SectionUse[]
  /** Postings iterators that one leaf's scorers hold open at once; sizes the scratch. */
  readonly openPostings: number
  /** Estimated postings and documents that scorers will pass, over all leaves. */
  readonly cost: number
  /**
   * Whether a node runs a script, which must run on no document that others exclude, and on no thread
   * that answers requests.
   */
  readonly hasScripts: boolean
}
