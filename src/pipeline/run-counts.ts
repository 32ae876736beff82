import type { Pipeline } from './processor.ts'

/** How often something ran, for how long and how often it failed. */
export interface RunCount {
  count: number
  millis: number
  failed: number
}

/** Counts of a pipeline and its processors, as they cross from the thread that ran them. */
export interface PipelineCounts extends RunCount {
  /** By index of the processor in the pipeline. */
  readonly processors: RunCount[]
}

/** Counts what runs, by the ids of pipelines. */
export class RunCounts {
  readonly pipelines: Map<string, PipelineCounts> = new Map()

  /** A run of a whole pipeline. */
  pipeline(pipeline: Pipeline, millis: number, hasFailed: boolean): void {
    add(this.#of(pipeline), millis, hasFailed)
  }

  /** A run of one of its processors, with what handled its failure. */
  processor(pipeline: Pipeline, at: number, millis: number, hasFailed: boolean): void {
    add(this.#of(pipeline).processors[at]!, millis, hasFailed)
  }

  #of({ id, processors }: Pipeline): PipelineCounts {
    let counts = this.pipelines.get(id)
    if (counts === undefined) {
      counts = { ...NOTHING, processors: processors.map(() => ({ ...NOTHING })) }
      this.pipelines.set(id, counts)
    }
    return counts
  }
}

const NOTHING: RunCount = { count: 0, millis: 0, failed: 0 }

function add(counts: RunCount, millis: number, hasFailed: boolean): void {
  counts.count++
  counts.millis += millis
  if (hasFailed) counts.failed++
}
