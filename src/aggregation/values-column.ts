import { sectionBit } from '../search/weight/section-use.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { AggregationShard } from './aggregation-type.ts'
import type { BucketBatch } from './bucket-batch.ts'
import { ByteColumn } from './byte-column.ts'
import { ShapePresence } from './geo/shape-presence.ts'
import { NumberColumn } from './number-column.ts'
import { OrdinalColumn } from './ordinal-column.ts'
import { TextColumn } from './text-column.ts'
import type { CountedSource } from './value-source.ts'

/** The values of a batch of whatever type, as far as their documents tell. */
export interface ValuesColumn {
  readonly count: number
  /** The index in the batch of each value's document, ascending. */
  readonly index: ArrayLike<number>
  openLeaf(leaf: Leaf): void
  read(batch: BucketBatch): void
}

/** The values of a source; null: each document has one. */
export function valuesColumn(values: CountedSource): ValuesColumn | null {
  switch (values.kind) {
    case 'numbers':
      return new NumberColumn(values)
    case 'terms':
      return new OrdinalColumn(values)
    case 'texts':
      return new TextColumn(values)
    case 'bytes':
      return new ByteColumn(values)
    case 'shapes':
      return new ShapePresence(values)
    case 'constant':
      return null
  }
}

const NUMERIC_VALUES = sectionBit('numericValues')
const BYTES = sectionBit('bytes')
const TRIANGLES = sectionBit('triangles')

/** Notes the sections that the column of a source reads. */
export function useValues(values: CountedSource, shard: AggregationShard): void {
  switch (values.kind) {
    case 'numbers':
      shard.use(values.field, NUMERIC_VALUES)
      return
    case 'terms':
      shard.useTerms(values.field, values.fieldData)
      return
    case 'bytes':
      shard.use(values.field, BYTES)
      return
    case 'shapes':
      shard.use(values.field, TRIANGLES)
      return
    // Scripts name what they read, and constants stand in the plan.
    case 'texts':
    case 'constant':
      return
  }
}
