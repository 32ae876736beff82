/** The ingest pipelines of a node: their thread, and counts of what went through them. */

import {
  type BatchAnswer,
  type PipelineBatch,
  PipelineLane,
  type PipelineSet,
  type SimulateCall,
} from '../../pipeline/pipeline-lane.ts'
import type { PipelineScripts, SimulatedResult } from '../../pipeline/pipeline-messages.ts'
import type { PipelineCounts, RunCount } from '../../pipeline/run-counts.ts'
import type { PoolUse } from '../../pool/pool-use.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { PipelineDefinitions } from '../metadata/section/pipeline-definitions.ts'

/** Runs pipelines as the metadata has them now. */
export class IngestPipelines {
  readonly #lane: PipelineLane
  readonly #stored: () => PipelineDefinitions
  readonly #scripts: () => PipelineScripts
  #of: PipelineDefinitions | null = null
  #set: PipelineSet | null = null
  #current = 0
  readonly #total: RunCount = { count: 0, millis: 0, failed: 0 }
  readonly #counts = new Map<string, PipelineCounts>()

  /**
   * @param scripts   the same object until one of them changes
   * @param maxMillis that one processor may take
   */
  constructor(
    stored: () => PipelineDefinitions,
    scripts: () => PipelineScripts,
    maxMillis: number,
  ) {
    this.#stored = stored
    this.#scripts = scripts
    this.#lane = new PipelineLane(maxMillis)
  }

  /** Documents since the start: all of them, those under way among them, and those of each pipeline. */
  counts(): {
    readonly total: Readonly<RunCount>
    readonly current: number
    readonly pipelines: ReadonlyMap<string, PipelineCounts>
  } {
    return { total: this.#total, current: this.#current, pipelines: this.#counts }
  }

  /** Runs a batch of documents. */
  async run(batch: PipelineBatch): Promise<BatchAnswer> {
    const documents = batch.metadata.length
    const started = performance.now()
    this.#current += documents
    try {
      const answer = await this.#lane.run(this.#definitions(), batch)
      this.#note(answer)
      return answer
    } finally {
      this.#current -= documents
      this.#total.count += documents
      this.#total.millis += performance.now() - started
    }
  }

  /** The id of their thread; null when there is none. */
  get threadId(): number | null {
    return this.#lane.threadId
  }

  /** Counters of their thread and its requests. */
  threadUse(): PoolUse {
    return this.#lane.use()
  }

  /** Shows the effects of a pipeline; nothing of it is counted. */
  simulate(call: SimulateCall): Promise<readonly SimulatedResult[]> {
    return this.#lane.simulate(this.#definitions(), call)
  }

  close(): Promise<void> {
    return this.#lane.close()
  }

  #definitions(): PipelineSet {
    const stored = this.#stored()
    const scripts = this.#scripts()
    if (this.#set !== null && stored === this.#of && scripts === this.#set.scripts) return this.#set
    this.#of = stored
    for (const id of this.#counts.keys()) if (!stored.has(id)) this.#counts.delete(id)
    this.#set = {
      generation: (this.#set?.generation ?? 0) + 1,
      definitions: new Map(Array.from(stored, ([id, node]) => [id, writeJson(jsonValueOf(node))])),
      scripts,
    }
    return this.#set
  }

  #note({ counts, errors }: BatchAnswer): void {
    this.#total.failed += errors.size
    for (const [id, added] of counts) {
      const known = this.#counts.get(id)
      // A pipeline of other processors begins anew.
      if (known?.processors.length !== added.processors.length) this.#counts.set(id, added)
      else {
        add(known, added)
        for (const [i, processor] of added.processors.entries())
          add(known.processors[i]!, processor)
      }
    }
  }
}

function add(known: RunCount, added: RunCount): void {
  known.count += added.count
  known.millis += added.millis
  known.failed += added.failed
}
