/** Aggregations of a search in the query language, and the types of their answers, read from the request. */

/** Aggregations by name, in the documented form: `{ years: { date_histogram: { … } } }`. */
export type AggregationRequests = Readonly<Record<string, AggregationRequest>>

/** One aggregation: an object under the name of its type, with `aggs` below and `meta`. */
export type AggregationRequest = Readonly<Record<string, unknown>>

/** The answers to aggregations, by the names of the request; keys are those of the wire. */
export type AggregationAnswers<A> = A extends AggregationRequests
  ? { readonly [N in keyof A]: AnswerOf<A[N]> }
  : null

/** A bucket with the answers below it. */
export type Bucket<K, B> = { readonly key: K; readonly doc_count: number } & B

interface Value {
  /** Null without values. */
  readonly value: number | null
  readonly value_as_string?: string
}

interface Stats {
  readonly count: number
  readonly min: number | null
  readonly max: number | null
  readonly avg: number | null
  readonly sum: number | null
}

interface ManyBuckets<K, B> {
  readonly buckets: readonly (Bucket<K, B> & { readonly key_as_string?: string })[]
}

/** Buckets by significance, and how many documents were compared with how many. */
interface SignificantBuckets<B> {
  /** Absent where no index has the field. */
  readonly doc_count?: number
  readonly bg_count?: number
  readonly buckets: readonly (Bucket<string | number, B> & {
    readonly key_as_string?: string
    readonly score: number
    readonly bg_count: number
  })[]
}

/** Answers by type; the answers below a bucket are `B`. */
interface AnswersByType<B> {
  readonly avg: Value
  readonly sum: Value
  readonly min: Value
  readonly max: Value
  readonly weighted_avg: Value
  readonly median_absolute_deviation: Value
  readonly value_count: { readonly value: number }
  readonly cardinality: { readonly value: number }
  readonly stats: Stats
  readonly extended_stats: Stats & Readonly<Record<string, unknown>>
  readonly percentiles: { readonly values: Readonly<Record<string, number | string | null>> }
  readonly percentile_ranks: { readonly values: Readonly<Record<string, number | string | null>> }
  readonly terms: ManyBuckets<string | number, B> & {
    readonly doc_count_error_upper_bound: number
    readonly sum_other_doc_count: number
  }
  readonly rare_terms: ManyBuckets<string | number, B>
  readonly significant_terms: SignificantBuckets<B>
  readonly significant_text: SignificantBuckets<B>
  readonly multi_terms: ManyBuckets<readonly (string | number | boolean)[], B> & {
    readonly doc_count_error_upper_bound: number
    readonly sum_other_doc_count: number
  }
  readonly histogram: ManyBuckets<number, B>
  readonly date_histogram: ManyBuckets<number, B>
  readonly auto_date_histogram: ManyBuckets<number, B> & { readonly interval: string }
  readonly variable_width_histogram: {
    readonly buckets: readonly (Bucket<number, B> & {
      readonly min: number
      readonly max: number
    })[]
  }
  readonly range: ManyBuckets<string, B>
  readonly date_range: ManyBuckets<string, B>
  readonly ip_range: ManyBuckets<string, B>
  readonly geo_distance: ManyBuckets<string, B>
  readonly geohash_grid: ManyBuckets<string, B>
  readonly geotile_grid: ManyBuckets<string, B>
  readonly geohex_grid: ManyBuckets<string, B>
  readonly adjacency_matrix: ManyBuckets<string, B>
  readonly composite: ManyBuckets<Readonly<Record<string, unknown>>, B> & {
    /** The last key, for `after`; absent where there is no bucket. */
    readonly after_key?: Readonly<Record<string, unknown>>
  }
  readonly sampler: { readonly doc_count: number } & B
  readonly diversified_sampler: { readonly doc_count: number } & B
  readonly filter: { readonly doc_count: number } & B
  readonly missing: { readonly doc_count: number } & B
  readonly global: { readonly doc_count: number } & B
  readonly nested: { readonly doc_count: number } & B
  readonly reverse_nested: { readonly doc_count: number } & B
  readonly children: { readonly doc_count: number } & B
  readonly parent: { readonly doc_count: number } & B
}

/** The answers below a bucket of an aggregation. */
type Below<R> = R extends { readonly aggs: infer A }
  ? AggregationAnswers<A>
  : R extends { readonly aggregations: infer A }
    ? AggregationAnswers<A>
    : unknown

type AnswerOf<R> = {
  [K in keyof R & keyof AnswersByType<unknown>]: AnswersByType<Below<R>>[K]
}[keyof R & keyof AnswersByType<unknown>] extends infer Known
  ? [Known] extends [never]
    ? Readonly<Record<string, unknown>>
    : Known
  : never
