/** From a field's columns to the sections of a segment file; shared by seal and merge. */
import type { PlanePoints } from '../codec/boxes/plane-points.ts'
import { writeBoxes } from '../codec/boxes/writer.ts'
import type { ByteColumn } from '../codec/bytes/byte-column.ts'
import { writeBytes } from '../codec/bytes/writer.ts'
import type { CompletionColumn } from '../codec/completions/completion-column.ts'
import { writeCompletions } from '../codec/completions/writer.ts'
import { DenseVectorsReader } from '../codec/dense-vectors/reader.ts'
import type { DenseVectorColumn } from '../codec/dense-vectors/vector-column.ts'
import { writeDenseVectors } from '../codec/dense-vectors/writer.ts'
import type { DocValuesType, FieldInfo, IndexOptions } from '../codec/directory/format.ts'
import type { SegmentWriter } from '../codec/directory/writer.ts'
import type { LongColumn } from '../codec/doc-values/long-column.ts'
import type { ValueKind } from '../codec/doc-values/value-kind.ts'
import { writeNumericDocValues, writeOrdinalDocValues } from '../codec/doc-values/writer.ts'
import { writeNorms } from '../codec/norms/writer.ts'
import { writePoints } from '../codec/points/writer.ts'
import type { FieldPostings } from '../codec/postings/writer.ts'
import { writeTriangles } from '../codec/triangles/writer.ts'
import type { GraphLevels } from '../codec/vector-graph/graph-levels.ts'
import { writeVectorGraph } from '../codec/vector-graph/writer.ts'
import { type VectorColumn, writeVectors } from '../codec/vectors/writer.ts'
import type { WordRows } from '../codec/word-rows.ts'
import { METADATA_NAMES } from '../schema/field-parser.ts'
import { viewsOf } from '../store/arena.ts'
import type { BitSet } from '../util/bit-set.ts'
import { buildGraph } from './build-graph.ts'
import type { GraphSource } from './graph-draft.ts'

/** A field of the segment being written. */
export interface FieldSections {
  readonly name: string
  readonly indexOptions: IndexOptions
  readonly valueKind: ValueKind
  /** Null for a field without terms; `postings` and `positions` in it are empty for terms alone. */
  readonly postings: FieldPostings | null
  /** Documents with at least one token. */
  readonly termDocCount: number
  readonly averageLength: number
  /** Length codes and the documents that have one; null without norms. */
  readonly norms: { readonly codes: Uint8Array; readonly present: BitSet | null } | null
  /** Values or ordinals, one entry each, ascending within a document. */
  readonly values: NumericColumn | null
  readonly ordinals: NumericColumn | null
  /** Byte strings, those of a document ascending, each once. */
  readonly bytes: ByteColumn | null
  /** Points, in any order. */
  readonly points: NumericColumn | null
  /** Points of a plane, in any order. */
  readonly boxes: PlanePoints | null
  /** Triangles of shapes, in any order. */
  readonly triangles: WordRows | null
  /** Vectors by document. */
  readonly denseVectors: DenseVectorColumn | null
  /** A graph of some of them, from which theirs begins; null: it is made anew. */
  readonly graph: GraphSource | null
  /** Completions, in any order. */
  readonly completions: CompletionColumn | null
  /** Tokens by document. */
  readonly vectors: VectorColumn | null
}

/** Documents and their values, in parallel arrays. */
export interface NumericColumn {
  readonly docs: Int32Array
  readonly values: LongColumn
  readonly count: number
}

/** Which fields get graphs of their vectors, and how long that may take. */
export interface GraphWish {
  /** The least number of vectors of which a graph is made; Infinity: of none. */
  readonly from: number
  /** Called every few milliseconds; throws to abandon the segment. */
  readonly goOn: () => void
}

/** Adds a field's sections to the file and returns its directory entry. */
export function addFieldSections(
  writer: SegmentWriter,
  number: number,
  field: FieldSections,
  maxDoc: number,
  graphs: GraphWish,
): FieldInfo {
  const { postings, norms, values, ordinals, bytes, points, boxes, triangles } = field
  const { denseVectors, completions, vectors } = field
  if (postings !== null) {
    writer.addSection('terms', number, postings.terms)
    if (field.indexOptions !== 'none') {
      writer.addSection('postings', number, postings.postings)
      if (postings.positions !== null) writer.addSection('positions', number, postings.positions)
    }
  }
  if (norms !== null) writer.addSection('norms', number, writeNorms(norms.codes, norms.present))
  if (values !== null)
    writer.addSection(
      'numericValues',
      number,
      writeNumericDocValues(
        values.docs,
        values.values,
        values.count,
        maxDoc,
        field.valueKind,
        METADATA_NAMES.has(field.name),
      ),
    )
  if (ordinals !== null)
    writer.addSection(
      'ordinals',
      number,
      writeOrdinalDocValues(ordinals.docs, ordinals.values, ordinals.count, maxDoc),
    )
  if (points !== null)
    writer.addSection(
      'points',
      number,
      writePoints(points.docs, points.values, points.count, maxDoc),
    )
  if (bytes !== null) writer.addSection('bytes', number, writeBytes(bytes, maxDoc))
  if (boxes !== null) writer.addSection('boxes', number, writeBoxes(boxes, maxDoc))
  if (triangles !== null) writer.addSection('triangles', number, writeTriangles(triangles, maxDoc))
  if (denseVectors !== null) {
    const rows = writeDenseVectors(denseVectors, maxDoc)
    writer.addSection('denseVectors', number, rows)
    const graph = graphOf(rows, field, graphs)
    if (graph !== null) writer.addSection('vectorGraph', number, writeVectorGraph(graph))
  }
  if (completions !== null)
    writer.addSection('completions', number, writeCompletions(completions, maxDoc))
  if (vectors !== null) writer.addSection('termVectors', number, writeVectors(vectors, maxDoc))
  const column = values ?? ordinals
  return {
    number,
    name: field.name,
    indexOptions: postings === null ? 'none' : field.indexOptions,
    hasNorms: norms !== null,
    docValues: docValuesOf(field),
    valueKind: field.valueKind,
    multiValued:
      (column !== null && hasRepeats(column.docs, column.count)) ||
      (bytes !== null && hasRepeats(bytes.docs, bytes.length)),
    hasPoints: points !== null,
    docCount: field.termDocCount,
    sumDocFreq: postings?.sumDocFreq ?? 0,
    sumTotalTermFreq: postings?.sumTotalTermFreq ?? 0,
    averageLength: field.averageLength,
    termCount: postings?.termCount ?? 0,
  }
}

/** The graph of a section of vectors; null: it has none. */
function graphOf(
  rows: Uint8Array,
  { name, graph }: FieldSections,
  { from, goOn }: GraphWish,
): GraphLevels | null {
  const views = viewsOf(rows.buffer)
  const vectors = new DenseVectorsReader({ views, start: 0, length: rows.length, name })
  const { method, count } = vectors
  return method === null || count < from ? null : buildGraph(vectors, method, graph, goOn)
}

function docValuesOf({
  values,
  ordinals,
  bytes,
  triangles,
  denseVectors,
}: FieldSections): DocValuesType {
  if (values !== null) return 'numeric'
  if (ordinals !== null) return 'ordinals'
  if (triangles !== null) return 'shapes'
  if (denseVectors !== null) return 'vectors'
  return bytes === null ? 'none' : 'bytes'
}

function hasRepeats(docs: Int32Array, count: number): boolean {
  for (let i = 1; i < count; i++) if (docs[i] === docs[i - 1]) return true
  return false
}
