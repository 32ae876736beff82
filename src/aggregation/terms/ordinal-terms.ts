import type { TermsReader } from '../../codec/terms/reader.ts'
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { MatchScope } from '../../search/collector/match-scope.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator, CountLimits } from '../aggregation-type.ts'
import { type BatchTarget, type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import { Doubles } from '../columns.ts'
import { SlotBuckets } from '../kernel/slot-buckets.ts'
import { OrdKeys, type SlotTotals } from '../kernel/slot-counts.ts'
import { MISSING_ORD, OrdinalColumn } from '../ordinal-column.ts'
import type { ConstantSource, TermSource } from '../value-source.ts'
import type { Selection } from './selection.ts'
import { termFilter } from './term-filter.ts'
import type { ValueFilter } from './value-filter.ts'

/** The leaf of buckets whose key is the missing or constant value. */
export const NO_LEAF = -1

/** Columns of buckets: `highs` are ords of leaves, or `NO_LEAF`, `lows` ords of their dictionaries. */
export interface OrdinalTermsPartial extends BucketKeys {
  readonly counts: Float64Array
  /** Counts of all ords of a leaf, where most have documents. */
  readonly dense: readonly LeafCounts[]
}

/** Documents by ord of a leaf. */
export interface LeafCounts {
  readonly leafOrd: number
  readonly counts: SlotTotals
}

/** Facts of a collector of terms that its profile prints. */
export interface OrdinalFacts {
  /** Whether the real server would keep terms in a map. */
  readonly isMap: boolean
  readonly hasFilter: boolean
  /** Whether one owning bucket's terms are all counted, for no children that are collected with them. */
  readonly isPlain: boolean
  /** Whether counts of all ords of a leaf may be given in place of buckets. */
  readonly givesDense: boolean
  /** Null: no strategy is told. */
  readonly selection: Selection | null
}

/** Collects buckets of terms by leaf and ord, which merging slices turns into terms. */
export class OrdinalTerms implements Aggregator {
  readonly #column: OrdinalColumn | null
  /** Null: all documents have one value. */
  readonly #values: TermSource | null
  readonly #facts: OrdinalFacts
  /** Those of the slice, by their ords in the shard. */
  readonly #leaves = new Map<number, Leaf>()
  /** Leaves that were opened, by whether some document has several values. */
  #singleValued = 0
  #multiValued = 0
  readonly #accepted: readonly (Uint32Array | null)[]
  readonly #table: BucketTable
  readonly #counts = new Doubles()
  readonly #dense: LeafCounts[] = []
  readonly #below: ChildBatch | null
  /** Bucket + 1 by ord of the leaf, for owning bucket 0. */
  #byOrd = new Int32Array(0)
  #leafOrd = -1
  #bits: Uint32Array | null = null
  readonly #slice: AggregationSlice
  readonly #slots: SlotBuckets
  bucketLimit: number = Number.POSITIVE_INFINITY

  /** @param accepted by leaf, bits of the ords that have buckets; null: all */
  constructor(
    values: TermSource | ConstantSource,
    accepted: readonly (Uint32Array | null)[],
    children: readonly BatchTarget[],
    facts: OrdinalFacts,
    slice: AggregationSlice,
  ) {
    this.#table = new BucketTable(bytes => slice.charge(bytes))
    this.#facts = facts
    this.#slice = slice
    this.#values = values.kind === 'constant' ? null : values
    this.#column = this.#values === null ? null : new OrdinalColumn(this.#values)
    this.#accepted = accepted
    this.#below = children.length === 0 ? null : new ChildBatch(children)
    this.#slots = new SlotBuckets(this.#table, this.#counts, this.#below)
  }

  /** Buckets so far. */
  get bucketCount(): number {
    return this.#table.size
  }

  openLeaf(leaf: Leaf, leafOrd: number, ownerLimit: number): void {
    this.#leaves.set(leafOrd, leaf)
    this.#column?.openLeaf(leaf)
    if (this.#column?.isMultiValued === true) this.#multiValued++
    else if (this.#column?.isEmpty === false) this.#singleValued++
    this.#bits = this.#accepted[leafOrd] ?? null
    const column = this.#column
    const values = this.#slice.docCounts() === null ? (column?.plainValues ?? null) : null
    const keys = values === null ? null : new OrdKeys(column!.ordLimit, this.#bits)
    const name = (owner: number, ord: number): number => this.#table.append(owner, leafOrd, ord)
    this.bucketLimit = this.#slots.open(leaf, values, keys, ownerLimit, name)
    if (leafOrd === this.#leafOrd) return
    this.#leafOrd = leafOrd
    this.#byOrd.fill(0)
  }

  /** The dictionary tells the documents of each term, where all of the leaf match and none is deleted. */
  countLeaf(leaf: Leaf, scope: MatchScope, { maxTerms }: CountLimits): boolean {
    const source = this.#values
    if (scope.kind !== 'all' || !this.#facts.givesDense || source === null) return false
    const info = leaf.fieldInfo(source.field)
    if (info === null || info.indexOptions === 'none' || info.termCount > maxTerms) return false
    if (source.missing !== null || source.fieldData !== null) return false
    this.#leaves.set(leaf.ord, leaf)
    const counts = new Uint32Array(info.termCount)
    this.#slice.charge(counts.byteLength)
    const terms = leaf.terms(source.field)!.iterator()
    for (let ord = 0; terms.next(); ord++) counts[ord] = terms.docFreq
    this.#dense.push({ leafOrd: leaf.ord, counts })
    return true
  }

  collect(batch: BucketBatch): void {
    if (this.#slots.collect(batch, this.#bits === null)) return
    this.#below?.begin(batch)
    if (this.#column === null) this.#collectConstant(batch)
    else if (!this.#column.isEmpty) this.#collectOrds(batch, this.#column)
    this.#below?.flush()
  }

  #collectOrds(batch: BucketBatch, column: OrdinalColumn): void {
    column.read(batch)
    const { count, index, ords } = column
    const { owners, weights } = batch
    const bits = this.#bits
    const counts = this.#counts.ensure(this.#table.size + count)
    if (bits === null && owners === null && weights === null && this.#below === null) {
      this.#countOrds(ords, count, counts)
      return
    }
    for (let i = 0; i < count; i++) {
      const ord = ords[i]!
      if (bits !== null && ord >= 0 && ((bits[ord >>> 5]! >>> (ord & 31)) & 1) === 0) continue
      const at = index[i]!
      const bucket = this.#bucketOf(owners === null ? 0 : owners[at]!, ord)
      counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[at]!)
      this.#below?.add(at, bucket)
    }
  }

  /** Counts ords of documents that all count once in one owning bucket. */
  #countOrds(ords: Int32Array, count: number, counts: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const ord = ords[i]!
      let bucket = ord >= 0 && ord < this.#byOrd.length ? this.#byOrd[ord]! - 1 : -1
      if (bucket < 0) bucket = this.#bucketOf(0, ord)
      counts[bucket] = counts[bucket]! + 1
    }
  }

  #collectConstant({ count, owners, weights }: BucketBatch): void {
    for (let i = 0; i < count; i++) {
      const bucket = this.#bucketOf(owners === null ? 0 : owners[i]!, MISSING_ORD)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[i]!)
      this.#below?.add(i, bucket)
    }
  }

  #bucketOf(owner: number, ord: number): number {
    if (ord === MISSING_ORD) return this.#table.bucketOf(owner, NO_LEAF, 0)
    if (owner !== 0) return this.#table.bucketOf(owner, this.#leafOrd, ord)
    if (ord >= this.#byOrd.length) this.#growTo(ord + 1)
    const known = this.#byOrd[ord]!
    if (known !== 0) return known - 1
    const bucket = this.#table.bucketOf(0, this.#leafOrd, ord)
    this.#byOrd[ord] = bucket + 1
    return bucket
  }

  #growTo(count: number): void {
    const next = new Int32Array(Math.max(count, 2 * this.#byOrd.length))
    next.set(this.#byOrd)
    this.#byOrd = next
  }

  closeLeaf(): void {
    if (!this.#facts.givesDense) {
      this.#slots.close()
      return
    }
    const slots = this.#slots.take()
    if (slots === null) return
    this.#slice.charge(4 * slots.size)
    this.#dense.push({ leafOrd: this.#leafOrd, counts: slots.counts() })
  }

  finish(): OrdinalTermsPartial {
    const counts = this.#counts.values.slice(0, this.#table.size)
    return { ...this.#table.packed(), counts, dense: this.#dense }
  }

  notes(): GatherNotes {
    const { isMap, hasFilter, isPlain, selection } = this.#facts
    const values = this.#values
    const total = { total_buckets: this.#table.size }
    if (isMap) return { ...total, result_strategy: 'terms' }
    return {
      collection_strategy: isPlain ? 'dense' : 'remap',
      ...(isPlain ? {} : total),
      result_strategy: 'terms',
      segments_with_single_valued_ords: this.#singleValued,
      segments_with_multi_valued_ords: this.#multiValued,
      has_filter: hasFilter,
      ...(selection &&
        values && {
          result_selection_strategy: selection.ofTerms(
            this.finish(),
            this.#dense,
            isPlain,
            values.field,
            this.#leaves,
          ),
        }),
    }
  }
}

/** By leaf, bits of the ords whose terms have buckets; null: all. */
export function acceptedOrds(
  { field }: TermSource,
  filter: ValueFilter | null,
  leaves: readonly Leaf[],
): readonly (Uint32Array | null)[] {
  if (filter === null) return []
  return leaves.map(leaf => {
    const terms = leaf.fieldInfo(field) === null ? null : leaf.terms(field)
    return terms === null ? null : acceptedIn(terms, filter)
  })
}

function acceptedIn(terms: TermsReader, filter: ValueFilter): Uint32Array {
  const bits = new Uint32Array((terms.termCount + 31) >>> 5)
  const accepts = termFilter(filter)
  const each = terms.iterator()
  for (let ord = 0; each.next(); ord++)
    if (accepts(each.term())) bits[ord >>> 5]! |= 1 << (ord & 31)
  return bits
}
