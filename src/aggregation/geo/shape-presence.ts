import type { TrianglesReader } from '../../codec/triangles/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { ShapeSource } from '../value-source.ts'

/** The documents of a batch that have shapes, which count as one value: a leaf keeps them by neighbourhood. */
export class ShapePresence {
  readonly index: number[] = []
  readonly #source: ShapeSource
  #reader: TrianglesReader | null = null
  #words = 0
  /** Bits of the leaf's documents with shapes; null: no batch of it has been read. */
  #bits: Uint32Array | null = null

  constructor(source: ShapeSource) {
    this.#source = source
  }

  get count(): number {
    return this.index.length
  }

  openLeaf(leaf: Leaf): void {
    this.#reader = leaf.triangles(this.#source.field)
    this.#words = (leaf.maxDoc + 31) >>> 5
    this.#bits = null
  }

  read({ docs, count }: BucketBatch): void {
    const hasAll = this.#source.missing !== null
    const bits = (this.#bits ??= this.#found())
    this.index.length = 0
    for (let i = 0; i < count; i++) {
      const docId = docs[i]!
      if (hasAll || ((bits[docId >>> 5]! >>> (docId & 31)) & 1) === 1) this.index.push(i)
    }
  }

  #found(): Uint32Array {
    const bits = new Uint32Array(this.#words)
    this.#reader?.visitDocs(docId => {
      bits[docId >>> 5]! |= 1 << (docId & 31)
    })
    return bits
  }
}
