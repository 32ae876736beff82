import type { Mapping } from '../../schema/mapping.ts'
import type { Query } from '../../search/query/query.ts'
import type { IndexMetadata } from './index-metadata.ts'

/** An index as one call sees it: through the names that led to it, and with the caller's rights. */
export interface IndexView {
  readonly index: IndexMetadata
  /** The mapping as the caller sees it: a field that is hidden from him is not mapped. */
  readonly mapping: Mapping
  /** Filter of the aliases that led to the index, added to every query; null without. */
  readonly aliasFilter: Query | null
  /** Routing values of the aliases that led to the index; null leaves routing to the request. */
  readonly routing: readonly string[] | null
}

/** An index by its own name, for a caller with access to all of it. */
export function wholeView(index: IndexMetadata): IndexView {
  return { index, mapping: index.mapping, aliasFilter: null, routing: null }
}
