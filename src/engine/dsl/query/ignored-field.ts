import type { Query } from '../../../search/query/query.ts'
import { termsInSet } from '../field/term-queries.ts'

/** The metadata field that names the fields of a document with malformed values. */
export const IGNORED_FIELD_NAME = '_ignored'

/** Documents of which one of several fields was ignored. */
export function ignoredFields(names: readonly string[]): Query {
  return { kind: 'constantScore', query: termsInSet(IGNORED_FIELD_NAME, names) }
}
