/** Finds the cell of a value: open addressing over the bits that the values of a cell share. */
export class CellIndex {
  readonly #level: number
  readonly #mask: number
  /** Cell + 1 by slot; 0: free. */
  readonly #slots: Int32Array
  /** The shared bits in halves, by slot. */
  readonly #highs: Int32Array
  readonly #lows: Int32Array
  #high = 0
  #low = 0

  /**
   * @param level the lowest bits, 0…64 of them, in which values of a cell may differ
   * @param mins  a value of each cell
   */
  constructor(level: number, mins: Float64Array) {
    const size = 2 ** Math.ceil(Math.log2(2 * mins.length + 1))
    this.#level = level
    this.#mask = size - 1
    this.#slots = new Int32Array(size)
    this.#highs = new Int32Array(size)
    this.#lows = new Int32Array(size)
    for (let cell = 0; cell < mins.length; cell++) {
      this.#read(mins[cell]!)
      let slot = this.#firstSlot()
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
      this.#slots[slot] = cell + 1
      this.#highs[slot] = this.#high
      this.#lows[slot] = this.#low
    }
  }

  /** Bytes that an index of so many cells takes, at most. */
  static bytesOf(cells: number): number {
    return 48 * (cells + 1)
  }

  /** The cell of a value; −1: there is none. */
  find(value: number): number {
    this.#read(value)
    for (let slot = this.#firstSlot(); ; slot = (slot + 1) & this.#mask) {
      const cell = this.#slots[slot]! - 1
      if (cell < 0) return -1
      if (this.#highs[slot] === this.#high && this.#lows[slot] === this.#low) return cell
    }
  }

  #read(value: number): void {
    double[0] = value
    const level = this.#level
    this.#high = level < 32 ? words[1]! : level === 64 ? 0 : words[1]! >> (level - 32)
    this.#low = level < 32 ? words[0]! >> level : 0
  }

  #firstSlot(): number {
    const mixed = Math.imul(this.#low, 0x9e3779b1) ^ Math.imul(this.#high, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & this.#mask
  }
}

const double = new Float64Array(1)
/** The halves of the double, the lower one first. */
const words = new Int32Array(double.buffer)
