/** How merges order the documents of the segments that they make: `index.lamella.reorder`. */
import { IllegalArgumentError } from '../util/errors.ts'
import { storageOf } from './field-type/field-types.ts'
import type { IndexSort } from './index-sort.ts'
import type { Mapping } from './mapping.ts'

/** Key of the setting. */
export const MERGE_ORDER_KEY = 'index.lamella.reorder'

/** In which order a merge puts documents. */
export type MergeOrder =
  /** As they came. */
  | { readonly kind: 'arrival' }
  /** Documents with the same words near each other. */
  | { readonly kind: 'bisection' }
  /** By a field's least value, as they came where it is the same; documents without one come last. */
  | { readonly kind: 'field'; readonly field: string }
  /** As the index keeps them in every segment. */
  | { readonly kind: 'sort'; readonly sort: IndexSort }

/**
 * Reads the setting's value: `none`, `bisection` or `field:NAME`.
 * @throws {IllegalArgumentError}
 */
export function parseMergeOrder(text: string, key: string = MERGE_ORDER_KEY): MergeOrder {
  if (text === 'none') return { kind: 'arrival' }
  if (text === 'bisection') return { kind: 'bisection' }
  const field = text.startsWith('field:') ? text.slice('field:'.length) : ''
  if (field !== '') return { kind: 'field', field }
  throw new IllegalArgumentError(
    `Failed to parse value [${text}] for setting [${key}] must be one of [none, bisection, field:NAME]`,
  )
}

/**
 * Refuses an order by a field that never has numbers or ordinals as doc values. A field that the mapping does not know may
 * still come.
 * @throws {IllegalArgumentError}
 */
export function checkMergeOrder(text: string, mapping: Mapping): void {
  const order = parseMergeOrder(text)
  if (order.kind !== 'field') return
  const field = mapping.field(order.field)
  if (field === null && mapping.object(order.field) === null) return
  const docValues = field === null ? 'none' : storageOf(field).docValues
  if (docValues === 'numeric' || docValues === 'ordinals') return
  const why = docValues === 'bytes' ? 'its doc values have no order' : 'it has no doc values'
  throw new IllegalArgumentError(`[${MERGE_ORDER_KEY}] cannot order by [${order.field}]: ${why}`)
}
