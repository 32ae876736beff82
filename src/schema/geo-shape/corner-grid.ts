/** Corners by the cells of a grid over the box around them, so that those in a small box are found soon. */

/** Corners that are looked at one by one instead. */
const FEW = 48

/** A grid over corners that stand still. */
export class CornerGrid {
  readonly #west: number
  readonly #south: number
  readonly #width: number
  readonly #height: number
  readonly #side: number
  /** Where each cell's corners start among `#items`. */
  readonly #starts: Int32Array
  readonly #items: Int32Array

  constructor(xs: Int32Array, ys: Int32Array) {
    const count = xs.length
    let [west, east] = [2147483647, -2147483648]
    let [south, north] = [2147483647, -2147483648]
    for (let i = 0; i < count; i++) {
      west = Math.min(west, xs[i]!)
      east = Math.max(east, xs[i]!)
      south = Math.min(south, ys[i]!)
      north = Math.max(north, ys[i]!)
    }
    this.#west = west
    this.#south = south
    this.#side = count <= FEW ? 1 : Math.min(1024, Math.ceil(Math.sqrt(count / 2)))
    this.#width = (east - west + 1) / this.#side
    this.#height = (north - south + 1) / this.#side
    const cells = this.#side * this.#side
    this.#starts = new Int32Array(cells + 1)
    this.#items = new Int32Array(count)
    const cellOf = (i: number): number => this.#row(ys[i]!) * this.#side + this.#column(xs[i]!)
    for (let i = 0; i < count; i++) this.#starts[cellOf(i) + 1]!++
    for (let cell = 0; cell < cells; cell++)
      this.#starts[cell + 1] = this.#starts[cell + 1]! + this.#starts[cell]!
    const at = this.#starts.slice()
    for (let i = 0; i < count; i++) this.#items[at[cellOf(i)]!++] = i
  }

  /**
   * Whether a corner of the cells that a box touches passes a test.
   * @param spend is told of steps, and may throw
   */
  some(
    west: number,
    south: number,
    east: number,
    north: number,
    test: (corner: number) => boolean,
    spend: (steps: number) => void,
  ): boolean {
    const first = this.#column(west)
    const last = this.#column(east)
    const top = this.#row(north)
    for (let row = this.#row(south); row <= top; row++) {
      // Cells of a row stand together.
      const start = this.#starts[row * this.#side + first]!
      const end = this.#starts[row * this.#side + last + 1]!
      spend(1 + end - start)
      for (let at = start; at < end; at++) if (test(this.#items[at]!)) return true
    }
    return false
  }

  #column(x: number): number {
    return Math.min(this.#side - 1, Math.floor((x - this.#west) / this.#width))
  }

  #row(y: number): number {
    return Math.min(this.#side - 1, Math.floor((y - this.#south) / this.#height))
  }
}
