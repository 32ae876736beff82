/** Counts of search pipelines since the start. */
import type { OperationCount, ProcessorCount } from '../api/operation-count.ts'
import type { FactoryRuns, SystemProcessorStats } from '../api/search-pipelines.ts'

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

  /** The same, with the time in microseconds. */
  shownInMicros(): FactoryRuns {
    const { timeInMillis: _, ...others } = this.shown()
    return { ...others, timeInMicros: Math.floor(1000 * this.#millis) }
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

  /** Those that were counted, by label. */
  shown(): ProcessorCount[] {
    return Array.from(this.#processors, ([label, counts]) => ({
      label,
      type: label,
      ...counts.shown(),
    }))
  }

  /** Drops the counts of processors that the pipeline has no more. */
  retain(labels: ReadonlySet<string>): void {
    for (const label of this.#processors.keys())
      if (!labels.has(label)) this.#processors.delete(label)
  }
}

/** The halves of a pipeline that are counted. */
export type CountedHalf = 'request' | 'response'

/** Counts of a factory: how often it was asked for a processor, and how often it made one. */
interface FactoryCounts {
  readonly evaluations: RunningCount
  readonly generations: RunningCount
}

/** Counts of processors that the node makes by itself, and of their factories, by name. */
export class SystemProcessorCounts {
  readonly #factories = {
    request: new Map<string, FactoryCounts>(),
    response: new Map<string, FactoryCounts>(),
  }
  readonly #processors = { request: new HalfCounts(), response: new HalfCounts() }

  factory(half: CountedHalf, name: string): FactoryCounts {
    const known = this.#factories[half]
    let counts = known.get(name)
    if (counts === undefined) {
      counts = { evaluations: new RunningCount(), generations: new RunningCount() }
      known.set(name, counts)
    }
    return counts
  }

  processor(half: CountedHalf, type: string): RunningCount {
    return this.#processors[half].processor(type)
  }

  /** Those that have run, or were asked, since the start. */
  shown(half: CountedHalf): SystemProcessorStats {
    return {
      processors: this.#processors[half].shown(),
      factories: Array.from(this.#factories[half], ([name, { evaluations, generations }]) => ({
        name,
        evaluations: evaluations.shownInMicros(),
        generations: generations.shownInMicros(),
      })),
    }
  }
}

/** Counts of all pipelines together, and of those that are stored. */
export class SearchPipelineCounts {
  readonly total: Readonly<Record<CountedHalf, RunningCount>> = {
    request: new RunningCount(),
    response: new RunningCount(),
  }
  readonly system: SystemProcessorCounts = new SystemProcessorCounts()
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
