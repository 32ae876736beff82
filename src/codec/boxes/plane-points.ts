/** A growing list of points of a plane with their documents. */
export class PlanePoints {
  /** 32-bit words of a coordinate: 1, 2 or 4. */
  readonly wordCount: number
  docs: Int32Array<ArrayBuffer> = new Int32Array(64)
  /** Words of the points: those of the first coordinate, most significant first, then the second's. */
  readonly columns: Uint32Array<ArrayBuffer>[]
  length = 0

  constructor(wordCount: number) {
    this.wordCount = wordCount
    this.columns = Array.from({ length: 2 * wordCount }, () => new Uint32Array(64))
  }

  /** @param words of both coordinates, as they stand in `columns` */
  push(doc: number, words: ArrayLike<number>): void {
    const at = this.length
    if (at === this.docs.length) this.#grow()
    this.docs[at] = doc
    for (const [i, column] of this.columns.entries()) column[at] = words[i]!
    this.length = at + 1
  }

  #grow(): void {
    const size = 2 * this.docs.length
    const docs = new Int32Array(size)
    docs.set(this.docs)
    this.docs = docs
    for (const [i, column] of this.columns.entries()) {
      const larger = new Uint32Array(size)
      larger.set(column)
      this.columns[i] = larger
    }
  }
}
