import { filterSource } from '../../../schema/source-filter.ts'
import { RawJson } from '../../../util/json/json-value.ts'
import type { SourceFilter } from '../../api/documents.ts'
import { ALL_OF_SOURCE, parseSourceSelection } from '../../dsl/search-body/source-selection.ts'
import type { FetchPart } from '../fetch-part.ts'

/** `_source`: the document as it was given, or what a filter leaves of it. */
export const sourcePart: FetchPart<SourceFilter | null> = {
  unasked: null,
  keys: { _source: parseSourceSelection },
  subPhase: 'FetchSourcePhase',
  ofOptions: ({ source }) => source,
  make(filter) {
    const asked = filter ?? ALL_OF_SOURCE
    if (!asked.enabled) return null
    return () => ({
      readsSource: true,
      extraUnits: 0,
      read({ source }, to) {
        // Empty: the mapping keeps no sources.
        const isKept = source !== null && source.length > 0
        const kept = isKept ? filterSource(source, asked) : null
        // The filtered bytes are a view of a cached block.
        if (kept !== null) to._source = new RawJson(kept.slice())
      },
    })
  },
}
