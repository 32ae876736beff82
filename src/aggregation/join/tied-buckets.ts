import { inChunks, type Turn } from '../../util/turns.ts'
import { Ints } from '../columns.ts'
import { pairOrder } from '../sampler/pair-order.ts'
import type { TiedBuckets, TiedIds } from './tied.ts'

/** The ids that the slices of a shard have listed, in any order. */
export interface FoundIds {
  readonly bucketCount: number
  /** Pairs of an owning bucket and the shard's ord of an id, each once. */
  readonly owners: Int32Array
  readonly ids: Int32Array
  /** By owning bucket its place among those that stay, plus 1; 0, or behind the end: it does not. */
  readonly places: Int32Array
  /** Ids of the shard. */
  readonly idCount: number
  /** By ord: how many ids a leaf has, and the shard's ord of each; null: they are the same. */
  readonly leaves: readonly {
    readonly idCount: number
    readonly globals: Int32Array | null
  }[]
}

/**
 * The buckets of ids, as a second pass looks them up: ascending by id, then bucket.
 * @param turn yields where it is over
 */
export function* tiedBuckets(found: FoundIds, turn: Turn): Generator<void, TiedBuckets, void> {
  const { bucketCount, places, idCount, leaves } = found
  const ids = new Int32Array(found.ids.length)
  const kept = new Int32Array(found.ids.length)
  let size = 0
  yield* inChunks(found.ids.length, turn, (first, end) => {
    for (let i = first; i < end; i++) {
      const place = places[found.owners[i]!] ?? 0
      if (place === 0) continue
      ids[size] = found.ids[i]!
      kept[size++] = place - 1
    }
  })
  const order = yield* pairOrder(ids.subarray(0, size), kept.subarray(0, size), turn)
  const buckets = new Int32Array(size)
  const starts = new Ints()
  /** By id its number + 1. */
  const numbers = new Int32Array(size === 0 ? 0 : idCount)
  yield* inChunks(size, turn, (first, end) => {
    for (let i = first; i < end; i++) {
      const at = order[i]!
      const id = ids[at]!
      buckets[i] = kept[at]!
      if (numbers[id] !== 0) continue
      starts.push(i)
      numbers[id] = starts.length
    }
  })
  starts.push(size)
  const tied: TiedIds[] = []
  for (const leaf of leaves) tied.push(yield* numbered(leaf, numbers, turn))
  return { bucketCount, starts: starts.packed(), buckets, leaves: tied }
}

/** The ids of a leaf that have a number. */
function* numbered(
  { idCount, globals }: FoundIds['leaves'][number],
  numbers: Int32Array,
  turn: Turn,
): Generator<void, TiedIds, void> {
  const ords = new Ints()
  const found = new Ints()
  yield* inChunks(numbers.length === 0 ? 0 : idCount, turn, (first, end) => {
    for (let ord = first; ord < end; ord++) {
      const number = numbers[globals === null ? ord : globals[ord]!]!
      if (number === 0) continue
      ords.push(ord)
      found.push(number - 1)
    }
  })
  return { idCount, ords: ords.packed(), numbers: found.packed() }
}
