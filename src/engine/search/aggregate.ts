/** The aggregations of a search, made for an index and gathered with its matches. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { CountLimits } from '../../aggregation/aggregation-type.ts'
import type { Aggregations } from '../../aggregation/aggregations-gather.ts'
import type { ParsedAggregations } from '../dsl/aggregation/aggregation-parser.ts'
import { orderWarnings } from '../dsl/aggregation/orders.ts'
import { OLD_PIPELINE_TYPES } from '../dsl/aggregation/pipeline-parsers.ts'
import type { ParsedQuery, QueryContext } from '../dsl/query-context.ts'

/** Whether any are asked for. */
export function hasAggregations({ nodes, pipelines }: ParsedAggregations): boolean {
  return nodes.length + pipelines.length > 0
}

/** Whether some of them sample. */
export function holdsSamples({ nodes }: ParsedAggregations): boolean {
  return nodes.some(({ body, below }) => body.samples === true || holdsSamples(below))
}

/** All queries of filters. */
export function queriesOf({ nodes }: ParsedAggregations): readonly ParsedQuery[] {
  return nodes.flatMap(({ body, below }) => [...(body.queries ?? []), ...queriesOf(below)])
}

/** Deprecation notices of old forms in them. */
export function warningsOf({ nodes, pipelines }: ParsedAggregations): readonly string[] {
  return [
    ...nodes.flatMap(({ body, below }) => [
      ...(body.warnings ?? []),
      ...orderWarnings(body.order ?? []),
      ...warningsOf(below),
    ]),
    ...pipelines.flatMap(({ type }) => OLD_PIPELINE_TYPES.get(type) ?? []),
  ]
}

/**
 * Makes aggregations for an index.
 * @throws {EngineError} the index does not fit one of them; that of the outermost one
 */
export function bindAggregations(
  { nodes }: ParsedAggregations,
  context: QueryContext,
): readonly Aggregation[] {
  return nodes.map(({ body, below }) => {
    let children: readonly Aggregation[]
    try {
      children = bindAggregations(below, body.contextBelow?.(context) ?? context)
    } catch (error) {
      // Of several refusals the outermost is told.
      body.bind(context, [])
      throw error
    }
    return body.bind(context, children)
  })
}

/**
 * The gather of the aggregations that see the matches of a query, or of those that see all documents.
 * @param maxBytes of buckets  @param counts how leaves may be counted; null: by their documents alone
 * @param selectionFactor of `search.aggregation.bucket_selection_strategy_factor`; null: nothing is profiled
 */
export function gatherOf(
  all: readonly Aggregation[],
  isGlobal: boolean,
  maxBytes: number,
  counts: CountLimits | null,
  selectionFactor: number | null,
): Aggregations | null {
  const nodes = all.filter(node => (node.kind === 'global') === isGlobal)
  return nodes.length === 0
    ? null
    : {
        kind: 'aggregations',
        nodes,
        maxBytes,
        ...(selectionFactor !== null && { selectionFactor }),
        ...(counts !== null && { counts }),
      }
}

/** Findings of both gathers for each aggregation, in order of the request. */
export function inOrder<T>(
  all: readonly Aggregation[],
  matched: readonly T[],
  global: readonly T[],
): readonly T[] {
  if (global.length === 0) return matched
  let nextMatched = 0
  let nextGlobal = 0
  return all.map(node => (node.kind === 'global' ? global[nextGlobal++]! : matched[nextMatched++]!))
}
