import { readBoolean } from '../../dsl/json-scalars.ts'
import { columnValue } from '../column-value.ts'
import type { FetchPart, HitReader } from '../fetch-part.ts'

const READER: HitReader = {
  readsSource: false,
  extraUnits: 0,
  read({ leaf, rootDoc }, to) {
    to._version = columnValue(leaf, '_version', rootDoc) ?? undefined
  },
}

/** `version`: how often the document was written. */
export const versionPart: FetchPart<boolean> = {
  unasked: false,
  keys: { version: readBoolean },
  subPhase: 'FetchVersionPhase',
  ofOptions: ({ version }) => version,
  make: asked => (asked ? () => READER : null),
}
