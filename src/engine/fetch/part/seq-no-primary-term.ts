import { readBoolean } from '../../dsl/json-scalars.ts'
import { columnValue } from '../column-value.ts'
import type { FetchPart, HitReader } from '../fetch-part.ts'

const READER: HitReader = {
  readsSource: false,
  extraUnits: 0,
  read({ leaf, rootDoc }, to) {
    to._seq_no = columnValue(leaf, '_seq_no', rootDoc) ?? undefined
    to._primary_term = columnValue(leaf, '_primary_term', rootDoc) ?? undefined
  },
}

/** `seq_no_primary_term`: the document's last write, as conditional writes name it. */
export const seqNoPrimaryTermPart: FetchPart<boolean> = {
  unasked: false,
  keys: { seq_no_primary_term: readBoolean },
  subPhase: 'SeqNoPrimaryTermPhase',
  ofOptions: ({ seqNoPrimaryTerm }) => seqNoPrimaryTerm,
  make: asked => (asked ? () => READER : null),
}
