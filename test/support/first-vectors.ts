/** Sections of vectors as they were written before their quanta held all that a bound needs. */
import { DENSE_VECTORS_VERSION, firstCodes } from '../../src/codec/dense-vectors/format.ts'

const HEADER_BYTES = 64
const [VERSION, DIMENSION, COUNT, CODE_BYTES] = [0, 2, 3, 6]
const [DOCS, SQUARES, QUANTA, ROWS, CODES, END] = [7, 8, 9, 10, 11, 12]

/** The section of the same vectors of float32 in version 1. */
export function inFirstVersion(bytes: Uint8Array): Uint8Array {
  const words = new Uint32Array(bytes.slice().buffer, 0, bytes.length >> 2)
  const header = [...words.subarray(0, HEADER_BYTES / 4)]
  const count = header[COUNT]!
  const quantum = (ord: number): Uint32Array => {
    const from = (header[QUANTA]! >> 2) + 4 * ord
    return words.subarray(from, from + 4)
  }
  const squares = HEADER_BYTES + (header[DOCS] === 0 ? 0 : 4 * count)
  const quanta = squares + 4 * count
  const rows = Math.ceil((quanta + 8 * count) / 64) * 64
  const codes = header[CODES]! + rows - header[ROWS]!
  const codeBytes = header[CODE_BYTES]!
  const end = codes + codeBytes * count
  const out = new Uint32Array((end + 16) >> 2)
  out.set(words.subarray(0, squares >> 2))
  out.set(words.subarray(header[ROWS]! >> 2, header[CODES]! >> 2), rows >> 2)
  const first = firstCodes(header[DIMENSION]!)
  const last = codeBytes - first
  const own = new Uint8Array(out.buffer)
  for (let ord = 0; ord < count; ord++) {
    const from = header[CODES]! + ord * first
    const behind = header[END]! - (count - ord) * last
    own.set(bytes.subarray(from, from + first), codes + ord * codeBytes)
    own.set(bytes.subarray(behind, behind + last), codes + ord * codeBytes + first)
  }
  for (let ord = 0; ord < count; ord++) {
    const [step, rest, , square] = quantum(ord)
    out[(squares >> 2) + ord] = square!
    out.set([step!, rest!], (quanta >> 2) + 2 * ord)
  }
  for (const [word, value] of [
    [VERSION, DENSE_VECTORS_VERSION],
    [SQUARES, squares],
    [QUANTA, quanta],
    [ROWS, rows],
    [CODES, codes],
    [END, end],
  ] as const)
    out[word!] = value
  return new Uint8Array(out.buffer)
}
