import type { TrianglesReader } from '../../codec/triangles/reader.ts'
import { TRIANGLE_WORDS } from '../../schema/geo-shape/shape-triangles.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { ShapeSource } from '../value-source.ts'
import type { PlaceReader, VisitPlace } from './place-column.ts'

const SIGN = 0x80000000
/** Words of the longitudes and of the latitudes of a triangle's corners. */
const LONS = [0, 2, 4] as const
const LATS = [1, 3, 5] as const

/**
 * The shapes of a leaf's documents, which a leaf keeps as triangles by neighbourhood: they are put in
 * order of documents with the first one that is asked for.
 */
export class ShapeColumn {
  /** Words of the triangles of the document that was opened, from `start` on. */
  words: Uint32Array = new Uint32Array(0)
  start = 0
  /** The box around the document's shapes, in quantised coordinates: signed integers of 32 bits. */
  west = 0
  east = 0
  south = 0
  north = 0
  readonly #source: ShapeSource
  readonly #charge: (bytes: number) => void
  #charged = 0
  #reader: TrianglesReader | null = null
  #maxDoc = 0
  /** By document, where its triangles begin; null: no document of the leaf was asked for. */
  #starts: Int32Array | null = null
  #byDocument: Uint32Array = new Uint32Array(0)

  /** @param charge charges memory before it is taken */
  constructor(source: ShapeSource, charge: (bytes: number) => void) {
    this.#source = source
    this.#charge = charge
  }

  openLeaf(leaf: Leaf): void {
    this.#reader = leaf.triangles(this.#source.field)
    this.#maxDoc = leaf.maxDoc
    this.#starts = null
  }

  /** Whether no document of the leaf has a shape. */
  get isEmpty(): boolean {
    return this.#reader === null && this.#source.missing === null
  }

  /** Moves to a document, in any order, and returns how many triangles its shapes have. */
  open(docId: number): number {
    const starts = this.#reader === null ? null : (this.#starts ??= this.#sorted(this.#reader))
    const from = starts?.[docId] ?? 0
    let count = (starts?.[docId + 1] ?? 0) - from
    this.words = this.#byDocument
    this.start = TRIANGLE_WORDS * from
    const { missing } = this.#source
    if (count === 0 && missing !== null) {
      this.words = missing
      this.start = 0
      count = missing.length / TRIANGLE_WORDS
    }
    if (count > 0) this.#measure(count)
    return count
  }

  #measure(count: number): void {
    let [west, east, south, north] = [SIGN, -SIGN, SIGN, -SIGN]
    const end = this.start + TRIANGLE_WORDS * count
    for (let at = this.start; at < end; at += TRIANGLE_WORDS) {
      for (const i of LONS) {
        const lon = (this.words[at + i]! ^ SIGN) | 0
        if (lon < west) west = lon
        if (lon > east) east = lon
      }
      for (const i of LATS) {
        const lat = (this.words[at + i]! ^ SIGN) | 0
        if (lat < south) south = lat
        if (lat > north) north = lat
      }
    }
    this.west = west
    this.east = east
    this.south = south
    this.north = north
  }

  /** Puts the triangles in order of documents, and returns where each document's begin. */
  #sorted(reader: TrianglesReader): Int32Array {
    const bytes = 4 * (this.#maxDoc + 2 + TRIANGLE_WORDS * reader.count)
    if (bytes > this.#charged) this.#charge(bytes - this.#charged)
    this.#charged = Math.max(bytes, this.#charged)
    // Two further on than counted, so that filling leaves each start where it belongs.
    const next = new Int32Array(this.#maxDoc + 2)
    reader.visitDocs(docId => next[docId + 2]!++)
    for (let i = 2; i < next.length; i++) next[i] = next[i]! + next[i - 1]!
    const words = new Uint32Array(TRIANGLE_WORDS * reader.count)
    reader.visitAll((docId, triangle) => {
      words.set(triangle, TRIANGLE_WORDS * next[docId + 1]!)
      next[docId + 1]!++
    })
    this.#byDocument = words
    return next
  }
}

/** The boxes around the shapes of documents, by two opposite corners each. */
export class ShapeCorners implements PlaceReader {
  readonly #shapes: ShapeColumn

  constructor(shapes: ShapeColumn) {
    this.#shapes = shapes
  }

  get isEmpty(): boolean {
    return this.#shapes.isEmpty
  }

  openLeaf(leaf: Leaf): void {
    this.#shapes.openLeaf(leaf)
  }

  forEach({ docs, owners, count }: BucketBatch, visit: VisitPlace): void {
    const shapes = this.#shapes
    if (shapes.isEmpty) return
    for (let i = 0; i < count; i++) {
      if (shapes.open(docs[i]!) === 0) continue
      const owner = owners === null ? 0 : owners[i]!
      visit(i, owner, shapes.north, shapes.west)
      visit(i, owner, shapes.south, shapes.east)
    }
  }
}
