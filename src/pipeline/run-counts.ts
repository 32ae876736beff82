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

  /** The counts of a pipeline, and of its processors with what handled their failures. */
  of({ id, processors }: Pipeline): PipelineCounts {
    let counts = this.pipelines.get(id)
    if (counts === undefined) {
      counts = { ...NOTHING, processors: processors.map(() => ({ ...NOTHING })) }
      this.pipelines.set(id, counts)
    }
    return counts
  }
}

const NOTHING: RunCount = { count: 0, millis: 0, failed: 0 }

/** Counts a run. */
export function countRun(count: RunCount, millis: number, hasFailed: boolean): void {
  count.count++
  count.millis += millis
  if (hasFailed) count.failed++
}
