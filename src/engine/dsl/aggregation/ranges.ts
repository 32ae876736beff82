/** `ranges` of range aggregations. */
import type { NumberRange } from '../../../aggregation/range/range-counts.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readText } from '../json-scalars.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'

/** A range as it was written; null ends are open. */
export interface ParsedRange {
  readonly key: string | null
  readonly from: string | null
  readonly to: string | null
}

/** Reads `ranges`. @param type name of the aggregation, for errors */
export function readRanges(node: JsonNode, type: string): readonly ParsedRange[] {
  return rangeNodes(node, type).map(item => readRange(item, type))
}

/** A list of ranges; one by itself stands for a list of it. */
export function rangeNodes(node: JsonNode, type: string): readonly JsonNode[] {
  if (node.kind === 'array') return node.items
  if (node.kind === 'object') return [node]
  throw parsingError(
    node,
    `[${type}] expected a list of ranges but found [${tokenName(node.kind)}]`,
  )
}

function readRange(node: JsonNode, type: string): ParsedRange {
  if (node.kind !== 'object')
    throw parsingError(node, `[${type}] expected a range but found [${tokenName(node.kind)}]`)
  const range: { key: string | null; from: string | null; to: string | null } = {
    key: null,
    from: null,
    to: null,
  }
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key !== 'key' && key !== 'from' && key !== 'to')
      throw contentError(entry, `[${type}] unknown field [${key}]`)
    range[key] = value.kind === 'null' ? null : readText(value)
  }
  return range
}

/** @throws {IllegalArgumentError} there are none */
export function checkRanges(ranges: readonly unknown[], name: string): void {
  if (ranges.length === 0)
    throw new IllegalArgumentError(`No [ranges] specified for the [${name}] aggregation`)
}

/** Ranges in the order of their buckets. @param read the number that an end stands for */
export function sortedRanges(
  ranges: readonly ParsedRange[],
  read: (text: string) => number,
): readonly NumberRange[] {
  return ranges
    .map(({ key, from, to }) => ({
      key,
      from: from === null ? Number.NEGATIVE_INFINITY : read(from),
      to: to === null ? Number.POSITIVE_INFINITY : read(to),
    }))
    .sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
