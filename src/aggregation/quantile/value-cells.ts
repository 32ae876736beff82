/**
 * Values as a histogram of bounded size that depends on the values alone, not on their order or parts.
 * Doubles become 64-bit keys in the same order; values whose keys agree but for the lowest `level` bits
 * share a cell, and the level is the lowest at which there are no more cells than allowed. At level 0 a
 * cell is one value, so that few distinct values are kept exactly.
 */
import { CellIndex } from './cell-index.ts'

/** Cells in ascending order: plain data. */
export interface Cells {
  /** 0…64. */
  readonly level: number
  /** The min and max value of each cell. */
  readonly mins: Float64Array
  readonly maxs: Float64Array
  /** Values of each cell. */
  readonly counts: Float64Array
}

/** How values are put into cells. */
export interface CellRules {
  /** The level of the first values. */
  readonly level: number
  /** Max number of cells, at least 1. */
  readonly maxCells: number
}

/** Cells per unit of compression: 4096 at the default of 100. */
const CELLS_PER_COMPRESSION = 40.96
const MIN_CELLS = 32
const MAX_CELLS = 2 ** 20

/** The cells that stand for a t-digest of a compression. */
export function digestRules(compression: number): CellRules {
  const cells = Math.ceil(CELLS_PER_COMPRESSION * compression)
  return { level: 0, maxCells: Math.min(MAX_CELLS, Math.max(MIN_CELLS, cells)) }
}

/** Values that wait, unsorted. */
const MAX_WAITING = 4096
/** Bytes of a cell. */
const CELL_BYTES = 24

const ONES: Float64Array = new Float64Array(MAX_WAITING).fill(1)
const NO_VALUES: Float64Array = new Float64Array(0)

/** The cells of growing values. */
export class ValueCells {
  readonly #rules: CellRules
  readonly #charge: (bytes: number) => void
  #cells: Cells
  #waiting: Float64Array = NO_VALUES
  #count = 0
  /** Of the cells, once there have been many values; null: there were few, or cells have changed. */
  #index: CellIndex | null = null
  #indexBytes = 0

  /** @param charge memory is charged to it before it is taken */
  constructor(rules: CellRules, charge: (bytes: number) => void) {
    this.#rules = rules
    this.#charge = charge
    this.#cells = { level: rules.level, mins: NO_VALUES, maxs: NO_VALUES, counts: NO_VALUES }
  }

  /** Adds a value; no NaN. */
  add(value: number): void {
    const cell = this.#index === null ? -1 : this.#index.find(value)
    if (cell >= 0) {
      this.#addTo(cell, value)
      return
    }
    if (this.#count === this.#waiting.length) this.#makeRoom()
    this.#waiting[this.#count++] = value
  }

  /** The level of the cells once there have been many values; −1: there were few. */
  get knownLevel(): number {
    const { level } = this.#cells
    return this.#indexBytes > 0 || level > this.#rules.level ? level : -1
  }

  /** Adds cells of the same rules, no two of which agree but for the lowest bits of their level. */
  merge(cells: Cells): void {
    const { maxCells } = this.#rules
    const { length } = cells.mins
    if (this.#cells.mins.length > 0) this.#take(mergeCells(this.#cells, cells, maxCells))
    else this.#take(length <= maxCells ? copyOf(cells) : folded(copyOf(cells), length, maxCells))
  }

  #take(cells: Cells): void {
    const { length } = this.#cells.mins
    this.#cells = cells
    const more = this.#cells.mins.length - length
    if (more > 0) this.#charge(more * CELL_BYTES)
    this.#index = null
  }

  /** The cells of all values so far. */
  settled(): Cells {
    if (this.#count > 0) {
      const values = this.#waiting.subarray(0, this.#count).sort()
      const counts = ONES.subarray(0, this.#count)
      this.#count = 0
      const { level, maxCells } = this.#rules
      this.#take(mergeCells(this.#cells, { level, mins: values, maxs: values, counts }, maxCells))
    }
    return this.#cells
  }

  #makeRoom(): void {
    const { length } = this.#waiting
    if (length === MAX_WAITING) {
      this.settled()
      this.#makeIndex()
      return
    }
    const next = new Float64Array(length === 0 ? 4 : 2 * length)
    this.#charge(8 * (next.length - length))
    next.set(this.#waiting)
    this.#waiting = next
  }

  #makeIndex(): void {
    const bytes = CellIndex.bytesOf(this.#cells.mins.length)
    if (bytes > this.#indexBytes) this.#charge(bytes - this.#indexBytes)
    this.#indexBytes = Math.max(bytes, this.#indexBytes)
    this.#index = new CellIndex(this.#cells.level, this.#cells.mins)
  }

  #addTo(cell: number, value: number): void {
    const { mins, maxs, counts } = this.#cells
    counts[cell] = counts[cell]! + 1
    if (isBelow(value, mins[cell]!)) mins[cell] = value
    if (isBelow(maxs[cell]!, value)) maxs[cell] = value
  }
}

function copyOf({ level, mins, maxs, counts }: Cells): Cells {
  return { level, mins: mins.slice(), maxs: maxs.slice(), counts: counts.slice() }
}

// Each long loop is a function of its own that ends with it: V8 compiles a loop while it runs, knows nothing of
// what has not run yet behind it, and goes back to the interpreter there each time (Node 20).

/** Cells of the values of both. */
function mergeCells(a: Cells, b: Cells, maxCells: number): Cells {
  const room = a.mins.length + b.mins.length
  const merged = {
    level: Math.max(a.level, b.level),
    mins: new Float64Array(room),
    maxs: new Float64Array(room),
    counts: new Float64Array(room),
  }
  const size = mergeInto(merged, a, b) + 1
  return size <= maxCells ? cut(merged, size) : folded(merged, size, maxCells)
}

/** Writes the cells of the values of both; returns the last one. */
function mergeInto({ level, mins, maxs, counts }: Cells, a: Cells, b: Cells): number {
  const words = wordsOf(mins)
  let last = -1
  let i = 0
  let j = 0
  while (i < a.mins.length || j < b.mins.length) {
    const isFirst = j === b.mins.length || (i < a.mins.length && !isBelow(b.mins[j]!, a.mins[i]!))
    const from = isFirst ? a : b
    const at = isFirst ? i++ : j++
    const max = from.maxs[at]!
    // The cell behind the last one has room: there are no more than values.
    mins[last + 1] = from.mins[at]!
    if (last < 0 || splitBetween(words, last, last + 1) > level) maxs[++last] = max
    else if (max > maxs[last]! || max === 0) maxs[last] = Math.max(maxs[last]!, max)
    counts[last] = counts[last]! + from.counts[at]!
  }
  return last
}

/**
 * The lowest level, from `level` on, at which values lie in no more than a number of cells.
 * @param values ascending
 */
export function lowestLevel(values: Float64Array, level: number, maxCells: number): number {
  const splits = new Float64Array(65)
  countSplits(wordsOf(values), values.length, splits)
  let next = 64
  let cells = 1
  while (next > level && cells + splits[next]! <= maxCells) cells += splits[next--]!
  return next
}

/** Counts pairs of neighbours by the lowest level at which they share a cell. */
function countSplits(words: Int32Array, length: number, splits: Float64Array): void {
  for (let i = 1; i < length; i++) {
    const split = splitBetween(words, i - 1, i)
    splits[split] = splits[split]! + 1
  }
}

/** The cells at the lowest level with few enough of them; the arrays are the caller's to lose. */
function folded(cells: Cells, size: number, maxCells: number): Cells {
  const level = lowestLevel(cells.mins.subarray(0, size), cells.level, maxCells)
  return cut({ ...cells, level }, fold(cells, size, level) + 1)
}

/** Joins the cells that a level does not tell apart; returns the last one. */
function fold({ mins, maxs, counts }: Cells, size: number, level: number): number {
  const words = wordsOf(mins)
  let last = 0
  for (let i = 1; i < size; i++) {
    if (splitBetween(words, last, i) > level) {
      last++
      mins[last] = mins[i]!
      maxs[last] = maxs[i]!
      counts[last] = counts[i]!
    } else {
      maxs[last] = Math.max(maxs[last]!, maxs[i]!)
      counts[last] = counts[last]! + counts[i]!
    }
  }
  return last
}

function cut({ level, mins, maxs, counts }: Cells, size: number): Cells {
  if (size === mins.length) return { level, mins, maxs, counts }
  return {
    level,
    mins: mins.slice(0, size),
    maxs: maxs.slice(0, size),
    counts: counts.slice(0, size),
  }
}

/** In order of keys −0 stands ahead of 0. */
function isBelow(x: number, y: number): boolean {
  return x < y || (x === 0 && y === 0 && 1 / x < 1 / y)
}

/** The halves of doubles, lower ones first. */
function wordsOf(values: Float64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, 2 * values.length)
}

/** The lowest level at which two of some values share a cell. */
function splitBetween(words: Int32Array, i: number, j: number): number {
  const high = words[2 * i + 1]! ^ words[2 * j + 1]!
  // Between values of one sign the difference of keys is that of bits; signs differ in the highest.
  return high === 0 ? 32 - Math.clz32(words[2 * i]! ^ words[2 * j]!) : 64 - Math.clz32(high)
}

const pair = new Float64Array(2)
const pairWords = wordsOf(pair)

/** The lowest level at which two values share a cell. */
export function splitLevel(x: number, y: number): number {
  pair[0] = x
  pair[1] = y
  return splitBetween(pairWords, 0, 1)
}
