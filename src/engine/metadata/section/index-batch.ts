import type { MakeAnalysis } from '../../../analysis/registry.ts'
import { CorruptSegmentError } from '../../../util/errors.ts'
import type { IndexMetadata } from '../index-metadata.ts'
import { indexEntry } from './index-entry.ts'
import type { MetadataSection } from './metadata-section.ts'
import { valueAt } from './stored-values.ts'

/** A change of several indices that holds whole or not at all. */
export interface IndexBatch {
  /** Indices as they are afterwards; those that are new come into being by it. */
  readonly put: readonly IndexMetadata[]
  /** Ids of those that go. */
  readonly removed: readonly string[]
}

/** Changes nothing. */
export const NO_BATCH: IndexBatch = { put: [], removed: [] }

/**
 * A batch that is decided and may not be in the files of all its indices yet: `{"put": [entry…], "removed":
 * [uuid…]}`. It stands in the node's own state, which is replaced as a whole, so that a crash finds all of it
 * or nothing; the next start writes it again.
 * @param makeAnalysis makes the analysis of an index
 */
export function indexBatch(makeAnalysis: MakeAnalysis): MetadataSection<IndexBatch> {
  const entry = indexEntry(makeAnalysis)
  return {
    name: 'index_batch',
    version: 1,
    isRequired: true,
    empty: () => NO_BATCH,
    upgrade: content => content,
    parse(content) {
      const put = valueAt(content, 'put')
      const removed = valueAt(content, 'removed')
      if (put.kind !== 'array' || removed.kind !== 'array')
        throw new CorruptSegmentError('state', 32, 'two lists', `${put.kind} and ${removed.kind}`)
      return {
        put: put.items.map(item => entry.parse(item)),
        removed: removed.items.map(item => (item.kind === 'string' ? item.value : '')),
      }
    },
    print: batch => ({ put: batch.put.map(index => entry.print(index)), removed: batch.removed }),
  }
}
