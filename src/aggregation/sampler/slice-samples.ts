import type { Leaf } from '../../segment/leaf.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import { Doubles, Ints } from '../columns.ts'
import { countAs, type FixedPartial } from '../fixed-buckets.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { AnyValueSource } from '../value-source.ts'
import { DocSample, HAS_VALUE, type SampleLimits } from './doc-sample.ts'
import type { FoundSamples } from './sampled-docs.ts'
import { hasTermKeys, type SamplePartial } from './sampler-aggregator.ts'

/** The samples of a shard, one bucket for each owning bucket, which a second pass hands to the children. */
export interface ClosedSamples extends FixedPartial {
  readonly samples: FoundSamples
}

/** Merges the samples of slices. */
export class SliceSamples implements SliceReducer {
  readonly #limits: SampleLimits
  readonly #leaves: readonly Leaf[]
  /** Of terms that are keys; null: keys are no terms. */
  readonly #ordinals: GlobalOrdinals | null
  readonly #samples: (DocSample | undefined)[] = []

  /** @param values of the keys; null: any documents are diverse */
  constructor(limits: SampleLimits, values: AnyValueSource | null, leaves: readonly Leaf[]) {
    this.#limits = limits
    this.#leaves = leaves
    this.#ordinals = hasTermKeys(values) ? new GlobalOrdinals(values.field, leaves, true) : null
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const from = own as SamplePartial
    const { count, docs, scores, weights, spaces, highs, lows } = from
    const ordinals = this.#ordinals
    for (let i = 0; i < count; i++) {
      const owner = owners[from.owners[i]!]!
      const sample = (this.#samples[owner] ??= new DocSample(this.#limits, () => {}))
      const space = spaces[i]!
      const isOrd = ordinals !== null && space === HAS_VALUE
      const high = isOrd ? 0 : highs[i]!
      const low = isOrd ? ordinals.globalOf(highs[i]!, lows[i]!) : lows[i]!
      sample.add(docs[i]!, scores[i]!, weights[i]!, space, high, low)
    }
    return owners
  }

  close(owners: Int32Array): { own: ClosedSamples; buckets: Int32Array } {
    const counts = new Float64Array(owners.length)
    const docs = new Ints()
    const buckets = new Ints()
    const scores = new Doubles()
    owners.forEach((owner, bucket) => {
      const sample = this.#samples[owner]
      if (sample === undefined) return
      sample.cut()
      for (let i = 0; i < sample.count; i++) {
        counts[bucket] = counts[bucket]! + sample.weights[i]!
        scores.ensure(docs.length + 1)[docs.length] = sample.scores[i]!
        docs.push(sample.docs[i]!)
        buckets.push(bucket)
      }
    })
    const run = {
      docBase: 0,
      docs: docs.packed(),
      buckets: buckets.packed(),
      places: null,
      scores: scores.values,
    }
    const samples = { bucketCount: owners.length, runs: [run], leaves: this.#leaves }
    return { own: { counts, samples }, buckets: owners }
  }

  value(owner: number, metric: string | null): number {
    const sample = this.#samples[owner]
    if (sample === undefined) return countAs(metric, 0)
    sample.cut()
    let count = 0
    for (let i = 0; i < sample.count; i++) count += sample.weights[i]!
    return countAs(metric, count)
  }

  bucketOf(owner: number): number {
    return owner
  }
}
