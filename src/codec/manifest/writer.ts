import { Builder } from 'flatbuffers'
import { frameFile } from '../file-frame.ts'
import type { Manifest } from './format.ts'
import * as generated from './generated/manifest_generated.ts'

/** The whole file of a commit point. */
export function writeManifest(manifest: Manifest): Uint8Array {
  const builder = new Builder(1024)
  const segments = manifest.segments.map(segment => {
    const files = segment.files.map(file =>
      generated.ManifestFile.createManifestFile(
        builder,
        builder.createString(file.name),
        file.length,
        file.checksum,
      ),
    )
    const name = builder.createString(segment.name)
    const id = generated.ManifestSegment.createIdVector(builder, segment.id)
    return generated.ManifestSegment.createManifestSegment(
      builder,
      name,
      id,
      segment.maxDoc,
      segment.deletedDocs,
      segment.liveDocsGeneration,
      generated.ManifestSegment.createFilesVector(builder, files),
      segment.minSeqNo,
      segment.maxSeqNo,
    )
  })
  const storeId = generated.Manifest.createStoreIdVector(builder, manifest.storeId)
  const list = generated.Manifest.createSegmentsVector(builder, segments)
  const root = generated.Manifest.createManifest(
    builder,
    manifest.generation,
    storeId,
    list,
    manifest.nextSegment,
    manifest.maxSeqNo,
    manifest.localCheckpoint,
    manifest.primaryTerm,
    builder.createString(manifest.logId),
    manifest.logGeneration,
    -1,
    manifest.created,
  )
  builder.finish(root)
  return frameFile('commit', manifest.storeId, builder.asUint8Array())
}
