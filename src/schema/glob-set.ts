/**
 * Patterns in which `*` stands for any run of characters, walked together over a text that comes in
 * pieces: so that a path can be extended key by key, and a dead end is seen early. A state is the
 * set of places that the patterns may stand at; steps cost at most the patterns' length each.
 */
export type GlobState = ReadonlySet<number>

/** Patterns with wildcards, asked for many names. */
export class GlobSet {
  /** All patterns behind one another, each followed by a 0 character as its end. */
  readonly #text: string
  /** Where nothing has been read yet. */
  readonly start: GlobState

  /** @param patterns none of which holds a 0 character; one that does never matches */
  constructor(patterns: readonly string[]) {
    const usable = patterns.filter(pattern => !pattern.includes('\0'))
    this.#text = usable.map(pattern => `${pattern}\0`).join('')
    const places = new Set<number>()
    let at = 0
    for (const pattern of usable) {
      this.#add(places, at)
      at += pattern.length + 1
    }
    this.start = places
  }

  /** Whether there are no patterns. */
  get isEmpty(): boolean {
    return this.#text === ''
  }

  step(state: GlobState, piece: string): GlobState {
    let current: GlobState = state
    for (let i = 0; i < piece.length && current.size > 0; i++) {
      const next = new Set<number>()
      for (const place of current) {
        const sign = this.#text[place]
        if (sign === '*') this.#add(next, place)
        else if (sign === piece[i]) this.#add(next, place + 1)
      }
      current = next
    }
    return current
  }

  /** Whether some pattern matches what was read. */
  accepts(state: GlobState): boolean {
    for (const place of state) if (this.#text[place] === '\0') return true
    return false
  }

  /** A star may stand for nothing: what follows it is reached too. */
  #add(places: Set<number>, from: number): void {
    let place = from
    while (!places.has(place)) {
      places.add(place)
      if (this.#text[place] !== '*') return
      place++
    }
  }
}
