import { StoredReader } from '../codec/stored/reader.ts'
import { mergeSegments } from '../indexing/merge.ts'
import { MergeMemory } from '../indexing/merge-memory.ts'
import type { LaneAnswer } from '../pool/lane.ts'
import type { MergeAnswer, MergeRequest } from '../pool/messages.ts'
import { parseIndexSort } from '../schema/index-sort.ts'
import { type MergeOrder, parseMergeOrder } from '../schema/merge-order.ts'
import { openWholeSegment, segmentFileName, storedFileName } from '../segment/open-segment.ts'
import { type Directory, type RandomAccessFile, readAt } from '../store/directory.ts'
import { FsDirectory } from '../store/fs-directory.ts'
import { MemoryDirectory } from '../store/memory-directory.ts'
import { BitSet } from '../util/bit-set.ts'
import { toErrorRecord } from '../util/errors.ts'
import { stopCheck } from './give-up.ts'
import { writeSegmentFiles } from './segment-files.ts'

/** Made at the first merge and reused: touched memory stays resident. */
let memory: MergeMemory | null = null

/** Entry of the merge thread: merges segment files into one. */
export default function mergeWorker(request: MergeRequest): LaneAnswer {
  try {
    return { kind: 'done', value: merge(request) }
  } catch (error) {
    return { kind: 'failed', error: toErrorRecord(error) }
  }
}

function merge(request: MergeRequest): MergeAnswer {
  memory ??= new MergeMemory()
  const place = memory
  place.clear()
  const directory = directoryOf(request)
  const files: RandomAccessFile[] = []
  const goOn = stopCheck(request.stop)
  try {
    const inputs = request.sources.map(({ stem, maxDoc, live }) => {
      const name = storedFileName(stem)
      const file = directory.open(name)
      files.push(file)
      return {
        leaf: openWholeSegment(directory, stem, null, place, undefined, goOn),
        stored: new StoredReader(name, file.length, (offset, length) =>
          readAt(file, offset, length),
        ),
        live: live === null ? null : new BitSet(maxDoc, live),
      }
    })
    const sort = parseIndexSort(request.sort)
    const order: MergeOrder =
      sort.length === 0 ? parseMergeOrder(request.order) : { kind: 'sort', sort }
    const merged = mergeSegments(
      inputs,
      request.segmentId,
      Date.now(),
      order,
      goOn,
      request.graphFrom,
    )
    const written = writeSegmentFiles(request.folder, [
      { name: segmentFileName(request.stem), bytes: merged.segment },
      { name: storedFileName(request.stem), bytes: merged.stored },
    ])
    return { files: written, maxDoc: merged.maxDoc, docMaps: merged.docMaps }
  } finally {
    for (const file of files) file.close()
  }
}

function directoryOf(request: MergeRequest): Directory {
  if (request.folder !== null) return new FsDirectory(request.folder)
  const directory = new MemoryDirectory()
  for (const { files } of request.sources)
    for (const { name, bytes } of files) directory.write(name, bytes)
  return directory
}
