/** `ranges` of range aggregations. */
import type { NumberRange } from '../../../aggregation/range/range-counts.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { type DeclaredOption, readDeclared } from '../declared-options.ts'
import { readText } from '../json-scalars.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'

/** A range as it was written; null ends are open. */
export interface ParsedRange {
  readonly key: string | null
  readonly from: string | null
  readonly to: string | null
}

/** Reads `ranges` of numbers or dates. @param type name of the aggregation, for errors */
export function readRanges(node: JsonNode, type: string): readonly ParsedRange[] {
  return rangeNodes(node, type).map(readRange)
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

/** Ends take numbers and texts; null leaves one open, or a bucket to its own key. */
const END: readonly JsonNode['kind'][] = ['string', 'number', 'null']

/** One parser, of this name, reads the ranges of numbers and those of dates. */
function readRange(node: JsonNode): ParsedRange {
  if (node.kind !== 'object')
    throw contentError(node, `[range] Expected START_OBJECT but was: ${tokenName(node.kind)}`)
  const range = { ...OPEN_RANGE }
  const end = (name: keyof ParsedRange): DeclaredOption => ({
    takes: END,
    read: value => {
      range[name] = readEnd(value)
    },
  })
  readDeclared('range', node, new Map(RANGE_KEYS.map(key => [key, end(key)])))
  return range
}

const RANGE_KEYS = ['key', 'from', 'to'] as const

/** Whether a key is one of those that a range of every type has. */
export function isRangeKey(key: string): key is keyof ParsedRange {
  return RANGE_KEYS.some(each => each === key)
}

/** A range without a key, open on both sides. */
export const OPEN_RANGE: { [key in keyof ParsedRange]: string | null } = {
  key: null,
  from: null,
  to: null,
}

/** An end or a key; null: none is given. */
export function readEnd(value: JsonNode): string | null {
  return value.kind === 'null' ? null : readText(value)
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
