const SHOWN = '***'

/** A text that is never shown: printing it in any way gives `***`. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The text itself, for the one place that needs it. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return SHOWN
  }

  toJSON(): string {
    return SHOWN
  }

  // As `util.inspect` asks for it.
  get [Symbol.toStringTag](): string {
    return SHOWN
  }
}
