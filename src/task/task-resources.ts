/** Use of threads by a task. */
export interface TaskResources {
  /** Executions: runs of a thread for the task. */
  readonly count: number
  /** Those under way. */
  readonly active: number
  /** Processor time of all of them, and of single ones, nanoseconds. */
  readonly totalInNanos: number
  readonly minInNanos: number
  readonly maxInNanos: number
}

/** Counts executions. */
export class ResourceTally {
  #active = 0
  #count = 0
  #total = 0
  #min = Number.POSITIVE_INFINITY
  #max = 0

  /** A thread begins to run for the task. */
  begin(): void {
    this.#active++
    this.#count++
  }

  /** It has ended; the processor time is 0 where the thread died. */
  end(cpuInNanos: number): void {
    this.#active--
    this.#total += cpuInNanos
    this.#min = Math.min(this.#min, cpuInNanos)
    this.#max = Math.max(this.#max, cpuInNanos)
  }

  /**
   * The sums, with an execution beside those that were counted.
   * @param cpuInNanos of it  @param isActive whether it is under way
   */
  with(cpuInNanos: number, isActive: boolean): TaskResources {
    return {
      count: this.#count + 1,
      active: this.#active + (isActive ? 1 : 0),
      totalInNanos: Math.round(this.#total + cpuInNanos),
      minInNanos: Math.round(Math.min(this.#min, cpuInNanos)),
      maxInNanos: Math.round(Math.max(this.#max, cpuInNanos)),
    }
  }
}
