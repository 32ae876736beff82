/** How far matches are counted: a number of them, Infinity for all, −1 for not at all. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readInteger } from '../json-scalars.ts'

/** Default of `track_total_hits`. */
export const DEFAULT_TRACK_TOTAL_HITS = 10_000

/**
 * Reads `track_total_hits` of a body: a boolean or a number.
 * @throws {EngineError} 400: neither, or below −1
 */
export function readTrackTotalHits(node: JsonNode): number {
  if (node.kind === 'boolean') return trackTotalHitsOf(node.value)
  if (node.kind === 'string' && (node.value === 'true' || node.value === 'false'))
    return trackTotalHitsOf(node.value === 'true')
  return trackTotalHitsOf(readInteger(node))
}

/**
 * The limit that a boolean or a number stands for.
 * @throws {IllegalArgumentError} below −1
 */
export function trackTotalHitsOf(value: boolean | number): number {
  if (typeof value === 'boolean') return value ? Number.POSITIVE_INFINITY : -1
  if (value < -1)
    throw new IllegalArgumentError(
      `[track_total_hits] parameter must be positive or equals to -1, got ${value}`,
    )
  return value
}

/**
 * The limit where totals print as plain numbers: they need an exact count, unless the request says
 * otherwise.
 * @param limit      what the body and the URL gave, or the default
 * @param isFromUrl  whether the URL gave it
 * @throws {IllegalArgumentError} a limit, whose total could be a lower bound
 */
export function exactTrackTotalHits(limit: number, isFromUrl: boolean): number {
  if (limit === DEFAULT_TRACK_TOTAL_HITS && !isFromUrl) return Number.POSITIVE_INFINITY
  if (limit >= 0 && Number.isFinite(limit))
    throw new IllegalArgumentError(
      '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ' +
        `${limit}`,
    )
  return limit
}
