/** `aggs`: the tree of aggregations of a request. */
import { didYouMean, findAlike } from '../../../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { jsonValueOf } from '../../../util/json/json-writer.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { ParsedAggregation, ParsedAggregations } from './aggregation-parser.ts'
import {
  AGGREGATION_TYPE_NAMES,
  aggregationParser,
  isAggregationType,
} from './aggregation-parsers.ts'
import { checkPipelines } from './check-pipelines.ts'
import { checkOrders } from './orders.ts'
import type { ParsedPipeline } from './pipeline-parser.ts'
import { PIPELINE_TYPE_NAMES, pipelineParser } from './pipeline-parsers.ts'

/** None. */
export const NO_AGGREGATIONS: ParsedAggregations = { nodes: [], pipelines: [] }

const VALID_NAME = /^[^[\]>]+$/

/**
 * Reads the aggregations of a request.
 * @throws {EngineError} 400: what is wrong with them by themselves
 */
export function parseAggregations(node: JsonNode): ParsedAggregations {
  const read = parseSiblings(node)
  checkPipelines(read)
  for (const { name, type, below } of read.nodes) checkPlaces(below, name, type)
  return read
}

/** @throws {EngineError} a global aggregation, or a composite one, stands where it may not */
function checkPlaces({ nodes }: ParsedAggregations, parent: string, parentType: string): void {
  for (const { name, type, below } of nodes) {
    if (type === 'global')
      throw new EngineError({
        type: 'aggregation_execution_exception',
        reason:
          `Aggregation [${parent}] cannot have a global sub-aggregation [${name}]. Global ` +
          'aggregations can only be defined as top level aggregations',
      })
    if (type === 'composite') checkCompositeIn(parentType)
    checkPlaces(below, name, type)
  }
}

/** Aggregations that composite ones may stand in. */
const AROUND_COMPOSITE: ReadonlySet<string> = new Set(['filter', 'nested', 'reverse_nested'])

/** @throws {EngineError} a composite aggregation stands in one that makes several buckets */
function checkCompositeIn(parentType: string): void {
  if (AROUND_COMPOSITE.has(parentType)) return
  const words = parentType.split('_').map(word => word[0]!.toUpperCase() + word.slice(1))
  throw new IllegalArgumentError(
    '[composite] aggregation cannot be used with a parent aggregation of type: ' +
      `[${words.join('')}AggregatorFactory]`,
  )
}

function parseSiblings(node: JsonNode): ParsedAggregations {
  if (node.kind !== 'object')
    throw parsingError(node, `Unknown key for a ${tokenName(node.kind)} in [aggregations]`)
  const nodes: ParsedAggregation[] = []
  const pipelines: ParsedPipeline[] = []
  const names = new Set<string>()
  for (const entry of node.entries) {
    const read = parseOne(entry)
    if (names.has(entry.key))
      throw new IllegalArgumentError(
        `Two sibling aggregations cannot have the same name: [${entry.key}]`,
      )
    names.add(entry.key)
    if ('plan' in read) pipelines.push(read)
    else nodes.push(read)
  }
  return { nodes, pipelines }
}

function parseOne(entry: JsonEntry): ParsedAggregation | ParsedPipeline {
  const { key: name, value } = entry
  if (!VALID_NAME.test(name))
    throw parsingError(
      entry,
      `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ` +
        "']', and '>'",
    )
  if (value.kind !== 'object')
    throw parsingError(
      value,
      `Aggregation definition for [${name} starts with a [${tokenName(value.kind)}], expected a ` +
        '[START_OBJECT].',
    )
  let meta: JsonValue | undefined
  let below: ParsedAggregations | null = null
  let type: { readonly entry: JsonEntry; readonly node: JsonObjectNode } | null = null
  for (const part of value.entries) {
    if (part.value.kind !== 'object')
      throw parsingError(
        part,
        `Expected [START_OBJECT] under [${part.key}], but got a [${tokenName(part.value.kind)}] in ` +
          `[${name}]`,
      )
    if (part.key === 'meta') meta = jsonValueOf(part.value)
    else if (part.key === 'aggs' || part.key === 'aggregations') {
      if (below !== null)
        throw parsingError(part, `Found two sub aggregation definitions under [${name}]`)
      below = parseSiblings(part.value)
    } else if (type !== null)
      throw parsingError(
        part,
        `Found two aggregation type definitions in [${name}]: [${type.entry.key}] and [${part.key}]`,
      )
    else type = { entry: part, node: part.value }
  }
  if (type === null) throw parsingError(value, `Missing definition for aggregation [${name}]`)
  return typed(name, type.entry, type.node, below ?? NO_AGGREGATIONS, meta)
}

function typed(
  name: string,
  entry: JsonEntry,
  node: JsonObjectNode,
  below: ParsedAggregations,
  meta: JsonValue | undefined,
): ParsedAggregation | ParsedPipeline {
  const { key } = entry
  const hasChildren = below.nodes.length + below.pipelines.length > 0
  const pipeline = pipelineParser(key)
  if (pipeline !== null) {
    if (hasChildren)
      throw new IllegalArgumentError(`Aggregation [${name}] cannot define sub-aggregations`)
    return { name, type: key, meta, plan: pipeline({ name, node }) }
  }
  if (!isAggregationType(key)) throw unknownType(entry)
  const parser = aggregationParser(key)
  if (hasChildren && !parser.takesChildren)
    throw new EngineError({
      type: 'aggregation_initialization_exception',
      reason: `Aggregator [${name}] of type [${key}] cannot accept sub-aggregations`,
    })
  const body = parser.parse({ name, node })
  if (body.order !== undefined) checkOrders(body.order, below.nodes)
  return { name, type: key, meta, sortable: parser.sortable, below, body }
}

function unknownType(entry: JsonEntry): EngineError {
  const alike = didYouMean(
    findAlike(entry.key, [...AGGREGATION_TYPE_NAMES, ...PIPELINE_TYPE_NAMES]),
  )
  return new EngineError({
    type: 'parsing_exception',
    reason: `Unknown aggregation type [${entry.key}]${alike}`,
    extra: { line: entry.line, col: entry.col },
    causedBy: {
      type: 'named_object_not_found_exception',
      reason: `[${entry.line}:${entry.col}] unknown field [${entry.key}]`,
    },
  })
}
