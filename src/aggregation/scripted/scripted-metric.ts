/** `scripted_metric`: scripts make a state of documents, what is left of it, and a result of that. */
import { newReduceRun, type ScriptRun } from '../../script/script-run.ts'
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { MetricLeaf, MetricRunner, MetricScripts } from '../../search/script/leaf-script.ts'
import type { PackedValue } from '../../search/script/packed-value.ts'
import { scriptEngine } from '../../search/script/script-engine.ts'
import {
  type AggregationPlan,
  type AggregationSlice,
  type AggregationType,
  type Aggregator,
  NO_BUCKETS,
  NO_NOTES,
  type ShardReducer,
  type SliceReducer,
} from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { MetricResult } from '../result.ts'

/** A metric that scripts compute. */
export interface ScriptedMetricPlan extends AggregationPlan {
  readonly kind: 'scriptedMetric'
  readonly scripts: MetricScripts
}

/** Combined states by owning bucket: one of each slice that has seen it. */
interface Closed {
  readonly owners: Int32Array
  readonly states: readonly PackedValue[]
}

/** Bytes that a state is charged. */
const STATE_BYTES = 5120

/** Each slice has states of its own; the results of all are reduced where the answer is made. */
export const scriptedMetric: AggregationType<ScriptedMetricPlan, null> = {
  readsScores: () => false,
  className: () => 'ScriptedMetricAggregator',
  prepare: () => null,
  open: (plan, _ready, _children, slice) => new MetricAggregator(plan, slice),
  sliceReducer: () => new SliceStates(),
  shardReducer: ([plan]) => new ShardMetric(plan!),
}

class MetricAggregator implements Aggregator {
  readonly #metric: MetricRunner
  readonly #slice: AggregationSlice
  /** By owning bucket. */
  readonly #states = new Map<number, unknown>()
  #leaf: MetricLeaf | null = null

  constructor({ scripts }: ScriptedMetricPlan, slice: AggregationSlice) {
    this.#metric = scriptEngine().metric(scripts)
    this.#slice = slice
  }

  openLeaf(): void {
    this.#leaf = null
  }

  collect({ leaf, docs, count, owners, scores }: BucketBatch): void {
    const own = (this.#leaf ??= this.#metric.leaf(leaf, this.#slice.scripts))
    for (let i = 0; i < count; i++)
      own.collect(docs[i]!, scores?.[i] ?? 0, this.#stateOf(owners === null ? 0 : owners[i]!))
  }

  #stateOf(owner: number): unknown {
    let state = this.#states.get(owner)
    if (state === undefined) {
      this.#slice.charge(STATE_BYTES)
      state = this.#metric.init(this.#slice.scripts)
      this.#states.set(owner, state)
    }
    return state
  }

  finish(): Closed {
    const all = [...this.#states]
    return {
      owners: Int32Array.from(all, ([owner]) => owner),
      states: all.map(([, state]) => this.#metric.combine(state, this.#slice.scripts)),
    }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

/** Gathers what is left of states. */
class StateLists {
  readonly #byOwner = new Map<number, PackedValue[]>()

  add(own: unknown, owners: Int32Array): Int32Array {
    const from = own as Closed
    from.states.forEach((state, i) => {
      const owner = owners[from.owners[i]!]!
      const list = this.#byOwner.get(owner) ?? []
      list.push(state)
      this.#byOwner.set(owner, list)
    })
    return NO_BUCKETS
  }

  of(owner: number): readonly PackedValue[] {
    return this.#byOwner.get(owner) ?? []
  }
}

class SliceStates implements SliceReducer {
  readonly #lists = new StateLists()

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#lists.add(own, owners)
  }

  close(owners: Int32Array): { own: Closed; buckets: Int32Array } {
    const pairs = Array.from(owners, (owner, i) =>
      this.#lists.of(owner).map(state => ({ owner: i, state })),
    ).flat()
    const own = {
      owners: Int32Array.from(pairs, ({ owner }) => owner),
      states: pairs.map(({ state }) => state),
    }
    return { own, buckets: NO_BUCKETS }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

class ShardMetric implements ShardReducer {
  readonly #metric: MetricRunner
  readonly #lists = new StateLists()
  #run: ScriptRun | null = null

  constructor({ scripts }: ScriptedMetricPlan) {
    this.#metric = scriptEngine().metric(scripts)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#lists.add(own, owners)
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const found = this.#lists.of(owner)
    const { json, number } = this.#metric.reduce(found.length === 0 ? [this.#none()] : found)
    return {
      kind: 'metric',
      typedName: 'scripted_metric',
      value: metric => (metric === null || metric === 'value' ? number : undefined),
      print: () => ({ value: json }),
    }
  }

  /** The combined state of a slice without a document. */
  #none(): PackedValue {
    const run = (this.#run ??= newReduceRun())
    return this.#metric.combine(this.#metric.init(run), run)
  }
}
