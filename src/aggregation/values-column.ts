import type { Leaf } from '../segment/leaf.ts'
import type { BucketBatch } from './bucket-batch.ts'
import { NumberColumn } from './number-column.ts'
import { OrdinalColumn } from './ordinal-column.ts'
import { TextColumn } from './text-column.ts'
import type { AnyValueSource } from './value-source.ts'

/** The values of a batch of whatever type, as far as their documents tell. */
export interface ValuesColumn {
  readonly count: number
  /** The index in the batch of each value's document, ascending. */
  readonly index: ArrayLike<number>
  openLeaf(leaf: Leaf): void
  read(batch: BucketBatch): void
}

/** The values of a source; null: each document has one. */
export function valuesColumn(values: AnyValueSource): ValuesColumn | null {
  switch (values.kind) {
    case 'numbers':
      return new NumberColumn(values)
    case 'terms':
      return new OrdinalColumn(values)
    case 'texts':
      return new TextColumn(values)
    case 'constant':
      return null
  }
}
