import type { BulkProgress } from '../../embed/bulk-load.ts'
import { bytesText, countedText, countText, nanosText } from './text.ts'

/** The line about a bulk load: documents, seconds, rates. */
export function rateText(record: BulkProgress): string {
  const { done, bytes, elapsedInMillis, docsPerSecond, bytesPerSecond } = record
  return (
    `${countedText(done, 'document')}, ${bytesText(bytes)} in ${nanosText(elapsedInMillis * 1e6)} ` +
    `(${countText(docsPerSecond)} docs/s, ${bytesText(bytesPerSecond)}/s)`
  )
}
