/**
 * A commit point of one shard: the complete list of its files, and what of the log they cover. The
 * FlatBuffers body (`manifest.fbs`) stands in the frame of `file-frame.ts` with the store's id.
 *
 * Files are never changed after a commit names them: deletes make a new live-docs generation.
 * `commit_N` is written as `pending_commit_N`, synced and renamed (`shard/` holds the protocol).
 */

/** One file of a segment, as the commit recorded it. */
export interface ManifestFile {
  readonly name: string
  readonly length: number
  /** CRC-32 of the file but its last eight bytes, as its own footer says. */
  readonly checksum: number
}

export interface ManifestSegment {
  /** Stem of the segment's file names. */
  readonly name: string
  /** 16 bytes, as in the headers of its files. */
  readonly id: Uint8Array
  readonly maxDoc: number
  readonly deletedDocs: number
  /** 0 while no document was ever deleted. */
  readonly liveDocsGeneration: number
  readonly files: readonly ManifestFile[]
  readonly minSeqNo: number
  readonly maxSeqNo: number
}

/** Everything that a commit makes durable. */
export interface Manifest {
  readonly generation: number
  /** 16 bytes, the shard's. */
  readonly storeId: Uint8Array
  readonly segments: readonly ManifestSegment[]
  /** Number of the next segment's name. */
  readonly nextSegment: number
  /** −1 while there was no operation. */
  readonly maxSeqNo: number
  readonly localCheckpoint: number
  readonly primaryTerm: number
  readonly logId: string
  /** The oldest generation of the log that is still needed. */
  readonly logGeneration: number
  /** Milliseconds since 1970. */
  readonly created: number
}
