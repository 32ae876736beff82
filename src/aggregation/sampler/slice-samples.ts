import type { Leaf } from '../../segment/leaf.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import { countAs, type FixedPartial } from '../fixed-buckets.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { ValueSource } from '../value-source.ts'
import { DocSample, HAS_VALUE, type SampleLimits } from './doc-sample.ts'
import type { LeafSample, SampledDocs } from './replay.ts'
import { hasTermKeys, type SamplePartial } from './sampler-aggregator.ts'

/** The samples of a shard, one bucket for each owning bucket, which a second pass hands to the children. */
export interface ClosedSamples extends FixedPartial {
  readonly samples: SampledDocs
}

/** Merges the samples of slices. */
export class SliceSamples implements SliceReducer {
  readonly #limits: SampleLimits
  readonly #leaves: readonly Leaf[]
  /** Of terms that are keys; null: keys are no terms. */
  readonly #ordinals: GlobalOrdinals | null
  readonly #samples: (DocSample | undefined)[] = []

  /** @param values of the keys; null: any documents are diverse */
  constructor(limits: SampleLimits, values: ValueSource | null, leaves: readonly Leaf[]) {
    this.#limits = limits
    this.#leaves = leaves
    this.#ordinals = hasTermKeys(values)
      ? new GlobalOrdinals(
          leaves.map(leaf =>
            leaf.fieldInfo(values.field) === null ? null : leaf.terms(values.field),
          ),
        )
      : null
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
    const found: SampledDoc[] = []
    owners.forEach((owner, bucket) => {
      const sample = this.#samples[owner]
      if (sample === undefined) return
      sample.cut()
      for (let i = 0; i < sample.count; i++) {
        counts[bucket] = counts[bucket]! + sample.weights[i]!
        found.push({ doc: sample.docs[i]!, bucket, score: sample.scores[i]! })
      }
    })
    found.sort((a, b) => a.doc - b.doc || a.bucket - b.bucket)
    const samples = { bucketCount: owners.length, leaves: byLeaf(found, this.#leaves) }
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

interface SampledDoc {
  readonly doc: number
  readonly bucket: number
  readonly score: number
}

/** @param found ascending */
function byLeaf(found: readonly SampledDoc[], leaves: readonly Leaf[]): readonly LeafSample[] {
  let from = 0
  return leaves.map(leaf => {
    const { docBase, maxDoc } = leaf
    let end = from
    while (end < found.length && found[end]!.doc < docBase + maxDoc) end++
    const own = found.slice(from, end)
    from = end
    const docs = Int32Array.from(own, ({ doc }) => doc - docBase)
    return {
      docs,
      wholes: docs.map(doc => wholeOf(doc, leaf)),
      buckets: Int32Array.from(own, ({ bucket }) => bucket),
      scores: Float32Array.from(own, ({ score }) => score),
    }
  })
}

/** The document that a live or nested one belongs to: the first live one that is not below it. */
function wholeOf(doc: number, { liveDocs, maxDoc }: Leaf): number {
  let whole = doc
  while (liveDocs !== null && whole < maxDoc && !liveDocs.has(whole)) whole++
  return whole
}
