/** Thrown inside a slice to stop it; only `searchSlice` catches it. */
export class SliceStopped extends Error {}

/** Steps between two checks: 10 µs for most steps, 0.1 ms for the slowest. */
const STEPS_PER_LOOK = 2048

/**
 * Step counter of loops that may run long without returning a document, so that an expired or
 * cancelled search stops there too. One per slice.
 */
export class Watch {
  readonly #look: () => void
  #left = STEPS_PER_LOOK

  /** @param look throws `SliceStopped` when the slice must stop */
  constructor(look: () => void) {
    this.#look = look
  }

  /** Counts steps before or after they are done; a step is a posting, a block or a term. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left > 0) return
    this.#left = STEPS_PER_LOOK
    this.#look()
  }
}

/** Never stops. */
export const UNWATCHED: Watch = new Watch(() => undefined)
