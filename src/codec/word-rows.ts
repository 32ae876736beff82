/** A growing list of rows of 32-bit words, each with its document. */
export class WordRows {
  docs: Int32Array<ArrayBuffer> = new Int32Array(64)
  /** A column for each word of a row. */
  readonly columns: Uint32Array<ArrayBuffer>[]
  length = 0

  constructor(wordsOfRow: number) {
    this.columns = Array.from({ length: wordsOfRow }, () => new Uint32Array(64))
  }

  /** @param words of the row, as they stand in `columns` */
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
