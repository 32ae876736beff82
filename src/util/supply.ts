/** A pool of items; takers wait in FIFO order while it is empty. */
export class Supply<Item> {
  readonly #items: Item[]
  readonly #waiting: ((item: Item) => void)[] = []

  constructor(items: Item[]) {
    this.#items = items
  }

  async take(): Promise<Item> {
    const item = this.#items.shift()
    if (item !== undefined) return item
    return await new Promise(resolve => this.#waiting.push(resolve))
  }

  give(item: Item): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#items.push(item)
    else next(item)
  }
}
