import type { Mapping } from '../../schema/mapping.ts'
import type { Query } from '../../search/query/query.ts'
import type { IndexMetadata } from './index-metadata.ts'

/** An index as one call sees it: through the names that led to it, and with the caller's rights. */
export interface IndexView {
  readonly index: IndexMetadata
  /** What is mapped for the caller; a field that is hidden from him is as if it were not mapped. */
  readonly mapping: Mapping
  /** What the names that led here narrow the index to, a filter of every query; null: not at all. */
  readonly aliasFilter: Query | null
  /** Values that the names route searches by; null leaves it to the request. */
  readonly routing: readonly string[] | null
}

/** An index by its own name, for a caller who may see all of it. */
export function wholeView(index: IndexMetadata): IndexView {
  return { index, mapping: index.mapping, aliasFilter: null, routing: null }
}
