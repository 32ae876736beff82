/** The gathers beside the hits: their union, and the table of their kinds. */
import { type Aggregations, aggregations } from '../aggregation/aggregations-gather.ts'
import type { PreparedGather } from '../search/collector/collect-spec.ts'
import type {
  GatherShard,
  GatherType,
  LeafCounting,
  SliceContext,
  SliceGather,
} from '../search/collector/gather.ts'
import type { Gather, GatherDemands } from '../search/collector/gather-plan.ts'
import { type ListedMatches, listedMatches } from '../search/collector/listed-matches.ts'
import type { Leaf } from '../segment/leaf.ts'

/** Every gather beside the hits. */
export type AnyGather = Aggregations | ListedMatches

type GatherOf<K extends AnyGather['kind']> = Extract<AnyGather, { readonly kind: K }>

/** The records of a kind are private to it, so they are unknown here. */
type GatherTypeOf<G extends Gather> = GatherType<G, unknown, unknown, unknown>

const GATHER_TYPES: { readonly [K in AnyGather['kind']]: GatherTypeOf<GatherOf<K>> } = {
  aggregations,
  listedMatches,
}

function typeOf(gather: Gather): GatherTypeOf<Gather> {
  return GATHER_TYPES[gather.kind as AnyGather['kind']]
}

/** The demands of each gather. */
export function demandsOfGathers(gathers: readonly Gather[]): readonly GatherDemands[] {
  return gathers.map(gather => typeOf(gather).demands(gather))
}

/** Prepares each gather for a shard. */
export function prepareGathers(
  gathers: readonly Gather[],
  shard: GatherShard,
): readonly PreparedGather[] {
  return gathers.map(gather => ({ gather, ready: typeOf(gather).prepare(gather, shard) }))
}

/** How all gathers tell their parts of the result of a whole leaf; null: one sees documents. */
export function countingOf(gathers: readonly PreparedGather[], leaf: Leaf): LeafCounting | null {
  let isSure = true
  let entries = 0
  for (const { gather, ready } of gathers) {
    const counting = typeOf(gather).counting?.(ready, leaf) ?? null
    if (counting === null) return null
    isSure &&= counting.isSure
    entries += counting.entries
  }
  return { isSure, entries }
}

/** Opens each gather on a slice. */
export function openGathers(
  gathers: readonly PreparedGather[],
  context: SliceContext,
): readonly SliceGather<unknown>[] {
  return gathers.map(({ gather, ready }) => typeOf(gather).open(ready, context))
}

/**
 * Merges slices into a shard's results, one for each gather.
 * @param slices each slice's results, in any order
 * @param leaves the shard's
 */
export function reduceGathers(
  gathers: readonly PreparedGather[],
  slices: readonly (readonly unknown[])[],
  leaves: readonly Leaf[],
): readonly unknown[] {
  return gathers.map(({ gather, ready }, i) => {
    const partials = slices.map(slice => slice[i])
    return typeOf(gather).closeShard(ready, partials, leaves)
  })
}
