import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { ValueIds } from './value-ids.ts'

/** Reads the values of one place of tuples as ids. */
export interface TupleReader {
  readonly ids: ValueIds
  openLeaf(leaf: Leaf): void
  /** Reads a batch, whose documents `of` is then asked for in order. */
  read(batch: BucketBatch): void
  /** Ids of the document at an index, distinct; the list is refilled by the next call. */
  of(index: number): readonly number[]
}
