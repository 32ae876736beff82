import { refuseOtherId } from '../codec/file-frame.ts'
import { readLiveDocs } from '../codec/live-docs/reader.ts'
import type { ManifestSegment } from '../codec/manifest/format.ts'
import type { WrittenFile } from '../pool/messages.ts'
import { liveDocsFileName, segmentFileName } from '../segment/open-segment.ts'
import { Segment } from '../segment/segment.ts'
import { Snapshot } from '../segment/snapshot.ts'
import type { BitSet } from '../util/bit-set.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import { LiveSegment } from './live-segment.ts'
import type { ShardContext } from './shard-context.ts'

/** A document found in a segment. */
export interface FoundInSegment {
  readonly segment: LiveSegment
  readonly docId: number
}

/**
 * The sealed segments of one shard in order of arrival, and the snapshot of them that searches use.
 * Changed in one serial step at a time.
 */
export class SegmentList {
  readonly #context: ShardContext
  #segments: LiveSegment[] = []
  /** Merged away or emptied by deletes, but referenced by the last commit. */
  #retired: LiveSegment[] = []
  #snapshot = new Snapshot(0, [])
  #isStale = false

  /**
   * Opens the segments of a commit.
   * @throws {CorruptSegmentError} a corrupt file
   */
  constructor(context: ShardContext, committed: readonly ManifestSegment[]) {
    this.#context = context
    try {
      for (const entry of committed) this.#segments.push(this.#openCommitted(entry))
    } catch (error) {
      for (const segment of this.#segments) segment.release()
      throw error
    }
    this.publish()
  }

  get all(): readonly LiveSegment[] {
    return this.#segments
  }

  /** The snapshot for searches; acquire it while it is used. */
  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /** True when searches do not see everything that is sealed or deleted. */
  get isStale(): boolean {
    return this.#isStale || this.#segments.some(segment => segment.hasUnseenDeletes)
  }

  /** Bytes of all segment files. */
  get fileBytes(): number {
    return this.#segments.reduce((total, { segment }) => total + segment.fileBytes, 0)
  }

  /** The live document with an id, newest segment first; null when there is none. */
  find(id: string): FoundInSegment | null {
    if (this.#segments.length === 0) return null
    const bytes = encodeUtf8(id)
    for (let i = this.#segments.length - 1; i >= 0; i--) {
      const segment = this.#segments[i]!
      const docId = segment.find(bytes)
      if (docId >= 0) return { segment, docId }
    }
    return null
  }

  /** Appends a new segment; searches see it after the next `publish`. */
  append(stem: string, files: readonly WrittenFile[], maxDoc: number): void {
    const segment = this.take(stem, files, maxDoc)
    if (segment !== null) this.#segments.push(segment)
    this.#isStale = true
  }

  /**
   * Opens a segment that a worker has just made; for a store in memory its files arrive as bytes. A
   * failure leaves none of its files behind.
   * @returns null when it holds no document
   */
  take(stem: string, files: readonly WrittenFile[], maxDoc: number): LiveSegment | null {
    try {
      this.#store(files)
      return maxDoc > 0 ? this.#open(stem, files) : null
    } catch (error) {
      for (const { name } of files)
        try {
          this.#context.directory.delete(name)
        } catch (left) {
          this.#context.onFailure(left)
        }
      throw error
    }
  }

  /** Replaces adjacent segments by their merged segment, or by nothing. */
  replace(sources: readonly LiveSegment[], merged: LiveSegment | null): void {
    // Segments that are not published yet wait for the refresh, and the merged one with them.
    const isSettled = !this.isStale
    const at = this.#segments.indexOf(sources[0]!)
    this.#segments.splice(at, sources.length, ...(merged === null ? [] : [merged]))
    if (isSettled) this.publish()
    else this.#isStale = true
    for (const source of sources) this.#retire(source)
  }

  /**
   * Drops segments whose documents are all deleted, unless a merge reads them. Their deletes stay
   * in the log until a commit without the segments; until then the last commit references their
   * files, which are kept. Searches continue on their snapshot.
   */
  dropEmpty(): void {
    const isEmpty = (segment: LiveSegment): boolean => segment.liveCount === 0 && !segment.isMerging
    const empty = this.#segments.filter(isEmpty)
    if (empty.length === 0) return
    this.#segments = this.#segments.filter(segment => !isEmpty(segment))
    this.#isStale = true
    for (const segment of empty) this.#retire(segment)
  }

  /** Publishes all sealed segments and all deletes to searches. */
  publish(): void {
    this.dropEmpty()
    const before = this.#snapshot
    const parts = this.#segments
      .filter(segment => segment.liveCount > 0)
      .map(segment => ({ segment: segment.segment, live: segment.freeze() }))
    this.#snapshot = new Snapshot(before.generation + 1, parts)
    this.#isStale = false
    before.release()
  }

  /** After a commit: discards segments that were merged away or emptied. */
  dropRetired(): void {
    for (const segment of this.#retired.splice(0)) this.#discard(segment)
  }

  close(): void {
    this.#snapshot.release()
    for (const segment of [...this.#segments, ...this.#retired]) segment.release()
    this.#segments = []
    this.#retired = []
  }

  #store(files: readonly WrittenFile[]): void {
    const { directory } = this.#context
    for (const { name, bytes } of files) {
      if (bytes === null) continue
      directory.delete(name)
      directory.write(name, bytes)
    }
  }

  #open(stem: string, files: readonly WrittenFile[]): LiveSegment {
    const listed = files.map(({ name, length, checksum }) => ({ name, length, checksum }))
    const segment = this.#openSegment(stem)
    try {
      return new LiveSegment(this.#context.memory, segment, listed, false, null, 0, null)
    } catch (error) {
      segment.release()
      throw error
    }
  }

  #openCommitted(entry: ManifestSegment): LiveSegment {
    const { directory, memory } = this.#context
    const liveName = liveDocsFileName(entry.name, entry.liveDocsGeneration)
    const files = entry.files.filter(file => file.name !== liveName)
    const liveFile = entry.files.find(file => file.name === liveName) ?? null
    let live: BitSet | null = null
    if (liveFile !== null) {
      const found = readLiveDocs(liveName, directory.read(liveName))
      refuseOtherId(liveName, entry.id, found.segmentId)
      live = found.live
    }
    const segment = this.#openSegment(entry.name)
    try {
      refuseOtherId(segmentFileName(entry.name), entry.id, segment.file.id)
      return new LiveSegment(memory, segment, files, true, live, entry.liveDocsGeneration, liveFile)
    } catch (error) {
      segment.release()
      throw error
    }
  }

  #openSegment(stem: string): Segment {
    const { directory, memory, nextUid } = this.#context
    return new Segment(nextUid(), directory, stem, segment => memory.forget(segment))
  }

  /** Releases a segment that left the list, once the last commit does not reference it. */
  #retire(segment: LiveSegment): void {
    if (segment.isDurable) this.#retired.push(segment)
    else this.#discard(segment)
  }

  /** Deletes a segment's files once no snapshot uses it any more. */
  #discard(segment: LiveSegment): void {
    const names = segment.files.map(file => file.name)
    if (segment.liveFile !== null) names.push(segment.liveFile.name)
    segment.segment.deleteOnClose(names, error => this.#context.onFailure(error))
    segment.release()
  }
}
