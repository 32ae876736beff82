/**
 * A commit point of one shard: the complete list of its files, and what of the log they cover. The
 * FlatBuffers body (`manifest.fbs`) lies in the frame of `file-frame.ts` with the store's id.
 *
 * Files are never changed after a commit names them: deletes make a new live-docs generation.
 * `commit_N` is written as `pending_commit_N`, synced and renamed (`shard/` holds the protocol).
 *
 * Example: the second commit of a shard whose documents are all deleted.
 *
 *   4c 4d 4c 41              | "LMLA"
 *   43 4d 54 20              | "CMT "
 *   01 00 00 00              | version
 *   00 00 00 00
 *   a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af  | id
 *   1c 00 00 00 18 00 4c 00 44 00 40 00 3c 00 34 00  | FlatBuffers
 *   2c 00 24 00 1c 00 18 00 0c 00 04 00 18 00 00 00
 *   00 00 00 00 00 00 f0 bf 00 00 00 00 00 00 00 40
 *   00 00 00 00 34 00 00 00 00 00 00 00 00 00 f0 3f
 *   00 00 00 00 00 00 10 40 00 00 00 00 00 00 10 40
 *   00 00 00 00 00 00 f0 3f 18 00 00 00 18 00 00 00
 *   00 00 00 00 00 00 00 40 01 00 00 00 4c 00 00 00
 *   00 00 00 00 10 00 00 00 a0 a1 a2 a3 a4 a5 a6 a7
 *   a8 a9 aa ab ac ad ae af
 *   20 00 00 00 00 00 00 00  | offset of the directory
 *   88 00 00 00              | its length
 *   42 9b ad 4a              | its CRC-32
 *   c8 00 00 00 00 00 00 00  | length of the file
 *   87 43 d1 6c              | CRC-32 of all before
 *   41 4c 4d 4c              | "ALML"
 *   => { generation: 2, segments: [], nextSegment: 1, maxSeqNo: 4, localCheckpoint: 4,
 *      primaryTerm: 1, logId: "L", logGeneration: 2, created: 0 }
 */

/** One file of a segment, as recorded in the commit. */
export interface ManifestFile {
  readonly name: string
  readonly length: number
  /** CRC-32 of the file without its last eight bytes, as in its own footer. */
  readonly checksum: number
}

/** One segment with its files, as recorded in the commit. */
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

/** The content of a commit point. */
export interface Manifest {
  readonly generation: number
  /** 16 bytes, the shard's. */
  readonly storeId: Uint8Array
  readonly segments: readonly ManifestSegment[]
  /** Number of the next segment's name. */
  readonly nextSegment: number
  /** −1 before the first operation. */
  readonly maxSeqNo: number
  readonly localCheckpoint: number
  readonly primaryTerm: number
  readonly logId: string
  /** The oldest log generation still needed. */
  readonly logGeneration: number
  /** Milliseconds since 1970. */
  readonly created: number
}
