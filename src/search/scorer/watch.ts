/** Thrown out of the depth of a slice that is to stop; `searchSlice` catches it, nobody else. */
export class SliceStopped extends Error {}

/** Steps between two looks: a tenth of a millisecond of the dearest, ten microseconds of most. */
const STEPS_PER_LOOK = 2048

/**
 * What loops that may run long without giving a document spend their steps on, so that a search
 * whose time is up or that is cancelled ends there too. One for a slice.
 */
export class Watch {
  readonly #look: () => void
  #left = STEPS_PER_LOOK

  /** @param look throws `SliceStopped` when the slice shall end */
  constructor(look: () => void) {
    this.#look = look
  }

  /** Some steps are about to be done, or were done; a step is a posting, a block or a term. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left > 0) return
    this.#left = STEPS_PER_LOOK
    this.#look()
  }
}

/** Where there is nothing to stop for. */
export const UNWATCHED: Watch = new Watch(() => undefined)
