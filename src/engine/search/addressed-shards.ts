/** Which shards of an index a search looks at, and which part of their documents it sees. */
import { type ShardRouting, shardsOfRouting } from '../../shard/shard-routing.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { SearchSlice } from '../dsl/search-body/slice.ts'
import type { IndexView } from '../metadata/index-view.ts'

/** The options of a request that select shards. */
export interface ShardAddress {
  /** Values that lead to shards, where a view names none of its own; undefined: all shards. */
  readonly routing?: readonly string[] | undefined
  /** Of `_shards:0,2`, the numbers; other preferences choose among copies, of which there is one. */
  readonly preference?: string | undefined
  readonly slice?: SearchSlice | null
}

/** One shard that is looked at. */
export interface AddressedShard {
  readonly number: number
  /** The part of its documents that is seen; null: all. */
  readonly slice: SearchSlice | null
}

/**
 * The shards that a search looks at, ascending. A slice of no more slices than shards takes whole shards
 * in turn; of more, each shard is cut into slices of its own. Shards count from 0 among those that
 * routing and preference leave.
 */
export function addressedShards(
  index: ShardRouting,
  view: Pick<IndexView, 'searchRouting'>,
  { routing, preference, slice = null }: ShardAddress,
): AddressedShard[] {
  const routed = routingOf(view, routing)?.flatMap(value => shardsOfRouting(index, value))
  const preferred = preference === undefined ? null : shardsOfPreference(preference)
  const numbers = Array.from({ length: index.numberOfShards }, (_, number) => number).filter(
    number => (routed?.includes(number) ?? true) && (preferred?.has(number) ?? true),
  )
  if (slice === null) return numbers.map(number => ({ number, slice: null }))
  return slicedShards(slice, numbers).map(({ shard, slice: own }) => ({
    number: shard,
    slice: own,
  }))
}

/** Those of the shards of one index that have a part in a slice, each with its own slice; null: all of it. */
export function slicedShards<S>(
  slice: SearchSlice,
  shards: readonly S[],
): { readonly shard: S; readonly slice: SearchSlice | null }[] {
  return shards.flatMap((shard, ord) => {
    const own = sliceOfShard(slice, ord, shards.length)
    return own === null ? [] : { shard, slice: own.max === 1 ? null : own }
  })
}

/** The slice of one shard of several; null: the shard has no part in it. */
function sliceOfShard(slice: SearchSlice, ord: number, shards: number): SearchSlice | null {
  const { id, max, field } = slice
  if (max < shards) return ord % max === id ? { id: 0, max: 1, field } : null
  if (id % shards !== ord) return null
  const own = Math.floor(max / shards) + (ord < max % shards ? 1 : 0)
  return { id: Math.floor(id / shards), max: own, field }
}

/**
 * The numbers of a preference `_shards:0,2` or `_shards:0,2|_local`; null of any other.
 * @throws {IllegalArgumentError} one is no number
 */
export function shardsOfPreference(preference: string): ReadonlySet<number> | null {
  const [, listed] = /^_shards:([^|]*)/.exec(preference) ?? []
  if (listed === undefined) return null
  return new Set(
    listed
      .split(',')
      .filter(item => item !== '')
      .map(shardNumber),
  )
}

function shardNumber(text: string): number {
  if (/^[+-]?\d{1,9}$/.test(text)) return Number(text)
  throw new IllegalArgumentError(`For input string: "${text}"`, {
    causedBy: { type: 'number_format_exception', reason: `For input string: "${text}"` },
  })
}

/** Routing values that a view and a request both allow; undefined where neither names any. */
function routingOf(
  { searchRouting }: Pick<IndexView, 'searchRouting'>,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (asked === undefined || asked.length === 0) return searchRouting ?? undefined
  if (searchRouting === null) return asked
  return searchRouting.filter(value => asked.includes(value))
}
