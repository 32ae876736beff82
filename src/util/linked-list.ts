/**
 * A doubly linked list, for things that come and go all the time. A `Map` or `Set` is no place for them: each
 * time that V8 replaces its table, the old one keeps a reference to the new one, and once an old table lies among
 * long-lived objects, all later tables with all that they hold outlive every minor collection.
 */
export class LinkedList<T> implements Iterable<T> {
  readonly #head: Link<T>

  constructor() {
    const head = { value: null, before: null, after: null } as unknown as Link<T>
    head.before = head
    head.after = head
    this.#head = head
  }

  /** Adds a value at the end; the function that is returned removes it, and does nothing a second time. */
  add(value: T): () => void {
    const head = this.#head
    const before = head.before!
    const link: Link<T> = { value, before, after: head }
    before.after = link
    head.before = link
    return () => remove(link)
  }

  /** The values in their order, as they are when the first is asked for. */
  *[Symbol.iterator](): Generator<T> {
    const all: T[] = []
    for (let at = this.#head.after!; at !== this.#head; at = at.after!) all.push(at.value)
    yield* all
  }
}

interface Link<T> {
  readonly value: T
  /** Null once it is removed: it would keep its neighbours alive. */
  before: Link<T> | null
  after: Link<T> | null
}

function remove<T>(link: Link<T>): void {
  const { before, after } = link
  if (before === null || after === null) return
  before.after = after
  after.before = before
  link.before = null
  link.after = null
}
