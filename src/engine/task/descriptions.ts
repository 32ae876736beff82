/** Descriptions of tasks, in the words of the real server. */
import { decodeUtf8 } from '../../util/bytes.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import { durationText } from '../../util/units.ts'
import type { ForceMergeCall, OpenIndices, ResizeCall } from '../api/indices.ts'
import type { NextPage } from '../api/search-contexts.ts'
import type { CountCall, SearchCall } from '../api/searches.ts'

/** A search's, or a count's, which is a search too. */
export function describeSearch({
  target,
  body,
  options,
}: Pick<SearchCall, 'target' | 'body' | 'options'> | CountCall): string {
  const type = ('searchType' in options ? options.searchType : undefined) ?? 'query_then_fetch'
  const source = body === null ? '' : decodeUtf8(writeJson(jsonValueOf(body)))
  return `indices[${target.names.join(',')}], search_type[${type.toUpperCase()}], source[${source}]`
}

/** That of a page of a scroll. */
export function describePage({ scrollId, keepAliveInMillis }: NextPage): string {
  const keepAlive =
    keepAliveInMillis === null
      ? 'null'
      : `Scroll{keepAlive=${durationText(keepAliveInMillis * 1e6)}}`
  return `scrollId[${scrollId}], scroll[${keepAlive}]`
}

/** That of a resize. */
export function describeResize({ kind, source, target }: ResizeCall): string {
  return `${kind} from [${source}] to [${target}]`
}

/** That of opening indices. */
export function describeOpen({ target }: OpenIndices): string {
  return `open indices [${target.names.join(', ')}]`
}

/** That of a forced merge. */
export function describeForceMerge(call: ForceMergeCall): string {
  const { target, maxSegmentCount, onlyExpungeDeletes, flush, primaryOnly } = call
  return (
    `Force-merge indices [${target.names.join(', ')}], maxSegments[${maxSegmentCount ?? -1}], ` +
    `onlyExpungeDeletes[${onlyExpungeDeletes}], flush[${flush}], primaryOnly[${primaryOnly}]`
  )
}
