/**
 * The nodes of a weight, a record for each kind; `weight-types.ts` has the table of the kinds.
 *
 * Nodes are numbered from 0 in the profile's order, parents first. A boost has no node of its own:
 * the boosted node carries its description, as in Lucene.
 */
import type { SimpleShape } from '../../schema/geo-shape/simple-shape.ts'
import type { TakenEngine } from '../../schema/knn-vector/method-checks.ts'
import type { VectorElement, VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { Place } from '../../util/geo-distance.ts'
import type { BlockScoreMode } from '../scorer/block-join-scorer.ts'
import type { FeatureFunction } from '../scorer/feature-value.ts'
import type { FunctionCombination } from '../scorer/function-score-scorer.ts'
import type { GeoArea } from '../scorer/geo-area.ts'
import type { NumberColumn } from '../scorer/number-values.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import type { QueryVector } from '../vector/comparison.ts'
import type { FunctionNames, ScoreFunction } from './function/score-function.ts'
import type { IntervalPlan } from './interval-plan.ts'
import type { OwnBm25, Similarity } from './similarity.ts'
import type { SpanPlan } from './span-plan.ts'

/** How a boolean clause takes part: `filter` is `must` without a score. */
export type Occur = 'must' | 'filter' | 'should' | 'must_not'

/** One node; `id` is its index in `Weight.nodes`. */
export type WeightNode =
  | TermWeight
  | CombinedFieldsWeight
  | PhraseWeight
  | SynonymWeight
  | MultiPhraseWeight
  | SpanWeight
  | PositionIntervalsWeight
  | AllWeight
  | NoneWeight
  | ConstantWeight
  | BooleanWeight
  | DisMaxWeight
  | HybridWeight
  | BoostingWeight
  | CoveringWeight
  | DistanceFeatureWeight
  | FeatureWeight
  | GeoAreaWeight
  | GeoShapeWeight
  | FunctionScoreWeight
  | MultiTermWeight
  | PointWeight
  | TermPointWeight
  | BoxWeight
  | ExistsWeight
  | IdsWeight
  | BlockJoinWeight
  | NestedWithinWeight
  | JoinWeight
  | VectorsWeight
  | NearestWeight
  | DerivedWeight
  | SliceWeight
  | ScriptWeight
  | ScriptScoreWeight
  | VectorScoreWeight

/** One term, scored by BM25. */
export interface TermWeight {
  readonly kind: 'term'
  readonly id: number
  readonly field: string
  readonly term: string
  /** Index in `LeafStates.terms`. */
  readonly termId: number
  /** Documents of the shard that have the field, and the factor in `weight`; for explanations. */
  readonly docCount: number
  /** Documents with the term, or what stands in their place in the score; for explanations. */
  readonly docFreq: number
  readonly boost: number
  /** f32(boost · idf); 0 when no scores are read. */
  readonly weight: number
  /** Mean field length over the shard, float32. */
  readonly average: number
  /** Null: BM25 with its default parameters. */
  readonly similarity: Similarity | null
  readonly scored: boolean
}

/** Terms of several fields, scored as one term of one field. */
export interface CombinedFieldsWeight {
  readonly kind: 'combinedFields'
  readonly id: number
  readonly fields: readonly { readonly field: string; readonly weight: number }[]
  /** By field, then by term. */
  readonly termIds: readonly (readonly number[])[]
  /** The most documents that have one of the fields, and one of the terms. */
  readonly docCount: number
  readonly docFreq: number
  readonly boost: number
  readonly weight: number
  /** Mean of the weighted lengths, float32. */
  readonly average: number
  /** Null: BM25 with its default parameters. */
  readonly similarity: OwnBm25 | null
  readonly scored: boolean
}

/** Terms at given positions. */
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
  /** Null: BM25 with its default parameters. */
  readonly similarity: Similarity | null
  readonly scored: boolean
}

/** Synonyms, scored as one term. */
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
  /** Null: BM25 with its default parameters. */
  readonly similarity: Similarity | null
  readonly scored: boolean
}

/** A phrase with several alternative terms at each position. */
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
  /** Null: BM25 with its default parameters. */
  readonly similarity: Similarity | null
  readonly scored: boolean
}

/** Documents with a span. */
export interface SpanWeight {
  readonly kind: 'span'
  readonly id: number
  readonly field: string
  readonly span: SpanPlan
  /** Distinct, in the order of their fields and text. */
  readonly termIds: readonly number[]
  readonly docCount: number
  readonly boost: number
  readonly weight: number
  readonly average: number
  /** Null: BM25 with its default parameters. */
  readonly similarity: Similarity | null
  readonly scored: boolean
}

/** Documents with a minimal interval of positions. */
export interface PositionIntervalsWeight {
  readonly kind: 'positionIntervals'
  readonly id: number
  readonly source: IntervalPlan
  /** The least width of an interval. */
  readonly minWidth: number
  readonly weight: number
  readonly scored: boolean
}

/** Every document, with a constant score. */
export interface AllWeight {
  readonly kind: 'all'
  readonly id: number
  readonly score: number
}

/** No document. */
export interface NoneWeight {
  readonly kind: 'none'
  readonly id: number
}

/** A child's documents with a constant score. */
export interface ConstantWeight {
  readonly kind: 'constant'
  readonly id: number
  readonly score: number
  readonly child: WeightNode
}

/** Boolean combination of clauses. */
export interface BooleanWeight {
  readonly kind: 'boolean'
  readonly id: number
  readonly clauses: readonly { readonly occur: Occur; readonly node: WeightNode }[]
  readonly minimumShouldMatch: number
  readonly scored: boolean
}

/** The max of the children's scores, plus `tieBreaker` times the others'. */
export interface DisMaxWeight {
  readonly kind: 'disMax'
  readonly id: number
  readonly children: readonly WeightNode[]
  readonly tieBreaker: number
  readonly scored: boolean
}

/** Documents of any child, with the sum of the children's scores, each of which is told apart. */
export interface HybridWeight {
  readonly kind: 'hybrid'
  readonly id: number
  readonly children: readonly WeightNode[]
  readonly scored: boolean
}

/** `positive`'s documents, their scores multiplied where `negative` also matches. */
export interface BoostingWeight {
  readonly kind: 'boosting'
  readonly id: number
  readonly positive: WeightNode
  readonly negative: WeightNode
  readonly factor: number
  /** Applied last, in double. */
  readonly boost: number
}

/** How many clauses a document must match, min one. */
export type CoveringMinimum =
  /** The smallest value of a field; documents without one do not match. */
  | { readonly kind: 'field'; readonly column: NumberColumn }
  /** The value of a script. */
  | { readonly kind: 'script'; readonly script: ScriptPlan; readonly termCount: number }

/** Documents that match as many children as a number of theirs or a script says. */
export interface CoveringWeight {
  readonly kind: 'covering'
  readonly id: number
  readonly children: readonly WeightNode[]
  readonly minimum: CoveringMinimum
  readonly scored: boolean
}

/** A child's documents, their scores changed by functions. */
export interface FunctionScoreWeight {
  readonly kind: 'functionScore'
  readonly id: number
  readonly child: WeightNode
  readonly functions: readonly {
    /** Null: it holds for all documents. */
    readonly filter: WeightNode | null
    readonly function: ScoreFunction
    readonly weight: number | null
  }[]
  readonly combination: FunctionCombination
  readonly names?: FunctionNames
  /** Whether the child's scores play a part; else they are 0. */
  readonly readsScores: boolean
}

/** The origin of distances: a long in halves, or a place. */
export type FeatureOrigin =
  | {
      readonly kind: 'long'
      /** Signed upper and unsigned lower half. */
      readonly hi: number
      readonly lo: number
      readonly text: string
    }
  | { readonly kind: 'place'; readonly place: Place }

/** Documents with a value, by its distance from an origin. */
export interface DistanceFeatureWeight {
  readonly kind: 'distanceFeature'
  readonly id: number
  readonly field: string
  readonly origin: FeatureOrigin
  readonly pivot: number
  readonly boost: number
  readonly scored: boolean
}

/** Documents with a place in an area of the Earth. */
export interface GeoAreaWeight {
  readonly kind: 'geoArea'
  readonly id: number
  readonly field: string
  readonly score: number
  readonly area: GeoArea
  /** Boxes that cover the area, as corners of quantised places, unsigned. */
  readonly cover: readonly { readonly lower: Uint32Array; readonly upper: Uint32Array }[]
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents whose shape has a relation to another one. */
export interface GeoShapeWeight {
  readonly kind: 'geoShape'
  readonly id: number
  readonly field: string
  readonly score: number
  readonly relation: 'intersects' | 'disjoint' | 'within' | 'contains'
  /** Not empty. */
  readonly shapes: readonly SimpleShape[]
}

/** Documents with a feature, scored by a function of its number. */
export interface FeatureWeight {
  readonly kind: 'feature'
  readonly id: number
  readonly field: string
  readonly shownField: string
  readonly feature: string
  readonly termId: number
  readonly function: FeatureFunction
  readonly boost: number
  readonly scored: boolean
}

/** Terms in byte order in [lower, upper); a null bound is open. */
export interface TermRun {
  readonly lower: Uint8Array
  readonly upper: Uint8Array | null
}

/** The documents that have any of many terms. */
export interface MultiTermWeight {
  readonly kind: 'multiTerm'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Index in `LeafStates.expansions`. */
  readonly expansionId: number
  /** Tells the terms from all others of the field. */
  readonly key: string
}

/** Closed intervals of sortable 64-bit values, as halves: `hi` signed, `lo` unsigned. */
export interface PointInterval {
  readonly lowerHi: number
  readonly lowerLo: number
  readonly upperHi: number
  readonly upperLo: number
}

/** Documents that have a number in one of several intervals. */
export interface PointWeight {
  readonly kind: 'point'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Ascending and disjoint. */
  readonly intervals: readonly PointInterval[]
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents that have a term of given ranges, by points or a column of the terms' ordinals. */
export interface TermPointWeight {
  readonly kind: 'termPoint'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Ascending and disjoint. */
  readonly runs: readonly TermRun[]
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents that have a point in a box of the plane. */
export interface BoxWeight {
  readonly kind: 'box'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Its corners, both included: words of the first coordinate, then of the second. */
  readonly lower: Uint32Array
  readonly upper: Uint32Array
  /** The doc values that hold the points by document too; null: none. */
  readonly column: 'bytes' | 'numericValues' | null
}

/** Documents that have a field. */
export interface ExistsWeight {
  readonly kind: 'exists'
  readonly id: number
  readonly field: string
  readonly score: number
  /** Index in `LeafStates.terms` of the field's name in `_field_names`; null if it is not listed. */
  readonly nameId: number | null
}

/** Documents by `_id`. */
export interface IdsWeight {
  readonly kind: 'ids'
  readonly id: number
  readonly score: number
  readonly ids: readonly Uint8Array[]
}

/** One of `max` parts of all documents, by a hash. */
export interface SliceWeight {
  readonly kind: 'slice'
  readonly id: number
  readonly score: number
  readonly column: 'ids' | 'numericValues'
  readonly field: string
  readonly slice: number
  readonly max: number
}

/** Documents of which a nested document matches. */
export interface BlockJoinWeight {
  readonly kind: 'blockJoin'
  readonly id: number
  readonly child: WeightNode
  /** Path of the nested documents that are joined to, and its index in `LeafStates.terms`. */
  readonly parentPath: string | null
  readonly parentId: number | null
  /** `none` too where no score is read. */
  readonly scoreMode: BlockScoreMode
}

/** Nested documents that lie in those of another path which a node matches. */
export interface NestedWithinWeight {
  readonly kind: 'nestedWithin'
  readonly id: number
  readonly score: number
  /** Matches nested documents of the outer path. */
  readonly outer: WeightNode
  /** Indexes in `LeafStates.terms` of the path and of the outer one. */
  readonly termId: number
  readonly outerId: number
}

/** Documents of one leaf that a join found. */
export interface JoinedDocs {
  /** Ascending, without repeats. */
  readonly docs: Int32Array
  /** The score of each; null where scores are not combined. */
  readonly scores: Float32Array | null
}

/** Documents that a join has found. */
export interface JoinWeight {
  readonly kind: 'join'
  readonly id: number
  readonly idField: string
  /** Factor of the scores, and the score where they are not combined; float32. */
  readonly boost: number
  /** Whether explanations name the boost. */
  readonly explainsBoost: boolean
  readonly scored: boolean
  /** By ord of the leaf. */
  readonly found: readonly JoinedDocs[]
}

/** Documents whose vectors are near to another one. */
export interface VectorsWeight {
  readonly kind: 'vectors'
  readonly id: number
  readonly engine: TakenEngine
  readonly field: string
  readonly space: VectorSpace
  readonly element: VectorElement
  readonly vector: QueryVector
  /** Factor of the scores; float32. */
  readonly boost: number
  /** Null: any number. */
  readonly limit: number | null
  /** Of a leaf's graph; null: it is not walked. */
  readonly candidates: number | null
  readonly minScore: number | null
  readonly filter: WeightNode | null
  readonly filtersWhole: boolean
  readonly bestOfWhole: boolean
  /** Whole documents by ord of the leaf; null: any. */
  readonly within: readonly JoinedDocs[] | null
}

/** How the vectors of a field were searched. */
export interface VectorSearch {
  readonly engine: TakenEngine
  readonly field: string
  readonly space: VectorSpace
  readonly element: VectorElement
  /** Components of the query's vector. */
  readonly dimension: number
  /** Of a leaf's graph; null: it is not walked. */
  readonly candidates: number | null
  /** How many times as many candidates as hits were asked for, to compare them anew; null: they are not. */
  readonly oversample: number | null
}

/** The nearest documents of a shard. */
export interface NearestWeight {
  readonly kind: 'nearest'
  readonly id: number
  readonly k: number
  /** Factor of the scores; float32. */
  readonly boost: number
  /** By ord of the leaf, with scores. */
  readonly found: readonly JoinedDocs[]
  /** For explanations. */
  readonly search: VectorSearch
}

/** Documents that were found by values which a script emits for them. */
export interface DerivedWeight {
  readonly kind: 'derived'
  readonly id: number
  /** Float32. */
  readonly score: number
  /** By ord of the leaf. */
  readonly found: readonly JoinedDocs[]
}

/** Documents that a script takes. */
export interface ScriptWeight {
  readonly kind: 'script'
  readonly id: number
  readonly score: number
  readonly script: ScriptPlan
}

/** A child's documents, scored by how near their vectors are to one. */
export interface VectorScoreWeight {
  readonly kind: 'vectorScore'
  readonly id: number
  readonly child: WeightNode
  readonly field: string
  readonly space: VectorSpace
  readonly vector: QueryVector
  /** Float32, without the boost; null: none was given. */
  readonly minScore: number | null
  /** Factor of the scores; float32. */
  readonly boost: number
  readonly text: string
}

/** A child's documents, scored by a script. */
export interface ScriptScoreWeight {
  readonly kind: 'scriptScore'
  readonly id: number
  readonly child: WeightNode
  /** The child's name, for explanations. */
  readonly name?: string
  readonly script: ScriptPlan
  /** Documents with lower scores do not match, the boost left out; null: all do. */
  readonly minScore: number | null
  /** Float32, applied last. */
  readonly boost: number
}
