/** Encodes a block of ids; `format.ts` draws it. */
import { assert } from '../../util/assert.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
import { ALPHABETS, MAX_END_BITS, RAGGED, STEPPING } from './format.ts'

const MAX_COLUMNS = 255
const MAX_SHARED = 0xffff
const NO_SYMBOL = 0xffff

/** By alphabet and byte, the number of the symbol. */
const NUMBERS = ALPHABETS.map(alphabet => {
  const numbers = new Uint16Array(256).fill(NO_SYMBOL)
  for (let i = 0; i < alphabet.length; i++) numbers[alphabet[i]!] = i
  return numbers
})

/** Bases and shapes of the columns, for the last alphabet and for the best so far. */
let tried = new Uint8Array(2 * MAX_COLUMNS)
let best = new Uint8Array(2 * MAX_COLUMNS)

/**
 * Appends a block of ids.
 * @param offsets of the ids of all documents in `ids`, and their end
 * @param first   document of the block's first id
 * @param count   1–128
 */
export function appendIdBlock(
  out: ByteWriter,
  ids: Uint8Array,
  offsets: Uint32Array,
  first: number,
  count: number,
): void {
  const length = offsets[first + 1]! - offsets[first]!
  let isEven = length <= MAX_COLUMNS
  for (let i = 1; isEven && i < count; i++)
    isEven = offsets[first + i + 1]! - offsets[first + i]! === length
  if (isEven) appendEven(out, ids, offsets[first]!, length, count)
  else appendRagged(out, ids, offsets, first, count)
}

function appendEven(
  out: ByteWriter,
  ids: Uint8Array,
  start: number,
  length: number,
  count: number,
): void {
  let alphabet = 0
  let rowBits = shapeColumns(0, ids, start, length, count)
  swap()
  for (let other = 1; other < ALPHABETS.length && rowBits > 0; other++) {
    const bits = shapeColumns(other, ids, start, length, count)
    if (bits < 0 || bits >= rowBits) continue
    alphabet = other
    rowBits = bits
    swap()
  }
  out.u8(alphabet)
  out.u8(length)
  out.u16(rowBits)
  out.bytes(best, 0, 2 * length)
  if (rowBits === 0) return
  const symbols = NUMBERS[alphabet]!
  const mask = ALPHABETS[alphabet]!.length - 1
  const rows = new BitAppender(out)
  for (let i = 0; i < count; i++) {
    for (let column = 0; column < length; column++) {
      const shape = best[2 * column + 1]!
      const width = shape & 15
      if (width === 0) continue
      const steps = (shape & STEPPING) === 0 ? 0 : i
      rows.add(
        (symbols[ids[start + i * length + column]!]! - best[2 * column]! - steps) & mask,
        width,
      )
    }
  }
  rows.finish()
}

function swap(): void {
  const other = best
  best = tried
  tried = other
}

/**
 * Computes base and shape of every column in an alphabet.
 * @returns bits of a row, −1 when the alphabet lacks a symbol
 */
function shapeColumns(
  alphabet: number,
  ids: Uint8Array,
  start: number,
  length: number,
  count: number,
): number {
  const symbols = NUMBERS[alphabet]!
  const mask = ALPHABETS[alphabet]!.length - 1
  let rowBits = 0
  for (let column = 0; column < length; column++) {
    const base = symbols[ids[start + column]!]!
    if (base === NO_SYMBOL) return -1
    let min = base
    let max = base
    let maxAhead = 0
    for (let i = 0, at = start + column; i < count; i++, at += length) {
      const number = symbols[ids[at]!]!
      if (number === NO_SYMBOL) return -1
      if (number < min) min = number
      if (number > max) max = number
      const ahead = (number - base - i) & mask
      if (ahead > maxAhead) maxAhead = ahead
    }
    const width = 32 - Math.clz32(max - min)
    const steppingWidth = 32 - Math.clz32(maxAhead)
    const isStepping = steppingWidth < width
    tried[2 * column] = isStepping ? base : min
    tried[2 * column + 1] = isStepping ? steppingWidth | STEPPING : width
    rowBits += isStepping ? steppingWidth : width
  }
  return rowBits
}

function appendRagged(
  out: ByteWriter,
  ids: Uint8Array,
  offsets: Uint32Array,
  first: number,
  count: number,
): void {
  const start = offsets[first]!
  let shared = Math.min(offsets[first + 1]! - start, MAX_SHARED)
  for (let i = 1; i < count; i++) {
    const from = offsets[first + i]!
    const limit = Math.min(shared, offsets[first + i + 1]! - from)
    shared = 0
    while (shared < limit && ids[start + shared] === ids[from + shared]) shared++
  }
  const restBytes = offsets[first + count]! - start - count * shared
  const endBits = 32 - Math.clz32(restBytes)
  assert(endBits <= MAX_END_BITS, 'ids of a block are short')
  out.u8(RAGGED)
  out.u8(endBits)
  out.u16(shared)
  out.bytes(ids, start, start + shared)
  const ends = new BitAppender(out)
  for (let i = 0; i < count; i++)
    ends.add(offsets[first + i + 1]! - start - (i + 1) * shared, endBits)
  ends.finish()
  for (let i = 0; i < count; i++)
    out.bytes(ids, offsets[first + i]! + shared, offsets[first + i + 1]!)
}

/** Appends numbers of up to 25 bits, lowest bit first, to a byte writer. */
class BitAppender {
  readonly #out: ByteWriter
  #pending = 0
  #held = 0

  constructor(out: ByteWriter) {
    this.#out = out
  }

  add(value: number, width: number): void {
    // At most 7 bits are held, and 7 + 25 fit.
    this.#pending |= value << this.#held
    this.#held += width
    while (this.#held >= 8) {
      this.#out.u8(this.#pending & 0xff)
      this.#pending >>>= 8
      this.#held -= 8
    }
  }

  finish(): void {
    if (this.#held > 0) this.#out.u8(this.#pending)
  }
}
