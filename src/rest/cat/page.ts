/** Pages of a table: which rows are on one, and the token by which the next is asked for. */

import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { takes } from '../param-form.ts'
import { integer, type ParamReader } from '../params.ts'

/** Where a row stands among all rows: older indices before newer ones, each index's shards by number. */
export interface PagePlace {
  /** In milliseconds since 1970. */
  readonly createdAt: number
  readonly index: string
  /** 0 where rows are whole indices. */
  readonly shard: number
}

/** The page that a request asks for. */
export interface PageRequest {
  /** The most rows of it. */
  readonly size: number
  readonly isDescending: boolean
  /** Text of the token of the page before; null for the first one. */
  readonly token: string | null
}

/** Some rows, and the token of the page behind them; null at the last one. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly nextToken: string | null
}

/** Parameters of a table in pages, whose sizes have limits of their own. */
export function pageParams(
  least: number,
  most: number,
): {
  readonly next_token: ParamReader<string | null>
  readonly size: ParamReader<number>
  readonly sort: ParamReader<'asc' | 'desc'>
} {
  const size: ParamReader<number> = takes(`integer from ${least} to ${most}`, (value, name) => {
    const number = integer(value, name)
    if (number < least) {
      const limit = least === 1 ? 'greater than zero' : `at least [${least}]`
      throw new IllegalArgumentError(`size must be ${limit}`)
    }
    if (number > most) throw new IllegalArgumentError(`size should be less than [${most}]`)
    return number
  })
  return { next_token: token, size, sort: order }
}

const token: ParamReader<string | null> = takes('the token of the page before, or null', value =>
  value === '' || value === 'null' ? null : value,
)

const order: ParamReader<'asc' | 'desc'> = takes('asc | desc', value => {
  if (value === 'asc' || value === 'desc') return value
  throw new IllegalArgumentError('value of sort can either be asc or desc')
})

/**
 * The rows of a page, in its order.
 * @param placeOf rows at one place, as the copies of a shard are, stay together
 * @throws {EngineError} 400 `parse_exception`: a token that no page gave
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { size, isDescending, token }: PageRequest,
  placeOf: (row: Row) => PagePlace,
  isOfShards: boolean,
): Page<Row> {
  const sign = isDescending ? -1 : 1
  const last = token === null ? null : placeIn(token, isOfShards)
  const compare = (a: PagePlace, b: PagePlace): number => {
    const [x, y] = [a.index, b.index]
    const byIndex = a.createdAt - b.createdAt || (x < y ? -1 : x > y ? 1 : 0)
    return sign * byIndex || a.shard - b.shard
  }
  const left = rows
    .map(row => ({ row, place: placeOf(row) }))
    .filter(({ place }) => last === null || compare(place, last) > 0)
    .sort((a, b) => compare(a.place, b.place))
  let end = Math.min(size, left.length)
  // A place that does not fit as a whole begins the next page, unless it alone is larger than one.
  const isCut = (at: number): boolean =>
    at > 0 && at < left.length && compare(left[at - 1]!.place, left[at]!.place) === 0
  while (isCut(end)) end--
  if (end === 0) for (end = Math.min(size, left.length); isCut(end); ) end++
  return {
    rows: left.slice(0, end).map(({ row }) => row),
    nextToken: end === left.length ? null : tokenOf(left[end - 1]!.place, isOfShards),
  }
}

function tokenOf({ createdAt, index, shard }: PagePlace, isOfShards: boolean): string {
  const parts = [...(isOfShards ? [shard] : []), createdAt, index]
  return Buffer.from(parts.join('|')).toString('base64')
}

function placeIn(token: string, isOfShards: boolean): PagePlace {
  const text = Buffer.from(token, 'base64').toString()
  const [, shard = '0', createdAt, index] =
    (isOfShards ? /^(\d{1,9})\|(\d{1,15})\|(.+)$/ : /^()(\d{1,15})\|(.+)$/).exec(text) ?? []
  if (createdAt === undefined || index === undefined) {
    throw new EngineError({
      type: 'parse_exception',
      reason:
        'Parameter [next_token] has been tainted and is incorrect. Please provide a valid [next_token].',
    })
  }
  return { createdAt: Number(createdAt), index, shard: Number(shard) }
}
