/** Results of aggregations, as pipelines read them and answers print them. */
import type { SliceHit } from '../search/collector/collect-spec.ts'
import type { JsonRecord, JsonValue } from '../util/json/json-value.ts'

/** The result of one aggregation in one bucket. */
export type AggregationResult = MetricResult | SingleBucketResult | MultiBucketResult

/** Children of a bucket by name, in print order; pipelines add theirs. */
export type ChildResults = Map<string, AggregationResult>

interface AnyResult {
  /** The type that `typed_keys` puts in front of the name. */
  readonly typedName: string
}

/** Numbers. */
export interface MetricResult extends AnyResult {
  readonly kind: 'metric'
  /**
   * A number of it.
   * @param metric null: the only one
   * @returns undefined: it has none of the name, or several where none is named
   */
  value(metric: string | null): number | undefined
  /** Documents that it shows; absent: it shows none. */
  readonly documents?: ShownDocuments
  print(): JsonRecord
}

/** Documents that a result shows, which are fetched between merging and printing. */
export interface ShownDocuments {
  /** How many there are. */
  readonly total: number
  /** Null: they carry no scores. */
  readonly maxScore: number | null
  /** In order. */
  readonly found: readonly FoundDocument[]
  /** Set once they are fetched. */
  printed: JsonRecord
}

/** A document of a shard. */
export interface FoundDocument {
  /** Ord among the shards that are merged. */
  readonly shard: number
  readonly hit: SliceHit
}

/** One bucket. */
export interface SingleBucketResult extends AnyResult {
  readonly kind: 'single'
  readonly docCount: number
  readonly children: ChildResults
  /** Keys behind `doc_count`. */
  readonly tail?: JsonRecord
}

/** Several buckets. */
export interface MultiBucketResult extends AnyResult {
  readonly kind: 'multi'
  /** Class name, for errors of pipelines. */
  readonly className: string
  /** In print order; pipelines may cut and sort them. */
  buckets: BucketResult[]
  /** Whether buckets print as an object, by `name`. */
  readonly keyed: boolean
  /** An empty bucket behind that of a key; absent: buckets follow no step. */
  readonly after?: (key: number) => BucketResult
  /** Keys before and behind `buckets`. */
  readonly head: JsonRecord
  readonly tail: JsonRecord
}

/** One of several buckets. */
export interface BucketResult {
  /** The key of keyed buckets, and the one that paths name. */
  readonly name: string
  /** The key as a number, for `_key` in paths; NaN without one. */
  readonly key: number
  readonly docCount: number
  /** Keys up to the children, `doc_count` included. */
  readonly head: JsonRecord
  readonly children: ChildResults
}

/** Prints results by name. */
export function printResults(
  results: ChildResults,
  metas: MetaTree,
  typedKeys: boolean,
): Map<string, JsonValue> {
  const printed = new Map<string, JsonValue>()
  addResults(printed, results, metas, typedKeys)
  return printed
}

function addResults(
  to: Map<string, JsonValue>,
  results: ChildResults,
  metas: MetaTree,
  typedKeys: boolean,
): void {
  for (const [name, result] of results) {
    const key = typedKeys ? `${result.typedName}#${name}` : name
    to.set(key, printResult(result, metas.get(name), typedKeys))
  }
}

/** The `meta` of aggregations by name, and those of their children. */
export type MetaTree = ReadonlyMap<string, MetaNode>

export interface MetaNode {
  /** Undefined: none was given. */
  readonly meta: JsonValue | undefined
  readonly children: MetaTree
}

const NO_METAS: MetaTree = new Map()
const NO_META: JsonRecord = {}
/** Children of a bucket that has none, and to which no pipeline adds. */
export const NO_RESULTS: ChildResults = new Map()

function printResult(
  result: AggregationResult,
  node: MetaNode | undefined,
  typedKeys: boolean,
): JsonValue {
  const meta = node?.meta === undefined ? NO_META : { meta: node.meta }
  const below = node?.children ?? NO_METAS
  switch (result.kind) {
    case 'metric':
      return meta === NO_META ? result.print() : { ...meta, ...result.print() }
    case 'single': {
      const { docCount, tail, children } = result
      return withChildren({ ...meta, doc_count: docCount, ...tail }, children, below, typedKeys)
    }
    case 'multi':
      return {
        ...meta,
        ...result.head,
        buckets: printBuckets(result, below, typedKeys),
        ...result.tail,
      }
  }
}

function printBuckets(
  { buckets, keyed }: MultiBucketResult,
  below: MetaTree,
  typedKeys: boolean,
): JsonValue {
  const print = ({ head, children }: BucketResult): JsonValue =>
    withChildren(head, children, below, typedKeys)
  if (!keyed) return buckets.map(print)
  return new Map(buckets.map(bucket => [bucket.name, print(bucket)]))
}

/** Names of children are users', which a map keeps in order. */
function withChildren(
  head: JsonRecord,
  children: ChildResults,
  below: MetaTree,
  typedKeys: boolean,
): JsonValue {
  if (children.size === 0) return head
  const printed = new Map<string, JsonValue>()
  for (const key of Object.keys(head)) {
    const value = head[key]
    if (value !== undefined) printed.set(key, value)
  }
  addResults(printed, children, below, typedKeys)
  return printed
}
