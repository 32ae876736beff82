import { decodeUtf8 } from '../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FetchedDocument } from '../fetch-part.ts'
import type { FieldToHighlight } from './highlighter.ts'

const ADVICE =
  'maximum allowed to be analyzed for highlighting. This maximum can be set by changing the ' +
  '[index.highlight.max_analyzed_offset] index level setting. For large texts, indexing with ' +
  'offsets or term vectors is recommended!'

/**
 * Refuses text that is longer than the index lets highlighters analyse, unless the request cuts it.
 * @throws {IllegalArgumentError} it is, or the request cuts it further behind
 */
export function checkLength(
  { name, options, index, maxAnalyzedOffset }: FieldToHighlight,
  length: number,
  { leaf, rootDoc }: FetchedDocument,
): void {
  const { maxAnalyzerOffset } = options
  if (maxAnalyzerOffset !== null && maxAnalyzerOffset > maxAnalyzedOffset)
    throw new IllegalArgumentError(
      `max_analyzer_offset has exceeded [${maxAnalyzedOffset}] - ${ADVICE}`,
    )
  if (maxAnalyzerOffset !== null || length <= maxAnalyzedOffset) return
  const id = decodeUtf8(leaf.ids().id(rootDoc))
  throw new IllegalArgumentError(
    `The length [${length}] of [${name}] field of [${id}] doc of [${index}] index has exceeded ` +
      `[${maxAnalyzedOffset}] - ${ADVICE}`,
  )
}
