/**
 * The generated tables of code points, unpacked once per thread into typed arrays: two-stage, a
 * block of 256 code points each, equal blocks shared.
 */
import {
  BLANKS,
  CLASS_COUNT,
  CLASS_RUNS,
  LETTER_RUNS,
  LOWER_RUNS,
  STATE_COUNT,
  STATE_TYPES,
  TRANSITIONS,
  UPPER_RUNS,
} from './generated/word-break-data.ts'

const SIZE = 0x110000

/** Bits to shift a state by to reach its row of `WORD_BREAK_NEXT`. */
export const WORD_BREAK_SHIFT: number = Math.ceil(Math.log2(CLASS_COUNT))

/** The next state at `state << WORD_BREAK_SHIFT | class`; state 0 is dead, 1 the start. */
export const WORD_BREAK_NEXT: Uint8Array = transitions()

/** Per state the number of the token type that may end there, 0 for none. */
export const WORD_BREAK_TYPES: Uint8Array = Uint8Array.from(numbers(STATE_TYPES))

const classTable = twoStage(CLASS_RUNS, true)
const letterTable = twoStage(LETTER_RUNS, false)
const lower = caseTables(LOWER_RUNS)
let upper: CaseTables | null = null
const blanks = new Set(numbers(BLANKS))

/** Word-break classes of ASCII. */
export const ASCII_CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, b) =>
  wordBreakClass(b),
)

/** Lower case of ASCII, of every byte value; what is beyond ASCII stands for itself. */
export const ASCII_LOWER: Uint8Array = Uint8Array.from({ length: 256 }, (_, b) =>
  b >= 0x41 && b <= 0x5a ? b + 32 : b,
)

/** Word-break class of a code point. */
export function wordBreakClass(point: number): number {
  return classTable.blocks[(classTable.index[point >>> 8]! << 8) | (point & 0xff)]!
}

/** Whether a code point is a letter (general category L). */
export function isLetter(point: number): boolean {
  return letterTable.blocks[(letterTable.index[point >>> 8]! << 8) | (point & 0xff)] === 1
}

/** Whether a code point is a blank, as Java's `Character.isWhitespace` has it. */
export function isBlank(point: number): boolean {
  return blanks.has(point)
}

/** Lower case of a code point by its simple mapping, without context. */
export function lowerCase(point: number): number {
  return mapped(lower, point)
}

/** Upper case of a code point by its simple mapping: ß stays, ᾳ becomes ᾼ. */
export function upperCase(point: number): number {
  // Few ask for it.
  upper ??= caseTables(UPPER_RUNS)
  return mapped(upper, point)
}

function mapped({ index, shifts }: CaseTables, point: number): number {
  const block = index[point >>> 8]!
  return block === 0 ? point : point + shifts[(block << 8) | (point & 0xff)]!
}

function numbers(packed: string): number[] {
  return packed.split(' ').map(text => Number.parseInt(text, 36))
}

function transitions(): Uint8Array {
  const next = new Uint8Array(STATE_COUNT << WORD_BREAK_SHIFT)
  for (const [i, state] of numbers(TRANSITIONS).entries())
    next[(Math.floor(i / CLASS_COUNT) << WORD_BREAK_SHIFT) | (i % CLASS_COUNT)] = state
  return next
}

function twoStage(packed: string, hasValues: boolean): { index: Uint16Array; blocks: Uint8Array } {
  const flat = new Uint8Array(SIZE)
  const runs = numbers(packed)
  const step = hasValues ? 3 : 2
  let at = 0
  for (let i = 0; i < runs.length; i += step) {
    at += runs[i]!
    const end = at + runs[i + 1]!
    flat.fill(hasValues ? runs[i + 2]! : 1, at, end)
    at = end
  }
  const index = new Uint16Array(SIZE >>> 8)
  const bytes = Buffer.from(flat.buffer)
  const known = new Map<string, number>()
  const kept: Uint8Array[] = []
  for (let block = 0; block < index.length; block++) {
    const start = block << 8
    // Thousands of blocks are like the one before them.
    if (block > 0 && bytes.compare(bytes, start - 256, start, start, start + 256) === 0) {
      index[block] = index[block - 1]!
      continue
    }
    const values = flat.subarray(start, start + 256)
    const key = bytes.toString('latin1', start, start + 256)
    let place = known.get(key)
    if (place === undefined) {
      place = kept.length
      kept.push(values)
      known.set(key, place)
    }
    index[block] = place
  }
  const blocks = new Uint8Array(kept.length << 8)
  for (const [i, values] of kept.entries()) blocks.set(values, i << 8)
  return { index, blocks }
}

/** How far the code points of a block are from their case; block 0 stands for none. */
interface CaseTables {
  readonly index: Uint8Array
  readonly shifts: Int32Array
}

function caseTables(packed: string): CaseTables {
  const runs = numbers(packed)
  const index = new Uint8Array(SIZE >>> 8)
  let count = 0
  const blockOf = (point: number): number => {
    if (index[point >>> 8] === 0) index[point >>> 8] = ++count
    return index[point >>> 8]!
  }
  const pairs: [number, number][] = []
  for (let i = 0; i < runs.length; i += 4) {
    const shift = runs[i + 3]! % 2 === 1 ? -Math.floor(runs[i + 3]! / 2) : runs[i + 3]! / 2
    for (let k = 0; k < runs[i + 1]!; k++) {
      const point = runs[i]! + k * runs[i + 2]!
      blockOf(point)
      pairs.push([point, shift])
    }
  }
  const shifts = new Int32Array((count + 1) << 8)
  for (const [point, shift] of pairs) shifts[(blockOf(point) << 8) | (point & 0xff)] = shift
  return { index, shifts }
}
