import type { GraphMethod } from '../../schema/knn-vector/graph-method.ts'
import {
  VECTOR_SPACES,
  type VectorElement,
  vectorBytes,
} from '../../schema/knn-vector/vector-space.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import {
  DENSE_VECTORS_HEADER_BYTES,
  DENSE_VECTORS_VERSION,
  firstCodes,
  VECTOR_ELEMENTS,
  WHOLE_QUANTA_VERSION,
} from './format.ts'

/** The vectors of one field of one leaf. A vector's ord is its rank among them, by document. */
export class DenseVectorsReader {
  readonly section: Section
  readonly element: VectorElement
  /** Components; bits of a binary vector. */
  readonly dimension: number
  /** Vectors, and documents that have one. */
  readonly count: number
  readonly maxDoc: number
  /** Bytes from one row to the next. */
  readonly rowBytes: number
  readonly codeBytes: number
  /** Bytes of a vector's first codes, and of its others, which lie behind the first ones of all vectors. */
  readonly firstBytes: number
  readonly lastBytes: number
  /** How a graph of them is made; null: none ever is. */
  readonly method: GraphMethod | null
  /** Addresses in the section's memory; those of rows and codes are multiples of 16. */
  readonly rows: number
  /** 0: there are none. */
  readonly codes: number
  readonly lastCodes: number
  /** Word of the first document; −1: documents are their own ords. */
  readonly #docs: number
  /** Words of the first number, −1: there are none; and words from one vector's to the next one's. */
  readonly squares: number
  readonly squareStride: number
  readonly quanta: number
  readonly quantaStride: number
  /** Whether the quanta tell how long the last codes are. */
  readonly hasTails: boolean

  /** @throws {CorruptSegmentError} its header contradicts itself or its length */
  constructor(section: Section) {
    const { u32 } = section.views
    const header = section.start >> 2
    const hasTails = u32[header] === WHOLE_QUANTA_VERSION
    checkSection(
      section,
      hasTails ? WHOLE_QUANTA_VERSION : DENSE_VECTORS_VERSION,
      DENSE_VECTORS_HEADER_BYTES,
    )
    const element = VECTOR_ELEMENTS[u32[header + 1]!]
    const dimension = u32[header + 2]!
    const count = u32[header + 3]!
    const maxDoc = u32[header + 4]!
    const rowBytes = u32[header + 5]!
    const codeBytes = u32[header + 6]!
    const part = (word: number, bytes: number): number =>
      u32[header + word] === 0 ? 0 : partOf(section, 4 * word, bytes)
    this.section = section
    this.element = element ?? 'float'
    this.dimension = dimension
    this.count = count
    this.maxDoc = maxDoc
    this.rowBytes = rowBytes
    this.codeBytes = codeBytes
    const [space, m, efConstruction] = [
      VECTOR_SPACES[u32[header + 13]! - 1],
      u32[header + 14]!,
      u32[header + 15]!,
    ]
    this.method = space === undefined ? null : { space, m, efConstruction }
    const docs = part(7, 4 * count)
    const squares = part(8, 4 * count)
    this.hasTails = hasTails
    this.quantaStride = hasTails ? 4 : 2
    const quanta = part(9, 4 * this.quantaStride * count)
    this.#docs = docs === 0 ? -1 : docs >> 2
    this.quanta = quanta === 0 ? -1 : quanta >> 2
    this.squares = hasTails ? this.quanta + 3 : squares === 0 ? -1 : squares >> 2
    this.squareStride = hasTails ? 4 : 1
    this.rows = partOf(section, 40, rowBytes * count)
    this.firstBytes = hasTails ? firstCodes(dimension) : codeBytes
    this.lastBytes = codeBytes - this.firstBytes
    const alignment = this.lastBytes === 0 ? 1 : 64
    const first = Math.ceil((this.firstBytes * count) / alignment) * alignment
    this.codes = part(11, first + this.lastBytes * count)
    this.lastCodes = this.codes + first
    const isWhole =
      element !== undefined &&
      (space === undefined
        ? (u32[header + 13]! | m | efConstruction) === 0
        : m > 0 && efConstruction > 0) &&
      dimension > 0 &&
      rowBytes === Math.ceil(vectorBytes(element, dimension) / 16) * 16 &&
      (docs > 0 ? count <= maxDoc : count === maxDoc) &&
      squares > 0 === (element !== 'binary' && !hasTails) &&
      (element === 'float' || !hasTails) &&
      codeBytes === (element === 'float' ? Math.ceil(dimension / 16) * 16 : 0) &&
      [quanta > 0, this.codes > 0].every(has => has === (element === 'float')) &&
      (docs | squares | quanta) % 4 === 0 &&
      (this.rows | this.codes) % 16 === 0
    if (!isWhole)
      throw new CorruptSegmentError(
        section.name,
        4,
        'a header of vectors',
        `[${[...u32.subarray(header + 1, header + 16)].join(', ')}]`,
      )
  }

  /** Address of the documents, u32 each; 0: they are their own ords. */
  get docs(): number {
    return this.#docs < 0 ? 0 : this.#docs << 2
  }

  /** The document of a vector. */
  docOf(ord: number): number {
    return this.#docs < 0 ? ord : this.section.views.u32[this.#docs + ord]!
  }

  /** The vector of a document; −1: it has none. */
  ordOf(docId: number): number {
    const ord = this.lowerBound(docId)
    return ord < this.count && this.docOf(ord) === docId ? ord : -1
  }

  /**
   * The first vector of the documents from one on; `count`: they have none.
   * @param from no vector before it is looked at
   */
  lowerBound(docId: number, from = 0): number {
    if (this.#docs < 0) return Math.min(docId, this.count)
    const { u32 } = this.section.views
    let low = from
    let step = 1
    while (low + step < this.count && u32[this.#docs + low + step]! < docId) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, this.count)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (u32[this.#docs + middle]! < docId) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Sum of the squares of a vector's components, float32; no vector of bits has one. */
  square(ord: number): number {
    return this.section.views.f32[this.squares + this.squareStride * ord]!
  }

  /** The value of one step of a vector's codes, float32. */
  step(ord: number): number {
    return this.section.views.f32[this.quanta + this.quantaStride * ord]!
  }

  /** A bound of the length of what a vector's codes leave out, float32. */
  rest(ord: number): number {
    return this.section.views.f32[this.quanta + this.quantaStride * ord + 1]!
  }

  /** A vector's codes, copied to the start of others; `float` alone. */
  copyCodes(ord: number, into: Uint8Array, start: number): void {
    const { u8 } = this.section.views
    const { firstBytes, lastBytes } = this
    const first = this.codes + ord * firstBytes
    const last = this.lastCodes + ord * lastBytes
    into.set(u8.subarray(first, first + firstBytes), start)
    into.set(u8.subarray(last, last + lastBytes), start + firstBytes)
  }

  /** A vector's components, in place; `float` alone. */
  floats(ord: number): Float32Array {
    const start = (this.rows + ord * this.rowBytes) >> 2
    return this.section.views.f32.subarray(start, start + this.dimension)
  }

  /** A vector's components or bits, in place; not of `float`. */
  signedBytes(ord: number): Int8Array {
    const { u8 } = this.section.views
    const length = vectorBytes(this.element, this.dimension)
    return new Int8Array(u8.buffer, u8.byteOffset + this.rows + ord * this.rowBytes, length)
  }

  /** A vector as it was given to the writer, in place. */
  bytes(ord: number): Uint8Array {
    const start = this.rows + ord * this.rowBytes
    return this.section.views.u8.subarray(start, start + vectorBytes(this.element, this.dimension))
  }

  /** A vector's components as numbers: of bits, the bytes that hold them. */
  numbers(ord: number): readonly number[] {
    return [...(this.element === 'float' ? this.floats(ord) : this.signedBytes(ord))]
  }
}
