import { ByteBuffer } from 'flatbuffers'
import { CorruptSegmentError } from '../../util/errors.ts'
import { HEADER_BYTES, unframeFile } from '../file-frame.ts'
import type { Manifest, ManifestFile, ManifestSegment } from './format.ts'
import * as generated from './generated/manifest_generated.ts'

/**
 * Reads a whole commit point.
 * @throws {CorruptSegmentError} its checksum does not match
 */
export function readManifest(file: string, bytes: Uint8Array): Manifest {
  const { body } = unframeFile(file, bytes, 'commit')
  try {
    const root = generated.Manifest.getRootAsManifest(new ByteBuffer(body))
    const segments: ManifestSegment[] = []
    for (let i = 0; i < root.segmentsLength(); i++) segments.push(decode(root.segments(i)!))
    return {
      generation: root.generation(),
      storeId: root.storeIdArray()!.slice(),
      segments,
      nextSegment: root.nextSegment(),
      maxSeqNo: root.maxSeqNo(),
      localCheckpoint: root.localCheckpoint(),
      primaryTerm: root.primaryTerm(),
      logId: root.logId() ?? '',
      logGeneration: root.logGeneration(),
      created: root.created(),
    }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    throw new CorruptSegmentError(file, HEADER_BYTES, 'a readable commit point', found)
  }
}

function decode(segment: generated.ManifestSegment): ManifestSegment {
  const files: ManifestFile[] = []
  for (let i = 0; i < segment.filesLength(); i++) {
    const file = segment.files(i)!
    files.push({ name: file.name() ?? '', length: file.length(), checksum: file.checksum() })
  }
  return {
    name: segment.name() ?? '',
    id: segment.idArray()!.slice(),
    maxDoc: segment.maxDoc(),
    deletedDocs: segment.deletedDocs(),
    liveDocsGeneration: segment.liveDocsGeneration(),
    files,
    minSeqNo: segment.minSeqNo(),
    maxSeqNo: segment.maxSeqNo(),
  }
}
