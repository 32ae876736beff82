import { StoredReader } from '../codec/stored/reader.ts'
import { parseIndexSort } from '../schema/index-sort.ts'
import { openWholeSegment, segmentFileName, storedFileName } from '../segment/open-segment.ts'
import { MemoryDirectory } from '../store/memory-directory.ts'
import { type MergedMarks, orderedDocs, writeMerged } from './merge.ts'
import type { MergeMemory } from './merge-memory.ts'
import type { SealedSegment, SealNumbers } from './seal.ts'

const STEM = '_'

/**
 * Sorts a sealed segment as its index does: a merge of it alone, where its documents are not in order
 * already.
 * @param marks those with which it was sealed; its `goOn` may abandon the sort
 * @param place cleared, then used
 */
export function sortSealed(
  sealed: SealedSegment,
  marks: MergedMarks & Pick<SealNumbers, 'goOn'>,
  place: MergeMemory,
): SealedSegment {
  const sort = parseIndexSort(marks.sort)
  if (sort.length === 0 || sealed.maxDoc < 2) return sealed
  place.clear()
  const directory = new MemoryDirectory()
  directory.write(segmentFileName(STEM), sealed.segment)
  const stored = new StoredReader(storedFileName(STEM), sealed.stored.length, (offset, length) =>
    sealed.stored.subarray(offset, offset + length),
  )
  const inputs = [{ leaf: openWholeSegment(directory, STEM, null, place), stored, live: null }]
  const docs = orderedDocs(inputs, { kind: 'sort', sort })
  if (docs.origins === null) return sealed
  const merged = writeMerged(inputs, docs, marks, marks.goOn)
  const [moved] = merged.docMaps
  const docOfSlot = sealed.docOfSlot?.map(doc => (doc < 0 ? -1 : moved![doc]!)) ?? moved!
  return { ...merged, docOfSlot }
}
