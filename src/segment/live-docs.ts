/** Bytes of a leaf's live docs in an arena: kernels read them in groups of sixteen. */
export function liveDocsBytes(maxDoc: number): number {
  return 16 * ((maxDoc + 127) >>> 7)
}

/** The live docs of a leaf in one snapshot, as bits in an arena. */
export class LiveDocs {
  readonly maxDoc: number
  readonly liveCount: number
  readonly #words: Int32Array
  readonly #start: number

  /** @param start address of the words; bit i & 31 of word i >> 5 is set while document i is live */
  constructor(words: Int32Array, start: number, maxDoc: number, liveCount: number) {
    this.#words = words
    this.#start = start >> 2
    this.maxDoc = maxDoc
    this.liveCount = liveCount
  }

  has(docId: number): boolean {
    return ((this.#words[this.#start + (docId >>> 5)]! >>> (docId & 31)) & 1) === 1
  }
}
