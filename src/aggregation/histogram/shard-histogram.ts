import { Float64, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'
import type { ReducedChildren, ReducedShards, ShardReducer } from '../aggregation-type.ts'
import type { BucketOrder } from '../bucket-order.ts'
import { compareBuckets } from '../bucket-order.ts'
import type { BucketResult, ChildResults, MultiBucketResult } from '../result.ts'
import type { NumberText } from '../value-text.ts'
import { KeyedBuckets } from './keyed-buckets.ts'
import type { KeyedPartial } from './keyed-partial.ts'

/** Options of any histogram that merging shards reads. */
export interface HistogramForm {
  readonly typedName: string
  readonly className: string
  readonly minDocCount: number
  readonly order: readonly BucketOrder[]
  readonly keyed: boolean
  /** Keys of the first and last bucket that there are at least; null: as values say. */
  readonly bounds: { readonly first: number | null; readonly last: number | null } | null
  /** The key behind one. */
  next(key: number): number
  readonly text: NumberText
  printKey(key: number): JsonValue
}

/** A bucket of the answer: one of the shards', or a gap. */
interface Bar {
  readonly key: number
  /** −1: a gap. */
  readonly bucket: number
}

/** Merges the buckets of shards, and fills the gaps between them. */
export class ShardHistogram implements ShardReducer {
  readonly #form: HistogramForm
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #buckets = new KeyedBuckets()

  constructor(form: HistogramForm, children: ReducedChildren, shards: ReducedShards) {
    this.#form = form
    this.#children = children
    this.#shards = shards
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#buckets.add(own as KeyedPartial, owners)
  }

  result(owner: number): MultiBucketResult {
    const { typedName, className, keyed, minDocCount } = this.#form
    const found = this.#buckets
      .of(owner)
      .map(bucket => ({ key: this.#buckets.key(bucket), bucket }))
    const bars =
      minDocCount === 0
        ? this.#filled(found)
        : found.filter(({ bucket }) => this.#buckets.count(bucket) >= minDocCount)
    if (minDocCount > 0) this.#shards.budget.take(bars.length)
    return {
      kind: 'multi',
      typedName,
      className,
      buckets: this.#sorted(bars).map(bar => this.#print(bar)),
      keyed,
      after: key => new HistogramBucket(this.#form, this.#form.next(key), 0, new Map()),
      head: {},
      tail: {},
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  #filled(found: readonly Bar[]): readonly Bar[] {
    const { bounds, next } = this.#form
    const { budget } = this.#shards
    const bars: Bar[] = []
    const add = (bar: Bar): void => {
      budget.take(1)
      bars.push(bar)
    }
    const start = bounds?.first ?? null
    const end = bounds?.last ?? null
    let key = Number.NaN
    if (start !== null && (found.length > 0 || end !== null)) key = start
    for (const bar of found) {
      if (Number.isNaN(key)) key = bar.key
      for (; key < bar.key; key = next(key)) add({ key, bucket: -1 })
      add(bar)
      key = next(bar.key)
    }
    if (end !== null && !Number.isNaN(key))
      for (; key <= end; key = next(key)) add({ key, bucket: -1 })
    return bars
  }

  #sorted(bars: readonly Bar[]): readonly Bar[] {
    const { order } = this.#form
    const [first] = order
    if (first?.by === 'key') return first.descending ? [...bars].reverse() : bars
    const compare = compareBuckets(
      order,
      {
        count: at => this.#countOf(bars[at]!),
        compareKeys: (a, b) => bars[a]!.key - bars[b]!.key,
      },
      this.#children.nodes.map(node => ({
        name: node.name,
        children: node.children,
        value: (at, metric) => node.value(bars[at]!.bucket, metric),
        bucketOf: at => node.bucketOf(bars[at]!.bucket),
      })),
    )
    return bars
      .map((_, at) => at)
      .sort(compare)
      .map(at => bars[at]!)
  }

  #countOf({ bucket }: Bar): number {
    return bucket < 0 ? 0 : this.#buckets.count(bucket)
  }

  #print(bar: Bar): BucketResult {
    const children = this.#children.results(bar.bucket)
    return new HistogramBucket(this.#form, bar.key, this.#countOf(bar), children)
  }
}

/** A bucket of a histogram. Few readers want its name where its key has no text. */
class HistogramBucket implements BucketResult {
  readonly #text: NumberText
  readonly key: number
  readonly docCount: number
  readonly head: JsonRecord
  readonly children: ChildResults

  constructor(
    { text, printKey }: HistogramForm,
    key: number,
    docCount: number,
    children: ChildResults,
  ) {
    this.#text = text
    this.key = key
    this.docCount = docCount
    this.children = children
    this.head = text.isShown
      ? { key_as_string: text.of(key), key: printKey(key), doc_count: docCount }
      : { key: printKey(key), doc_count: docCount }
  }

  get name(): string {
    return this.#text.isShown ? String(this.head['key_as_string']) : this.#text.of(this.key)
  }
}

/** Keys of histograms of numbers print as doubles. */
export function printDouble(key: number): JsonValue {
  return new Float64(key)
}
