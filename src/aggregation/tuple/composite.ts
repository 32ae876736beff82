/** `composite`: all combinations of several sources, page by page. */
import { doubleText } from '../../util/json/float-text.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import type {
  AggregationPlan,
  AggregationType,
  ReducedChildren,
  ReducedShards,
  ShardReducer,
  SliceReducer,
} from '../aggregation-type.ts'
import { firstBuckets } from '../bucket-order.ts'
import { bucketsByOwner } from '../buckets-by-owner.ts'
import { Doubles } from '../columns.ts'
import { CELL_GRIDS } from '../geo/cells/cell-grids.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import { compareKeys, printKey } from '../terms/key-form.ts'
import type { ValueFormat } from '../value-source.ts'
import { sourceSections } from './source-sections.ts'
import { TupleCollector, type TuplesPartial } from './tuple-collector.ts'
import { type TupleKey, TupleKeys, tupleId } from './tuple-keys.ts'
import type { TupleSource, TupleValue } from './tuple-source.ts'

/** A source with its name and order. */
export interface CompositeSource extends TupleSource {
  readonly name: string
  readonly descending: boolean
  /** Where null stands: ahead of all values, or behind them. */
  readonly nullsFirst: boolean
  /** How its values print. */
  readonly format: ValueFormat
  /** Whether whole numbers print as doubles, as the starts of intervals do. */
  readonly isDouble: boolean
}

/** All combinations of several sources, page by page. */
export interface Composite extends AggregationPlan {
  readonly kind: 'composite'
  readonly sources: readonly CompositeSource[]
  readonly size: number
  /** The last key of the page before; null: this is the first. */
  readonly after: TupleKey | null
}

interface Closed {
  readonly owners: Int32Array
  readonly keys: readonly TupleKey[]
  readonly counts: Float64Array
}

/** Buckets in order of their keys. */
export const composite: AggregationType<Composite, null> = {
  countsBy: countedField,
  readsScores: () => false,
  className: () => 'CompositeAggregator',
  prepare({ sources }, shard) {
    sourceSections(sources, shard)
    return null
  },
  open: ({ sources }, _ready, children, slice) =>
    new TupleCollector(sources, children, bytes => slice.charge(bytes)),
  sliceReducer: plan => new SliceComposite(plan),
  shardReducer: (plans, children, shards) => new ShardComposite(plans, children, shards),
}

/** The field of a sole source of dates, in UTC and without null. */
function countedField({ sources }: Composite): string | null {
  const [source] = sources
  if (sources.length !== 1 || source!.values?.kind !== 'numbers' || source!.hasNull) return null
  const { rounding } = source!
  return rounding.kind === 'date' && rounding.rounding.zone === null ? source!.values.field : null
}

function compareTuples(sources: readonly CompositeSource[], a: TupleKey, b: TupleKey): number {
  for (const [place, { descending, nullsFirst }] of sources.entries()) {
    const [left, right] = [a[place]!, b[place]!]
    if (left === null || right === null) {
      if (left === right) continue
      return (left === null) === nullsFirst ? -1 : 1
    }
    const order = compareKeys(left, right)
    if (order !== 0) return descending ? -order : order
  }
  return 0
}

class SliceComposite implements SliceReducer {
  readonly #plan: Composite
  readonly #keys: TupleKeys
  readonly #counts = new Doubles()

  constructor(plan: Composite) {
    this.#plan = plan
    this.#keys = new TupleKeys(plan.sources.length, null)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const buckets = this.#keys.add(own, owners)
    const counts = this.#counts.ensure(this.#keys.size)
    const from = (own as TuplesPartial).counts
    buckets.forEach((bucket, i) => {
      counts[bucket] = counts[bucket]! + from[i]!
    })
    return buckets
  }

  close(owners: Int32Array): { own: Closed; buckets: Int32Array } {
    const { sources, size, after } = this.#plan
    const keys = Array.from({ length: this.#keys.size }, (_, bucket) => this.#keys.key(bucket))
    const kept: number[] = []
    const keptOwners: number[] = []
    for (const [i, list] of bucketsByOwner(this.#keys, owners).entries()) {
      const left =
        after === null
          ? list
          : list.filter(bucket => compareTuples(sources, keys[bucket]!, after) > 0)
      const best = firstBuckets(left, size, (a, b) => compareTuples(sources, keys[a]!, keys[b]!))
      for (const bucket of best) {
        kept.push(bucket)
        keptOwners.push(i)
      }
    }
    return {
      own: {
        owners: Int32Array.from(keptOwners),
        keys: kept.map(bucket => keys[bucket]!),
        counts: Float64Array.from(kept, bucket => this.#counts.at(bucket)),
      },
      buckets: Int32Array.from(kept),
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

class ShardComposite implements ShardReducer {
  readonly #sources: readonly CompositeSource[]
  readonly #size: number
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #byOwner: (Map<string, number> | undefined)[] = []
  readonly #keys: TupleKey[] = []
  readonly #counts = new Doubles()

  constructor(plans: readonly Composite[], children: ReducedChildren, shards: ReducedShards) {
    const [plan] = plans
    // An index that lacks a field says nothing of how its values print.
    this.#sources = plan!.sources.map(
      (_, place) =>
        (plans.find(each => each.sources[place]!.values !== null) ?? plan!).sources[place]!,
    )
    this.#size = plan!.size
    this.#children = children
    this.#shards = shards
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { owners: from, keys, counts } = own as Closed
    return Int32Array.from(from, (owner, i) => {
      const bucket = this.#bucketOf(owners[owner]!, keys[i]!)
      const sums = this.#counts.ensure(bucket + 1)
      sums[bucket] = sums[bucket]! + counts[i]!
      return bucket
    })
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MultiBucketResult {
    const found = Int32Array.from(this.#byOwner[owner]?.values() ?? [])
    const best = firstBuckets(found, this.#size, (a, b) =>
      compareTuples(this.#sources, this.#keys[a]!, this.#keys[b]!),
    )
    this.#shards.budget.take(best.length)
    const last = best.at(-1)
    return {
      kind: 'multi',
      typedName: 'composite',
      className: 'InternalComposite',
      keyed: false,
      head: last === undefined ? {} : { after_key: this.#print(this.#keys[last]!) },
      tail: {},
      buckets: Array.from(best, (bucket): BucketResult => {
        const key = this.#print(this.#keys[bucket]!)
        const docCount = this.#counts.at(bucket)
        return {
          name: this.#nameOf(this.#keys[bucket]!),
          key: Number.NaN,
          docCount,
          head: { key, doc_count: docCount },
          children: this.#children.results(bucket),
        }
      }),
    }
  }

  #bucketOf(owner: number, key: TupleKey): number {
    let byKey = this.#byOwner[owner]
    if (byKey === undefined) this.#byOwner[owner] = byKey = new Map()
    const id = tupleId(key)
    const known = byKey.get(id)
    if (known !== undefined) return known
    const bucket = this.#keys.push(key) - 1
    byKey.set(id, bucket)
    return bucket
  }

  /** The key as pipelines tell it: `{a=1, b=x}`. */
  #nameOf(key: TupleKey): string {
    const parts = this.#sources.map(
      (source, place) => `${source.name}=${valueText(key[place]!, source)}`,
    )
    return `{${parts.join(', ')}}`
  }

  #print(key: TupleKey): ReadonlyMap<string, JsonValue> {
    return new Map(
      this.#sources.map((source, place) => [source.name, printValue(key[place]!, source)]),
    )
  }
}

function printValue(value: TupleValue, { rounding, format, isDouble }: CompositeSource): JsonValue {
  if (value === null) return null
  if (rounding.kind === 'cell') return CELL_GRIDS[rounding.cells.grid].text(value as bigint)
  if (format.kind === 'boolean') return Number(value) !== 0
  const { printed, text } = printKey(value, format)
  if (text !== null) return text
  return printed instanceof Float64 && !isDouble ? printed.value : printed
}

function valueText(value: TupleValue, source: CompositeSource): string {
  const printed = printValue(value, source)
  return printed instanceof Float64 ? doubleText(printed.value) : String(printed)
}
