import { filterSource } from '../../../schema/source-filter.ts'
import { type JsonNode, jsonEntry, parseJsonTree } from '../../../util/json/json-tree.ts'
import { type JsonValue, RawJson } from '../../../util/json/json-value.ts'
import { jsonValueOf } from '../../../util/json/json-writer.ts'
import type { SourceFilter } from '../../api/documents.ts'
import { ALL_OF_SOURCE, parseSourceSelection } from '../../dsl/search-body/source-selection.ts'
import type { FetchPart, NestedPlace } from '../fetch-part.ts'

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
      read({ source, nested }, to) {
        // Empty: the mapping keeps no sources.
        const isKept = source !== null && source.length > 0
        const kept = isKept ? filterSource(source, asked) : null
        if (kept === null) return
        // The filtered bytes are a view of a cached block.
        to._source = nested === null ? new RawJson(kept.slice()) : objectAt(kept, nested)
      },
    })
  },
}

/** A nested document's own object: empty where the filter has left nothing of it. */
function objectAt(source: Uint8Array, { steps }: NestedPlace): JsonValue {
  let node: JsonNode | null = parseJsonTree(source)
  for (const { field } of steps)
    node = node?.kind === 'object' ? (jsonEntry(node, field)?.value ?? null) : null
  return node === null ? {} : jsonValueOf(node)
}
