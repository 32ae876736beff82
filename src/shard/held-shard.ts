import type { ManifestFile } from '../codec/manifest/format.ts'
import type { Segment } from '../segment/segment.ts'
import type { Directory } from '../store/directory.ts'
import type { LiveSegment } from './live-segment.ts'
import type { ShardName } from './write-operation.ts'

/** A sealed segment of a held shard. */
export interface HeldSegment {
  readonly segment: Segment
  /** Its two files. */
  readonly files: readonly ManifestFile[]
  /** Bits of the documents that were live; null: all were. */
  readonly live: Int32Array | null
  readonly liveCount: number
}

interface Held {
  readonly name: ShardName
  readonly directory: Directory
  /** Path of the directory, for the workers; null for a store in memory. */
  readonly folder: string | null
  /** −1 without operations. */
  readonly maxSeqNo: number
  readonly primaryTerm: number
}

/**
 * The segments of a shard as they were at one moment, in order of arrival: merges and deletions of later
 * leave their files and live docs as they are, until they are released.
 */
export class HeldShard {
  readonly shard: Held
  readonly segments: readonly HeldSegment[]

  constructor(shard: Held, segments: readonly LiveSegment[]) {
    this.shard = shard
    this.segments = segments
      .filter(({ liveCount }) => liveCount > 0)
      .map(each => {
        each.segment.acquire()
        const { segment, files, liveCount } = each
        return { segment, files, live: each.liveWords(), liveCount }
      })
  }

  /** To be called once. */
  release(): void {
    for (const { segment } of this.segments) segment.release()
  }
}
