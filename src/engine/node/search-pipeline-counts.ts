/** Counts of search pipelines since the start. */
import type { OperationCount } from '../api/operation-count.ts'

/** Counts of something that runs, while it does. */
export class RunningCount {
  #count = 0
  #millis = 0
  #current = 0
  #failed = 0

  /**
   * Begins a run.
   * @returns ends it
   */
  begin(): (hasFailed: boolean) => void {
    const started = performance.now()
    this.#current++
    return hasFailed => {
      this.#current--
      this.#count++
      this.#millis += performance.now() - started
      if (hasFailed) this.#failed++
    }
  }

  shown(): OperationCount {
    return {
      count: this.#count,
      timeInMillis: Math.floor(this.#millis),
      current: this.#current,
      failed: this.#failed,
    }
  }
}

/** Counts of one half of a pipeline: of its runs, and of its processors by label. */
export class HalfCounts {
  readonly runs: RunningCount = new RunningCount()
  readonly #processors = new Map<string, RunningCount>()

  processor(label: string): RunningCount {
    let counts = this.#processors.get(label)
    if (counts === undefined) {
      counts = new RunningCount()
      this.#processors.set(label, counts)
    }
    return counts
  }

  /** Drops the counts of processors that the pipeline has no more. */
  retain(labels: ReadonlySet<string>): void {
    for (const label of this.#processors.keys())
      if (!labels.has(label)) this.#processors.delete(label)
  }
}

/** The halves of a pipeline that are counted. */
export type CountedHalf = 'request' | 'response'

/** Counts of all pipelines together, and of those that are stored. */
export class SearchPipelineCounts {
  readonly total: Readonly<Record<CountedHalf, RunningCount>> = {
    request: new RunningCount(),
    response: new RunningCount(),
  }
  readonly #pipelines = new Map<string, Readonly<Record<CountedHalf, HalfCounts>>>()

  /** Those of a stored pipeline. */
  of(id: string): Readonly<Record<CountedHalf, HalfCounts>> {
    let counts = this.#pipelines.get(id)
    if (counts === undefined) {
      counts = { request: new HalfCounts(), response: new HalfCounts() }
      this.#pipelines.set(id, counts)
    }
    return counts
  }

  /** Drops the counts of pipelines that are gone. */
  retain(ids: ReadonlyMap<string, unknown>): void {
    for (const id of this.#pipelines.keys()) if (!ids.has(id)) this.#pipelines.delete(id)
  }
}
