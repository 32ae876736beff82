import { BitSet } from '../../util/bit-set.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { unframeFile } from '../file-frame.ts'
import { LIVE_DOCS_HEADER_BYTES, LIVE_DOCS_VERSION } from './format.ts'

/** The live docs of a segment from its newest file. */
export interface LiveDocsFile {
  readonly segmentId: Uint8Array
  readonly live: BitSet
  readonly deletedCount: number
}

/**
 * Reads a whole live-docs file.
 * @throws {CorruptSegmentError} its checksum does not match
 */
export function readLiveDocs(file: string, bytes: Uint8Array): LiveDocsFile {
  const { id, body } = unframeFile(file, bytes, 'liveDocs')
  const words = new Int32Array(body.slice().buffer)
  const maxDoc = words[1]! >>> 0
  const length = LIVE_DOCS_HEADER_BYTES + 4 * ((maxDoc + 31) >>> 5)
  if (words[0] !== LIVE_DOCS_VERSION || length !== body.length)
    throw new CorruptSegmentError(
      file,
      32,
      `version 1 and ${body.length} bytes`,
      `${words[0]}, ${length}`,
    )
  const live = new BitSet(maxDoc, words.subarray(LIVE_DOCS_HEADER_BYTES / 4))
  const deletedCount = words[2]!
  if (live.size - live.count() !== deletedCount)
    throw new CorruptSegmentError(
      file,
      40,
      `${live.size - live.count()} deleted documents`,
      `${deletedCount}`,
    )
  return { segmentId: id, live, deletedCount }
}
