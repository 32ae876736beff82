/** How many deliveries may run at a time: in all, and to one channel. */

/** Slots of deliveries, given first come first served. */
export class DeliverySlots {
  readonly #total: number
  readonly #perRoute: number
  #taken = 0
  readonly #takenByRoute = new Map<string, number>()
  readonly #waiting: { readonly route: string; readonly begin: () => void }[] = []

  /**
   * @param total    of all routes together
   * @param perRoute of each
   */
  constructor(total: number, perRoute: number) {
    this.#total = total
    this.#perRoute = perRoute
  }

  /** Runs a delivery as soon as there is a slot for it. */
  async run<T>(route: string, delivery: () => Promise<T>): Promise<T> {
    if (this.#isFree(route)) this.#take(route)
    else await new Promise<void>(begin => this.#waiting.push({ route, begin }))
    try {
      return await delivery()
    } finally {
      this.#release(route)
    }
  }

  #isFree(route: string): boolean {
    return this.#taken < this.#total && (this.#takenByRoute.get(route) ?? 0) < this.#perRoute
  }

  #take(route: string): void {
    this.#taken++
    this.#takenByRoute.set(route, (this.#takenByRoute.get(route) ?? 0) + 1)
  }

  #release(route: string): void {
    this.#taken--
    const left = (this.#takenByRoute.get(route) ?? 1) - 1
    if (left === 0) this.#takenByRoute.delete(route)
    else this.#takenByRoute.set(route, left)
    // One whose route is full lets others pass.
    const next = this.#waiting.findIndex(waiting => this.#isFree(waiting.route))
    if (next < 0) return
    const [waiting] = this.#waiting.splice(next, 1)
    if (waiting === undefined) return
    this.#take(waiting.route)
    waiting.begin()
  }
}
