/** The result of a search, as the library gives it. */
import type { AggregationAnswers } from './aggregations.ts'
import { type ProfileReport, profileReport } from './profile-report.ts'
import { type Suggestions, suggestions, type WireSuggestions } from './suggest-result.ts'
import { type VectorFields, withVectors } from './vector-sources.ts'

/** The answer to one search. */
export interface SearchResult<T, A = undefined> {
  readonly tookInMillis: number
  readonly timedOut: boolean
  /** True when `terminateAfter` cut it short; null unless that was asked for. */
  readonly terminatedEarly: boolean | null
  readonly shards: SearchShards
  /** Null when hits were not counted. */
  readonly total: Total | null
  /** Null when nothing was scored. */
  readonly maxScore: number | null
  readonly hits: readonly Hit<T>[]
  /** By name, as the wire has them; null unless `aggs` was asked for. */
  readonly aggs: AggregationAnswers<A>
  /** By name; null unless `suggest` was asked for. */
  readonly suggest: Suggestions<T> | null
  /** Null unless `profile` was asked for. */
  readonly profile: ProfileReport | null
  /** In the order in which they ran; null unless `verbosePipeline` was asked for. */
  readonly processorResults: readonly ProcessorResult[] | null
}

/** What a processor of a search pipeline did. */
export interface ProcessorResult {
  /** The name of its type. */
  readonly processor: string
  readonly tag: string | null
  readonly tookInMillis: number
  /** Why it failed; null: it did not. */
  readonly error: string | null
  /** The body of the search ahead of it, or the hits, as the API prints them. */
  readonly input: unknown
  /** The same behind it; null: it failed. */
  readonly output: unknown
}

/** How many match: exactly (`eq`), or at least (`gte`). */
export interface Total {
  readonly value: number
  readonly relation: 'eq' | 'gte'
}

/** How many shards answered; `failures` are as the API prints them. */
export interface SearchShards {
  readonly total: number
  readonly successful: number
  readonly skipped: number
  readonly failed: number
  readonly failures: readonly unknown[]
}

/** One hit; parts that were not asked for are null. */
export interface Hit<T> {
  readonly index: string
  readonly id: string
  /** A float32; null where hits stand in another order than by score. */
  readonly score: number | null
  readonly routing: string | null
  /** Exact up to 2⁵³; `get` gives larger ones exactly. */
  readonly version: number | null
  readonly seqNo: number | null
  readonly primaryTerm: number | null
  /** The document as it was given; whole numbers past 2⁵³ lose digits in JavaScript. */
  readonly source: T | null
  readonly sort: readonly unknown[] | null
  /** Values of fields by name: those of `fields`, `docvalueFields`, `scriptFields` and `storedFields`. */
  readonly fields: Readonly<Record<string, readonly unknown[]>> | null
  /** Fragments of fields by name, with what the query matches between tags. */
  readonly highlight: Readonly<Record<string, readonly string[]>> | null
  /** Names of the queries that match it, or their scores by name; null where none does. */
  readonly matchedQueries: readonly string[] | Readonly<Record<string, number>> | null
  /** Fields whose values were passed over when it was indexed. */
  readonly ignored: readonly string[]
  /** Hits within it by name: nested documents, or hits of its group. */
  readonly innerHits: Readonly<Record<string, InnerHits>> | null
  /** Where a nested document stands in its whole one; null for whole documents. */
  readonly nested: NestedPlace | null
  readonly explanation: Explanation | null
}

/** Hits within a hit. */
export interface InnerHits {
  readonly total: Total
  /** Null when nothing was scored. */
  readonly maxScore: number | null
  readonly hits: readonly Hit<unknown>[]
}

/** The place of a nested document: which of the objects of a field, and where within that. */
export interface NestedPlace {
  readonly field: string
  readonly offset: number
  readonly nested: NestedPlace | null
}

/** Why a hit has its score. */
export interface Explanation {
  readonly value: number
  readonly description: string
  readonly details: readonly Explanation[]
}

/** A search response as the engine itself printed it. */
interface WireResponse<T> {
  readonly took: number
  readonly timed_out: boolean
  readonly terminated_early?: boolean
  readonly _shards: Omit<SearchShards, 'failures'> & { readonly failures?: readonly unknown[] }
  readonly hits: {
    readonly total?: Total
    readonly max_score: number | null
    readonly hits: readonly WireHit<T>[]
  }
  readonly aggregations?: unknown
  readonly suggest?: WireSuggestions<T>
  readonly profile?: unknown
  readonly processor_results?: readonly WireProcessorResult[]
}

interface WireProcessorResult {
  readonly processor_name: string
  readonly tag?: string
  readonly duration_millis: number
  readonly error?: string
  readonly input_data: unknown
  readonly output_data: unknown
}

interface WireHit<T> {
  readonly _index: string
  readonly _id: string
  readonly _score: number | null
  readonly _routing?: string
  readonly _version?: number
  readonly _seq_no?: number
  readonly _primary_term?: number
  readonly _source?: T
  readonly sort?: readonly unknown[]
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  readonly highlight?: Readonly<Record<string, readonly string[]>>
  readonly matched_queries?: readonly string[] | Readonly<Record<string, number>>
  readonly _ignored?: readonly string[]
  readonly inner_hits?: Readonly<Record<string, { readonly hits: WireInnerHits }>>
  readonly _nested?: WirePlace
  readonly _explanation?: Explanation
}

interface WireInnerHits {
  readonly total: Total
  readonly max_score: number | null
  readonly hits: readonly WireHit<unknown>[]
}

interface WirePlace {
  readonly field: string
  readonly offset: number
  readonly _nested?: WirePlace
}

/**
 * Reads a search response's text.
 * @param vectors fields whose values in sources become typed arrays; default none
 */
export function searchResult<T, A>(text: string, vectors: VectorFields = []): SearchResult<T, A> {
  const wire = JSON.parse(text) as WireResponse<T>
  const { total, successful, skipped, failed, failures = [] } = wire._shards
  return {
    tookInMillis: wire.took,
    timedOut: wire.timed_out,
    terminatedEarly: wire.terminated_early ?? null,
    shards: { total, successful, skipped, failed, failures },
    total: wire.hits.total ?? null,
    maxScore: wire.hits.max_score,
    hits: wire.hits.hits.map(hit => readHit(hit, vectors)),
    aggs: (wire.aggregations ?? null) as AggregationAnswers<A>,
    suggest: wire.suggest === undefined ? null : suggestions(wire.suggest),
    profile: wire.profile === undefined ? null : profileReport(wire.profile),
    processorResults: wire.processor_results?.map(readProcessor) ?? null,
  }
}

function readProcessor(wire: WireProcessorResult): ProcessorResult {
  return {
    processor: wire.processor_name,
    tag: wire.tag ?? null,
    tookInMillis: wire.duration_millis,
    error: wire.error ?? null,
    input: wire.input_data,
    output: wire.output_data,
  }
}

function readHit<T>(hit: WireHit<T>, vectors: VectorFields): Hit<T> {
  return {
    index: hit._index,
    id: hit._id,
    score: hit._score,
    routing: hit._routing ?? null,
    version: hit._version ?? null,
    seqNo: hit._seq_no ?? null,
    primaryTerm: hit._primary_term ?? null,
    source: hit._source === undefined ? null : sourceOf(hit, vectors),
    sort: hit.sort ?? null,
    fields: hit.fields ?? null,
    highlight: hit.highlight ?? null,
    matchedQueries: hit.matched_queries ?? null,
    ignored: hit._ignored ?? [],
    innerHits: hit.inner_hits === undefined ? null : readInnerHits(hit.inner_hits, vectors),
    nested: hit._nested === undefined ? null : readPlace(hit._nested),
    explanation: hit._explanation ?? null,
  }
}

/** The source of a hit; that of a nested document begins at its own object. */
function sourceOf<T>(hit: WireHit<T>, vectors: VectorFields): T {
  const source = hit._source as T
  const at = hit._nested === undefined ? '' : `${pathOf(hit._nested)}.`
  if (at === '') return withVectors(source, vectors)
  const below = vectors.flatMap(({ names, isFloat }) => {
    const name = names.join('.')
    return name.startsWith(at) ? [{ names: name.slice(at.length).split('.'), isFloat }] : []
  })
  return withVectors(source, below)
}

function pathOf({ field, _nested }: WirePlace): string {
  return _nested === undefined ? field : `${field}.${pathOf(_nested)}`
}

function readInnerHits(
  found: NonNullable<WireHit<unknown>['inner_hits']>,
  vectors: VectorFields,
): Hit<unknown>['innerHits'] {
  return Object.fromEntries(
    Object.entries(found).map(([name, { hits }]): [string, InnerHits] => [
      name,
      {
        total: hits.total,
        maxScore: hits.max_score,
        hits: hits.hits.map(hit => readHit(hit, vectors)),
      },
    ]),
  )
}

function readPlace({ field, offset, _nested }: WirePlace): NestedPlace {
  return { field, offset, nested: _nested === undefined ? null : readPlace(_nested) }
}
