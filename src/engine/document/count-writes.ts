/** Counts writes of documents by the status that they are answered with. */
import type { BulkItem, UpdateOutcome, WriteOutcome } from '../api/documents.ts'
import type { Node } from '../node/node.ts'

/** Counts how a single write ends, and gives it back. */
export function countedWrite<T extends WriteOutcome | UpdateOutcome>(
  { documentStatuses }: Node,
  write: Promise<T>,
): Promise<T> {
  return documentStatuses.watch(write, outcome =>
    statusOf('write' in outcome ? outcome.write : outcome),
  )
}

/** Counts the items of a bulk. */
export function countItems({ documentStatuses }: Node, items: readonly BulkItem[]): void {
  for (const item of items)
    if ('error' in item) documentStatuses.noteError(item.error)
    else documentStatuses.note(statusOf(item.outcome))
}

function statusOf({ result }: WriteOutcome): number {
  return result === 'not_found' ? 404 : 200
}
