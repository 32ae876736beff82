import type { Leaf } from '../../segment/leaf.ts'
import { type Long, longOfHalves } from '../../util/long.ts'

/** A document's number in a column of the engine's own; null where it has none. */
export function columnValue(
  leaf: Leaf,
  column: '_version' | '_seq_no' | '_primary_term',
  docId: number,
): Long | null {
  const values = leaf.numericValues(column)
  return values?.advanceExact(docId) === true ? longOfHalves(values.hi(), values.lo()) : null
}
