import type { StoredBlock } from '../codec/stored/reader.ts'
import type { Segment } from './segment.ts'

/** LRU cache of decompressed blocks of stored fields. */
export class StoredCache {
  readonly #limitInBytes: number
  readonly #blocks = new Map<string, StoredBlock>()
  #bytes = 0
  #newestKey: string | null = null
  #newest: StoredBlock | null = null

  constructor(limitInBytes: number) {
    this.#limitInBytes = limitInBytes
  }

  /**
   * A document's source, as a view of a cached block: copy it to keep it.
   * @throws {CorruptSegmentError} corrupt block
   */
  read(segment: Segment, docId: number): Uint8Array {
    return segment.stored().sourceIn(this.#blockOf(segment, docId), docId)
  }

  /**
   * The bytes that a segment keeps for a document's stored fields beside its source, a view like that of `read`;
   * null: they are read from the source.
   * @throws {CorruptSegmentError} corrupt block
   */
  readBeside(segment: Segment, docId: number): Uint8Array | null {
    const stored = segment.stored()
    if (stored.sourceLength(docId) === stored.recordLength(docId)) return null
    return stored.besideIn(this.#blockOf(segment, docId), docId)
  }

  #blockOf(segment: Segment, docId: number): StoredBlock {
    const reader = segment.stored()
    const number = reader.blockOf(docId)
    const key = `${segment.uid}/${number}`
    if (key === this.#newestKey) return this.#newest!
    let block = this.#blocks.get(key)
    if (block === undefined) {
      block = reader.readBlock(number)
      this.#bytes += block.content.length
    } else this.#blocks.delete(key)
    this.#blocks.set(key, block)
    this.#newestKey = key
    this.#newest = block
    for (const [oldest, old] of this.#blocks) {
      if (this.#bytes <= this.#limitInBytes || oldest === key) break
      this.#blocks.delete(oldest)
      this.#bytes -= old.content.length
    }
    return block
  }
}
