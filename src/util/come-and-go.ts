/**
 * Things that come and go all the time, in the order in which they came. A `Map` or `Set` is no place for them:
 * each time that V8 replaces its table the old one keeps a reference to the new one, and once an old table lies
 * among long-lived objects, all tables behind it with all that they hold outlive every minor collection.
 */
export class ComeAndGo<T> implements Iterable<T> {
  readonly #ends: Place<T>

  constructor() {
    const ends = { value: null, before: null, after: null } as unknown as Place<T>
    ends.before = ends
    ends.after = ends
    this.#ends = ends
  }

  /** Adds one; the function that is returned takes it away, once. */
  add(value: T): () => void {
    const ends = this.#ends
    const before = ends.before!
    const place: Place<T> = { value, before, after: ends }
    before.after = place
    ends.before = place
    return () => takeAway(place)
  }

  /** In their order; those that come or go meanwhile may be met or not. */
  *[Symbol.iterator](): Generator<T> {
    const all: T[] = []
    for (let at = this.#ends.after!; at !== this.#ends; at = at.after!) all.push(at.value)
    yield* all
  }
}

interface Place<T> {
  readonly value: T
  /** Null once it is taken away: it would keep its neighbours alive. */
  before: Place<T> | null
  after: Place<T> | null
}

function takeAway<T>(place: Place<T>): void {
  const { before, after } = place
  if (before === null || after === null) return
  before.after = after
  after.before = before
  place.before = null
  place.after = null
}
