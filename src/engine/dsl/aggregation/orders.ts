/** `order` of buckets: read, checked against the aggregations below, and resolved. */
import type { BucketOrder } from '../../../aggregation/bucket-order.ts'
import { EngineError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { ParsedAggregation, ParsedOrder, ParsedOrders } from './aggregation-parser.ts'

/** By count, the highest first. */
export const BY_COUNT: ParsedOrders = [{ path: '_count', asked: '_count', descending: true }]
/** By key, the lowest first. */
export const BY_KEY: ParsedOrders = [{ path: '_key', asked: '_key', descending: false }]

/**
 * Reads `order`: an object, or a list of them.
 * @throws {EngineError} `parsing_exception`
 */
export function readOrders(node: JsonNode): ParsedOrders {
  if (node.kind === 'array') return node.items.flatMap(readOrders)
  if (node.kind !== 'object')
    throw parsingError(node, `Unexpected token [${tokenName(node.kind)}] for [order]`)
  if (node.entries.length === 0)
    throw parsingError(node, 'Must specify at least one field for [order]')
  return node.entries.map(readOrder)
}

function readOrder({ key, value }: JsonEntry): ParsedOrder {
  const direction = readText(value).toLowerCase()
  if (direction !== 'asc' && direction !== 'desc')
    throw parsingError(value, `Unknown order direction [${readText(value)}]`)
  return { path: isOldKey(key) ? '_key' : key, asked: key, descending: direction === 'desc' }
}

/** Whether a key is one of those that `_key` has replaced. */
function isOldKey(key: string): boolean {
  return key === '_term' || key === '_time'
}

/** Deprecation notices of an order's old keys. */
export function orderWarnings(orders: ParsedOrders): readonly string[] {
  return orders
    .filter(({ asked }) => isOldKey(asked))
    .map(({ asked }) => `Deprecated aggregation order key [${asked}] used, replaced by [_key]`)
}

/** The criteria of an order; ties go by key. */
export function bucketOrders(orders: ParsedOrders): readonly BucketOrder[] {
  const made = orders.map(({ path, descending }): BucketOrder => {
    if (path === '_count') return { by: 'count', descending }
    if (path === '_key') return { by: 'key', descending }
    const { names, metric } = splitPath(path)
    return { by: 'path', path: names, metric, descending }
  })
  return made.some(({ by }) => by === 'key') ? made : [...made, { by: 'key', descending: false }]
}

/** `a>b.c` or `a>b[c]`: the names of aggregations, and a metric of the last. */
function splitPath(path: string): {
  readonly names: readonly string[]
  readonly metric: string | null
} {
  const parts = path.split('>').map(part => part.trim())
  const last = parts.pop()!
  const bracket = /^([^[\]]+)\[([^[\]]+)\]$/.exec(last)
  if (bracket !== null) return { names: [...parts, bracket[1]!], metric: bracket[2]! }
  const dot = last.indexOf('.')
  if (dot < 0) return { names: [...parts, last], metric: null }
  return { names: [...parts, last.slice(0, dot)], metric: last.slice(dot + 1) }
}

/**
 * Checks the paths of an order.
 * @param below the aggregations below the one that is sorted
 * @throws {EngineError} `aggregation_execution_exception`
 */
export function checkOrders(orders: ParsedOrders, below: readonly ParsedAggregation[]): void {
  for (const { path } of orders) {
    if (path === '_count' || path === '_key') continue
    const { names, metric } = splitPath(path)
    let siblings = below
    names.forEach((name, i) => {
      const found = siblings.find(each => each.name === name)
      if (found === undefined) throw invalidPath(path, name)
      const isLast = i === names.length - 1
      if (!isLast && found.sortable !== 'single') throw notSingle(path, name)
      if (isLast) checkTarget(path, found, metric)
      siblings = found.below.nodes
    })
  }
}

function checkTarget(path: string, target: ParsedAggregation, metric: string | null): void {
  const { name, sortable, body } = target
  if (sortable === 'no') throw notSingle(path, name)
  if (sortable === 'stats' && metric === null)
    throw orderError(
      `Invalid aggregation order path [${path}]. When ordering on a multi-value metrics aggregation a ` +
        'metric name must be specified.',
    )
  if (sortable === 'stats' && metric !== null && body.hasMetric?.(metric) !== true)
    throw orderError(
      `Invalid aggregation order path [${path}]. Unknown metric name [${metric}] on multi-value ` +
        `metrics aggregation [${name}]`,
    )
  if (sortable === 'metric' && metric !== null && metric !== 'value')
    throw orderError(
      `Invalid aggregation order path [${path}]. Ordering on a single-value metrics aggregation can ` +
        `only be done on its value. Either drop the key (a la "${name}") or change it to "value" ` +
        `(a la "${name}.value")`,
    )
  if (sortable === 'single' && metric !== null && metric !== 'doc_count')
    throw orderError(
      `Invalid aggregation order path [${path}]. Ordering on a single-bucket aggregation can only be ` +
        `done on its doc_count. Either drop the key (a la "${name}") or change it to "doc_count" ` +
        `(a la "${name}.doc_count")`,
    )
}

function invalidPath(path: string, name: string): EngineError {
  return orderError(
    `Invalid aggregation order path [${path}]. The provided aggregation [${name}] either does not ` +
      'exist, or is a pipeline aggregation and cannot be used to sort the buckets.',
  )
}

function notSingle(path: string, name: string): EngineError {
  return orderError(
    `Invalid aggregation order path [${path}]. Buckets can only be sorted on a sub-aggregator path ` +
      'that is built out of zero or more single-bucket aggregations within the path and a final ' +
      `single-bucket or a metrics aggregation at the path end. [${name}] is not single-bucket.`,
  )
}

function orderError(reason: string): EngineError {
  return new EngineError({ type: 'aggregation_execution_exception', reason })
}
