import type { LaneAnswer } from '../pool/lane.ts'
import { readValue } from '../script/value/read-value.ts'
import type { ScriptMap } from '../script/value/script-value.ts'
import { assert } from '../util/assert.ts'
import { IllegalArgumentError, toErrorRecord } from '../util/errors.ts'
import { painlessScripts } from './painless-scripts.ts'
import type {
  PipelineRequest,
  PipelineScripts,
  PutPipelinesRequest,
  RunAnswer,
  RunRequest,
  SimulateAnswer,
  SimulateRequest,
} from './pipeline-messages.ts'
import { parsePipeline } from './pipeline-parser.ts'
import type { Pipeline } from './processor.ts'
import { runDocuments } from './run-documents.ts'
import { runRewrites } from './run-rewrites.ts'
import { runUpdate } from './run-updates.ts'
import type { RunWatch } from './runner.ts'
import type { ScriptCompiler } from './script-compiler.ts'
import { simulateOne } from './simulate.ts'
import { DOCUMENT_WORD, interrupted, MATCH_WORD, TICK_WORD } from './watched-request.ts'

/** The pipelines of a generation, each read when it is first asked for. */
interface Generation {
  readonly number: number
  readonly definitions: ReadonlyMap<string, Uint8Array>
  readonly pipelines: Map<string, Pipeline>
  readonly of: PipelineScripts
  readonly scripts: ScriptCompiler
}

let current: Generation | null = null

/** Entry of the thread of pipelines: it may be ended at any time, as it holds nothing of its own. */
export default async function pipelineWorker(request: PipelineRequest): Promise<LaneAnswer> {
  try {
    return { kind: 'done', value: answer(request) }
  } catch (error) {
    return { kind: 'failed', error: toErrorRecord(error) }
  }
}

function answer(request: PipelineRequest): unknown {
  switch (request.kind) {
    case 'putPipelines':
      return putPipelines(request)
    case 'run':
      return run(request)
    case 'simulate':
      return simulate(request)
    case 'update':
      return runUpdate(request)
    case 'rewrite':
      return runRewrites(request)
  }
}

function putPipelines({ generation, definitions, scripts }: PutPipelinesRequest): void {
  const before = current !== null && isEqual(current.of, scripts) ? current : null
  const pipelines = new Map<string, Pipeline>()
  // Unchanged definitions keep their parsed pipelines.
  for (const [id, definition] of definitions) {
    const known = before?.pipelines.get(id)
    const old = before?.definitions.get(id)
    if (known !== undefined && old !== undefined && Buffer.compare(old, definition) === 0)
      pipelines.set(id, known)
  }
  current = {
    number: generation,
    definitions,
    pipelines,
    of: scripts,
    scripts: painlessScripts(scripts),
  }
}

function isEqual(a: PipelineScripts, b: PipelineScripts): boolean {
  return (
    a.stored.size === b.stored.size &&
    [...a.stored].every(([id, source]) => b.stored.get(id) === source)
  )
}

function run(request: RunRequest): RunAnswer {
  if (current?.number !== request.generation) return { kind: 'lost' }
  const { enter, watch } = progressOf(request)
  return runDocuments(request, findIn(current), enter, watch)
}

function simulate(request: SimulateRequest): SimulateAnswer {
  if (current?.number !== request.generation) return { kind: 'lost' }
  const { id, definition, documents, isVerbose, timestamp } = request
  const find = findIn(current)
  const pipeline = definition === null ? find(id) : parse(id, definition, current.scripts)
  if (pipeline === null) throw new IllegalArgumentError(`pipeline [${id}] does not exist`)
  const { enter, watch } = progressOf(request)
  const simulation = { pipeline, find, isVerbose, timestamp, watch }
  const results = documents.map((document, i) => {
    enter(i)
    return simulateOne(simulation, document)
  })
  return { kind: 'done', results }
}

function findIn({ definitions, pipelines, scripts }: Generation): (id: string) => Pipeline | null {
  return id => {
    const known = pipelines.get(id)
    if (known !== undefined) return known
    const definition = definitions.get(id)
    if (definition === undefined) return null
    const pipeline = parse(id, definition, scripts)
    pipelines.set(id, pipeline)
    return pipeline
  }
}

function parse(id: string, definition: Uint8Array, scripts: ScriptCompiler): Pipeline {
  const value = readValue(definition)
  assert(value instanceof Map, 'a definition is an object')
  return parsePipeline(id, value as ScriptMap, scripts)
}

/** Writers of the words by which the engine sees that a request goes on. */
function progressOf({
  progress,
  hopeless,
  limits,
}: Pick<RunRequest, 'progress' | 'hopeless' | 'limits'>): {
  readonly enter: (at: number) => void
  readonly watch: RunWatch
} {
  const words = new Int32Array(progress)
  let known: readonly number[] | undefined
  let match = 0
  return {
    enter(at) {
      known = hopeless.get(at)
      match = 0
      Atomics.store(words, DOCUMENT_WORD, at + 1)
    },
    watch: {
      tick() {
        Atomics.add(words, TICK_WORD, 1)
      },
      matches: {
        begin() {
          match++
          if (known?.includes(match)) throw new IllegalArgumentError(interrupted(limits))
          Atomics.store(words, MATCH_WORD, match)
        },
        end() {
          Atomics.store(words, MATCH_WORD, 0)
        },
      },
    },
  }
}
