/** Parameters and keys of bodies that reindex, update and delete by query share. */

import type { ActiveShards, RefreshPolicy } from '../../../engine/api/target.ts'
import { readNumber } from '../../../engine/dsl/json-scalars.ts'
import type { ByScrollCall } from '../../../service/reindex/by-scroll-call.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { activeShards, refreshPolicy } from '../../endpoint.ts'
import { takes } from '../../param-form.ts'
import { flag, integer, millis, type ParamReader, type ParamValues } from '../../params.ts'

const DEFAULT_BATCH = 1000
const DEFAULT_SCROLL_IN_MILLIS = 300_000
const DEFAULT_TIMEOUT_IN_MILLIS = 60_000

/** The parameters. */
export const BY_SCROLL_PARAMS: {
  readonly refresh: ParamReader<RefreshPolicy>
  readonly timeout: ParamReader<number>
  readonly wait_for_active_shards: ParamReader<ActiveShards>
  readonly wait_for_completion: ParamReader<boolean>
  readonly requests_per_second: ParamReader<number>
  readonly scroll: ParamReader<number>
  readonly slices: ParamReader<number | 'auto'>
  readonly max_docs: ParamReader<number>
} = {
  refresh: refreshPolicy,
  timeout: millis,
  wait_for_active_shards: activeShards,
  wait_for_completion: flag,
  requests_per_second: rate,
  scroll: millis,
  slices,
  max_docs: (value, name) => maxDocs(integer(value, name), name),
}

/** Options of these calls that bodies carry. */
export interface ByScrollBody {
  /** As often as it was given. */
  readonly maxDocs: readonly number[]
  readonly abortsOnConflict: boolean
  /** Of the search, min 0; null: the default. */
  readonly batchSize: number | null
  /** `slice: "auto"` of the body. */
  readonly isAutoSliced: boolean
  /** Whether the body names one slice. */
  readonly hasSlice: boolean
}

/**
 * The shared part of a call.
 * @throws {IllegalArgumentError} limits that differ, or that slices cannot share
 */
export function byScrollOptions(
  params: ParamValues<typeof BY_SCROLL_PARAMS>,
  body: ByScrollBody,
): Omit<ByScrollCall, 'source'> {
  const given = params.slices ?? 1
  const slices = body.isAutoSliced ? 'auto' : given
  const limit = limitOf([
    ...body.maxDocs,
    ...(params.max_docs === undefined ? [] : [params.max_docs]),
  ])
  // Before a task begins; of `auto` it is known later.
  if (limit !== null && slices !== 'auto' && limit < slices)
    throw new IllegalArgumentError('[max_docs] should be >= [slices]')
  return {
    batchSize: body.batchSize ?? DEFAULT_BATCH,
    maxDocs: limit,
    abortsOnConflict: body.abortsOnConflict,
    refreshes: (params.refresh ?? 'false') !== 'false',
    timeoutInMillis: params.timeout ?? DEFAULT_TIMEOUT_IN_MILLIS,
    waitForActiveShards: params.wait_for_active_shards ?? null,
    requestsPerSecond: params.requests_per_second ?? Number.POSITIVE_INFINITY,
    slices,
    scrollInMillis: params.scroll ?? DEFAULT_SCROLL_IN_MILLIS,
  }
}

/**
 * Faults that the real server tells together.
 * @param fromOfUrl the parameter, which wins over the key
 */
export function searchFaults(
  { entries }: JsonObjectNode,
  { hasSlice, batchSize }: ByScrollBody,
  slices: number | 'auto',
  fromOfUrl: number | undefined = undefined,
): readonly string[] {
  const faults: string[] = []
  const of = (name: string): JsonNode | undefined => entries.find(({ key }) => key === name)?.value
  const given = of('from')
  const from = fromOfUrl ?? (given === undefined ? undefined : readInt(given))
  if (from !== undefined && from > 0) faults.push('using [from] is not allowed in a scroll context')
  if (batchSize === 0) faults.push('[size] cannot be [0] in a scroll context')
  if (from !== undefined) faults.push('from is not supported in this context')
  if (of('stored_fields') !== undefined)
    faults.push('stored_fields is not supported in this context')
  if (hasSlice && slices !== 1)
    faults.push("can't specify both manual and automatic slicing at the same time")
  return faults
}

/** The value of `max_docs`, wherever it was given; null: nowhere. */
function limitOf(given: readonly number[]): number | null {
  const [first] = given
  for (const value of given) {
    if (value !== first)
      throw new IllegalArgumentError(
        `[max_docs] set to two different values [${first}] and [${value}]`,
      )
  }
  return first ?? null
}

/** The value of `max_docs` in a body, under whichever of its names. */
export function readMaxDocs(node: JsonNode, name: string): number {
  return maxDocs(readInt(node), name)
}

/** The value of a search's `size`: documents of a page. */
export function batchSizeOf(node: JsonNode): number {
  return batchSize(readInt(node))
}

/** The value of `scroll_size`, likewise. */
export function scrollSize(value: string, name: string): number {
  return batchSize(integer(value, name))
}

/** Documents of a page, min 0: none at all is told among the faults of the search. */
function batchSize(size: number): number {
  if (size >= 0) return size
  throw new IllegalArgumentError(`[size] parameter cannot be negative, found [${size}]`)
}

function maxDocs(value: number, name: string): number {
  if (value > 0) return value
  throw new IllegalArgumentError(`[${name}] parameter cannot be negative, found [${value}]`)
}

/** A whole number of 32 bits in a body. */
function readInt(node: JsonNode): number {
  const number = Math.trunc(readNumber(node))
  if (number >= -(2 ** 31) && number < 2 ** 31) return number
  throw new EngineError({
    type: 'input_coercion_exception',
    reason: `Numeric value (${number}) out of range of int (-2147483648 - 2147483647)`,
  })
}

/** The value of `conflicts`: whether one ends the call. */
export function conflicts(value: string): boolean {
  if (value === 'proceed' || value === 'abort') return value === 'abort'
  throw new IllegalArgumentError(`conflicts may only be "proceed" or "abort" but was [${value}]`)
}

/** Whether a search's body has an entry that cuts it into slices, `auto` or one of them. */
export function sliceOf(
  entries: readonly JsonEntry[],
): Pick<ByScrollBody, 'isAutoSliced' | 'hasSlice'> {
  const slice = entries.find(({ key }) => key === 'slice')?.value
  const isAutoSliced = slice?.kind === 'string' && slice.value === 'auto'
  return { isAutoSliced, hasSlice: slice !== undefined && !isAutoSliced }
}

/** The value of `requests_per_second`. */
export function rate(value: string): number {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN
  if (number === -1) return Number.POSITIVE_INFINITY
  // As a float, which 0 must not be.
  if (Math.fround(number) > 0) return number
  throw new IllegalArgumentError(
    '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
  )
}

function slices(value: string): number | 'auto' {
  if (value === 'auto') return value
  const number = /^\d{1,10}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number < 2 ** 31) return number
  throw new IllegalArgumentError(
    `[slices] must be a positive integer or the string "auto", but was [${value}]`,
  )
}

takes('number above 0, or -1', rate)
takes('integer from 1, or auto', slices)
takes('proceed | abort', conflicts)
takes('integer from 1', BY_SCROLL_PARAMS.max_docs)
takes('integer from 1', scrollSize)
