/** The keys that the histograms of numbers and of dates have in common. */
import { readBoolean } from '../json-scalars.ts'
import type { ParsedOrders } from './aggregation-parser.ts'
import { type ParsedBounds, readBounds } from './bounds.ts'
import { readMinDocCount } from './counts.ts'
import type { FieldReaders } from './object-fields.ts'
import { BY_KEY, readOrders } from './orders.ts'

/** The keys as a request gives them. */
export interface HistogramKeys {
  minDocCount: number
  order: ParsedOrders
  keyed: boolean
  /** Null: none are given. */
  extendedBounds: ParsedBounds | null
  hardBounds: ParsedBounds | null
}

/** Keys of none. */
export function newHistogramKeys(): HistogramKeys {
  return { minDocCount: 0, order: BY_KEY, keyed: false, extendedBounds: null, hardBounds: null }
}

/** Readers of the keys. @param name of the aggregation, for errors */
export function histogramReaders(keys: HistogramKeys, name: string): FieldReaders {
  return {
    min_doc_count: value => {
      keys.minDocCount = readMinDocCount(value, 'minDocCount', name)
    },
    order: value => {
      keys.order = readOrders(value)
    },
    keyed: value => {
      keys.keyed = readBoolean(value)
    },
    extended_bounds: value => {
      keys.extendedBounds = readBounds(value)
    },
    hard_bounds: value => {
      keys.hardBounds = readBounds(value)
    },
  }
}
