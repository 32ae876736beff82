/** Buckets of texts that scripts give: by text, since no dictionary holds them. */
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes } from '../../util/bytes.ts'
import type { AggregationSlice, Aggregator } from '../aggregation-type.ts'
import { type BatchTarget, type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles } from '../columns.ts'
import { liveBatches } from '../live-batches.ts'
import { TextColumn } from '../text-column.ts'
import type { TextSource } from '../value-source.ts'
import { termOfText } from '../value-text.ts'
import { termFilter } from './term-filter.ts'
import type { TermKey, TermKeys } from './term-keys.ts'
import type { ValueFilter } from './value-filter.ts'

/** Bytes that a bucket takes beside its text. */
const BUCKET_BYTES = 120

/** Columns of buckets by text. */
interface TextTermsPartial {
  readonly owners: Int32Array
  readonly texts: readonly string[]
  readonly counts: Float64Array
}

/** Buckets by owner and text. */
class TextTable {
  readonly owners: number[] = []
  readonly texts: string[] = []
  readonly #byOwner = new Map<number, Map<string, number>>()

  get size(): number {
    return this.owners.length
  }

  /** The bucket of a text; −1: there is none yet. */
  find(owner: number, text: string): number {
    return this.#byOwner.get(owner)?.get(text) ?? -1
  }

  /** The bucket of a text, added where there is none. */
  bucketOf(owner: number, text: string): number {
    const known = this.find(owner, text)
    if (known >= 0) return known
    const bucket = this.owners.push(owner) - 1
    this.texts.push(text)
    const own = this.#byOwner.get(owner) ?? new Map<string, number>()
    this.#byOwner.set(owner, own.set(text, bucket))
    return bucket
  }
}

/** Whether a filter lets a text in; null: it lets all in. */
function textFilter(
  filter: ValueFilter | null,
  { format }: TextSource,
): ((text: string) => boolean) | null {
  const accepts = filter === null ? null : termFilter(filter)
  return accepts === null ? null : text => accepts(termOfText(format, text))
}

/** The texts of all live documents. */
function allTexts(
  values: TextSource,
  accepts: ((text: string) => boolean) | null,
  leaves: readonly Leaf[],
): ReadonlySet<string> {
  const column = new TextColumn(values)
  const all = new Set<string>()
  let open: Leaf | null = null
  for (const batch of liveBatches(leaves)) {
    if (batch.leaf !== open) column.openLeaf()
    open = batch.leaf
    column.read(batch)
    for (const text of column.texts) if (accepts?.(text) !== false) all.add(text)
  }
  return all
}

/** Collects buckets of texts. */
export class TextTerms implements Aggregator {
  readonly #column: TextColumn
  readonly #accepts: ((text: string) => boolean) | null
  readonly #slice: AggregationSlice
  readonly #table = new TextTable()
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null

  constructor(
    values: TextSource,
    filter: ValueFilter | null,
    children: readonly BatchTarget[],
    slice: AggregationSlice,
  ) {
    this.#column = new TextColumn(values)
    this.#slice = slice
    this.#accepts = textFilter(filter, values)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(): void {
    this.#column.openLeaf()
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    column.read(batch)
    const { owners, weights } = batch
    this.#below?.begin(batch)
    let seen = new Set<string>()
    for (let i = 0; i < column.count; i++) {
      const at = column.index[i]!
      const text = column.texts[i]!
      // A document counts once in a bucket.
      if (i === 0 || column.index[i - 1] !== at) seen = new Set()
      if (seen.has(text) || this.#accepts?.(text) === false) continue
      seen.add(text)
      const bucket = this.#bucketOf(owners === null ? 0 : owners[at]!, text)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[at]!)
      this.#below?.add(at, bucket)
    }
    this.#below?.flush()
  }

  #bucketOf(owner: number, text: string): number {
    const known = this.#table.find(owner, text)
    if (known >= 0) return known
    this.#slice.charge(BUCKET_BYTES + 2 * text.length)
    return this.#table.bucketOf(owner, text)
  }

  finish(): TextTermsPartial {
    const { owners, texts, size } = this.#table
    return { owners: Int32Array.from(owners), texts, counts: this.#counts.values.slice(0, size) }
  }

  notes(): GatherNotes {
    return { result_strategy: 'terms', total_buckets: this.#table.size }
  }
}

/** Merges the buckets of slices. */
export class TextKeys implements TermKeys<TermKey> {
  readonly #values: TextSource
  readonly #accepts: ((text: string) => boolean) | null
  readonly #leaves: readonly Leaf[]
  readonly #table = new TextTable()
  readonly #terms: Uint8Array[] = []
  /** Texts of all documents; null until they are asked for. */
  #all: ReadonlySet<string> | null = null

  constructor(values: TextSource, filter: ValueFilter | null, leaves: readonly Leaf[]) {
    this.#values = values
    this.#accepts = textFilter(filter, values)
    this.#leaves = leaves
  }

  get size(): number {
    return this.#table.size
  }

  add(partial: unknown, owners: Int32Array): Int32Array {
    const from = partial as TextTermsPartial
    return Int32Array.from(from.owners, (owner, bucket) =>
      this.#table.bucketOf(owners[owner]!, from.texts[bucket]!),
    )
  }

  addAll(owner: number): void {
    this.#all ??= allTexts(this.#values, this.#accepts, this.#leaves)
    for (const text of this.#all) this.#table.bucketOf(owner, text)
  }

  owner(bucket: number): number {
    return this.#table.owners[bucket]!
  }

  compare(a: number, b: number): number {
    return compareBytes(this.#termOf(a), this.#termOf(b))
  }

  key(bucket: number): TermKey {
    return this.#termOf(bucket)
  }

  #termOf(bucket: number): Uint8Array {
    return (this.#terms[bucket] ??= termOfText(this.#values.format, this.#table.texts[bucket]!))
  }
}
