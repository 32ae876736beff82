/** Columns of a merged field: norms, doc values and points by merged documents. */
import { PlanePoints } from '../codec/boxes/plane-points.ts'
import { ByteColumn } from '../codec/bytes/byte-column.ts'
import { CompletionColumn } from '../codec/completions/completion-column.ts'
import { NO_NORM_CODE } from '../codec/norms/format.ts'
import { TRIANGLE_COLUMNS } from '../codec/triangles/format.ts'
import type { VectorColumn } from '../codec/vectors/writer.ts'
import { WordRows } from '../codec/word-rows.ts'
import { BitSet } from '../util/bit-set.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import type { FieldSections, NumericColumn } from './field-sections.ts'
import { GrowingColumn } from './growing-column.ts'
import { forEachDoc } from './merged-docs.ts'
import { byLeaf, type MergedField } from './merged-field.ts'

/** Null when no live document has a norm. */
export function mergeNorms({ name, docs, parts }: MergedField): FieldSections['norms'] {
  const codes = new Uint8Array(docs.maxDoc)
  const present = new BitSet(docs.maxDoc)
  let count = 0
  for (const { leaf, docMap } of parts) {
    const norms = leaf.norms(name)
    for (let doc = 0; doc < docMap.length; doc++) {
      const target = docMap[doc]!
      if (target < 0) continue
      codes[target] = norms === null ? NO_NORM_CODE : norms.code(doc)
      if (norms === null || !norms.has(doc)) continue
      present.add(target)
      count++
    }
  }
  return count === 0 ? null : { codes, present: count === docs.maxDoc ? null : present }
}

/** Null when no live document has a number. */
export function mergeValues(field: MergedField): NumericColumn | null {
  const { name, docs } = field
  const column = new GrowingColumn()
  const readers = byLeaf(field, ({ leaf }) => leaf.numericValues(name))
  forEachDoc(docs, (leaf, doc, target) => {
    const values = readers[leaf] ?? null
    if (values === null || !values.advanceExact(doc)) return
    const count = values.valueCount()
    for (let i = 0; i < count; i++) {
      values.select(i)
      column.push(target, values.hi(), values.lo())
    }
  })
  return column.finish()
}

/**
 * Null when no live document has an ordinal.
 * @param ordMaps by part, new ord of each term
 */
export function mergeOrdinals(
  field: MergedField,
  ordMaps: readonly Int32Array[],
): NumericColumn | null {
  const { name, docs } = field
  const column = new GrowingColumn()
  const readers = byLeaf(field, ({ leaf }) => leaf.ordinals(name))
  const maps = byLeaf(field, (_, part) => ordMaps[part]!)
  forEachDoc(docs, (leaf, doc, target) => {
    const ordinals = readers[leaf] ?? null
    if (ordinals === null || !ordinals.advanceExact(doc)) return
    const ordMap = maps[leaf]!
    const count = ordinals.valueCount()
    // Terms keep their order, so ordinals within a document still ascend.
    for (let i = 0; i < count; i++) column.push(target, 0, ordMap[ordinals.ord(i)]!)
  })
  return column.finish()
}

/**
 * Points of a field without doc values.
 * @param ordMaps by part, for points that are ordinals; null: they are numbers
 */
export function mergePoints(
  { name, parts }: MergedField,
  ordMaps: readonly Int32Array[] | null,
): NumericColumn | null {
  const column = new GrowingColumn()
  for (const [part, { leaf, docMap }] of parts.entries()) {
    const ordMap = ordMaps?.[part] ?? null
    leaf.points(name)?.visitAll((doc, hi, lo) => {
      const target = docMap[doc]!
      if (target >= 0) column.push(target, hi, ordMap === null ? lo : ordMap[lo]!)
    })
  }
  return column.finish()
}

/** Null when no live document has a value. */
export function mergeBytes(field: MergedField): ByteColumn | null {
  const { name, docs } = field
  const column = new ByteColumn()
  const readers = byLeaf(field, ({ leaf }) => leaf.bytes(name))
  forEachDoc(docs, (leaf, doc, target) => {
    const reader = readers[leaf] ?? null
    if (reader === null || !reader.advanceExact(doc)) return
    for (let i = 0; i < reader.valueCount(); i++) {
      const value = reader.value(i)
      column.push(target, value, 0, value.length)
    }
  })
  return column.length === 0 ? null : column
}

/** Null when no live document has a point of a plane. */
export function mergeBoxes({ name, parts }: MergedField): PlanePoints | null {
  let points: PlanePoints | null = null
  for (const { leaf, docMap } of parts) {
    const boxes = leaf.boxes(name)
    boxes?.visitAll((doc, words) => {
      const target = docMap[doc]!
      if (target < 0) return
      points ??= new PlanePoints(boxes.wordCount)
      points.push(target, words)
    })
  }
  return points
}

/** Null when no live document has a triangle. */
export function mergeTriangles({ name, parts }: MergedField): WordRows | null {
  const triangles = new WordRows(TRIANGLE_COLUMNS)
  for (const { leaf, docMap } of parts)
    leaf.triangles(name)?.visitAll((doc, words) => {
      const target = docMap[doc]!
      if (target >= 0) triangles.push(target, words)
    })
  return triangles.length === 0 ? null : triangles
}

/** Null when no live document has a completion. */
export function mergeCompletions({ name, parts }: MergedField): CompletionColumn | null {
  let column: CompletionColumn | null = null
  const bytes = new ByteWriter(256)
  for (const { leaf, docMap } of parts) {
    const reader = leaf.completions(name)
    if (reader === null) continue
    column ??= new CompletionColumn(reader.hasContexts)
    const cursor = reader.cursor()
    for (let entry = 0; entry < reader.count; entry++) {
      cursor.moveTo(entry)
      const target = docMap[cursor.doc]!
      if (target < 0) continue
      bytes.clear()
      bytes.bytes(cursor.key, 0, cursor.keyLength)
      bytes.bytes(cursor.surface())
      column.push(target, cursor.weight, bytes.view(), 0, cursor.keyLength, bytes.length)
    }
  }
  return column === null || column.length === 0 ? null : column
}

/**
 * Null when no live document has a vector, or some leaf has the field's terms without any: it is from
 * before there were vectors, and its documents would look as if they had no tokens.
 */
export function mergeVectors(field: MergedField): VectorColumn | null {
  const { name, docs } = field
  const readers = byLeaf(field, ({ leaf }) => leaf.vectors(name))
  const parts = readers.find(reader => reader !== null)?.parts
  if (parts === undefined) return null
  if (field.parts.some(({ info, ord }) => info.termCount > 0 && readers[ord] === null)) return null
  const column = new ByteColumn()
  forEachDoc(docs, (leaf, doc, target) => {
    const vector = readers[leaf]?.bytes(doc)
    if (vector !== undefined && vector.length > 0) column.push(target, vector, 0, vector.length)
  })
  return column.length === 0 ? null : { parts, vectors: column }
}
