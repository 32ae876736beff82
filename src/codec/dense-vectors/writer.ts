import { VECTOR_SPACES, vectorBytes } from '../../schema/knn-vector/vector-space.ts'
import { dotBytes, dotFloats } from '../../util/vector-sums.ts'
import {
  DENSE_VECTORS_HEADER_BYTES,
  DENSE_VECTORS_VERSION,
  firstCodes,
  VECTOR_ELEMENTS,
  WHOLE_QUANTA_VERSION,
} from './format.ts'
import { quantise } from './quantise.ts'
import type { DenseVectorColumn } from './vector-column.ts'

const PADDING_BYTES = 16
const ROW_ALIGNMENT = 16
const PART_ALIGNMENT = 64
const QUANTA_BYTES = 16

/** Writes the section of one field's vectors. */
export function writeDenseVectors(column: DenseVectorColumn, maxDoc: number): Uint8Array {
  const { element, dimension, method, vectors } = column
  const count = vectors.length
  const ownBytes = vectorBytes(element, dimension)
  const rowBytes = aligned(ownBytes, ROW_ALIGNMENT)
  const codeBytes = element === 'float' ? aligned(dimension, ROW_ALIGNMENT) : 0
  const docs = count === maxDoc ? 0 : DENSE_VECTORS_HEADER_BYTES
  const behindDocs = DENSE_VECTORS_HEADER_BYTES + (docs === 0 ? 0 : 4 * count)
  const squares = element === 'byte' ? behindDocs : 0
  const quanta = codeBytes === 0 ? 0 : aligned(behindDocs, QUANTA_BYTES)
  const behindQuanta =
    quanta > 0 ? quanta + QUANTA_BYTES * count : behindDocs + (squares === 0 ? 0 : 4 * count)
  const rows = aligned(behindQuanta, PART_ALIGNMENT)
  const behindRows = rows + rowBytes * count
  const codes = codeBytes === 0 ? 0 : aligned(behindRows, PART_ALIGNMENT)
  const firstBytes = codeBytes === 0 ? 0 : firstCodes(dimension)
  const lastBytes = codeBytes - firstBytes
  const lastCodes = aligned(codes + firstBytes * count, lastBytes === 0 ? 1 : PART_ALIGNMENT)
  const end = codes === 0 ? behindRows : lastCodes + lastBytes * count
  const out = new Uint8Array(end + PADDING_BYTES)
  const u32 = new Uint32Array(out.buffer, 0, out.length >> 2)
  const f32 = new Float32Array(out.buffer, 0, out.length >> 2)
  u32.set([
    element === 'float' ? WHOLE_QUANTA_VERSION : DENSE_VECTORS_VERSION,
    VECTOR_ELEMENTS.indexOf(element),
    dimension,
    count,
    maxDoc,
    rowBytes,
    codeBytes,
    docs,
    squares,
    quanta,
    rows,
    codes,
    end,
    ...(method === null
      ? []
      : [VECTOR_SPACES.indexOf(method.space) + 1, method.m, method.efConstruction]),
  ])
  const own = new Int8Array(out.buffer)
  const codesOfRow = new Int8Array(codeBytes)
  const data = vectors.data()
  for (let i = 0; i < count; i++) {
    if (docs > 0) u32[(docs >> 2) + i] = vectors.docs[i]!
    const row = rows + i * rowBytes
    out.set(data.subarray(vectors.start(i), vectors.start(i) + ownBytes), row)
    if (element === 'byte') {
      const bytes = new Int8Array(out.buffer, row, dimension)
      f32[(squares >> 2) + i] = dotBytes(bytes, bytes)
    } else if (element === 'float') {
      const floats = new Float32Array(out.buffer, row, dimension)
      const { step, rest, tail } = quantise(floats, codesOfRow)
      f32.set([step, rest, tail, dotFloats(floats, floats)], (quanta + QUANTA_BYTES * i) >> 2)
      own.set(codesOfRow.subarray(0, firstBytes), codes + i * firstBytes)
      own.set(codesOfRow.subarray(firstBytes), lastCodes + i * lastBytes)
    }
  }
  return out
}

function aligned(bytes: number, to: number): number {
  return Math.ceil(bytes / to) * to
}
