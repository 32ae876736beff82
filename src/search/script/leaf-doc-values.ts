import { DocValues } from '../../script/doc/doc-values.ts'

/** Values that move from document to document of one leaf. */
export abstract class LeafDocValues extends DocValues {
  override readonly className: string
  #docId = -1
  #size = -1

  /** @param className Java's name of the list */
  constructor(className: string) {
    super()
    this.className = className
  }

  /** Moves to a document, in any order; nothing is read yet. */
  moveTo(docId: number): void {
    this.#docId = docId
    this.#size = -1
  }

  override get size(): number {
    if (this.#size < 0) this.#size = this.open(this.#docId)
    return this.#size
  }

  /** Opens a document and returns how many values it has. */
  protected abstract open(docId: number): number
}
