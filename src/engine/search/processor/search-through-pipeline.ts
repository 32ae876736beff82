import type { CallContext } from '../../../task/call-context.ts'
import { type ErrorRecord, IllegalArgumentError } from '../../../util/errors.ts'
import { Float32, type JsonRecord } from '../../../util/json/json-value.ts'
import type { SearchCall, SearchOutcome } from '../../api/searches.ts'
import type { Node } from '../../node/node.ts'
import type { CountedHalf } from '../../node/search-pipeline-counts.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import { readSearch } from '../search-call.ts'
import type { SearchRequest } from '../search-request.ts'
import { choosePipeline } from './choose-pipeline.ts'
import { INLINE_ID } from './compiled-pipelines.ts'
import { type ResponseHits, scoreOf } from './response-hits.ts'
import { type HalfRun, runProcessors } from './run-processors.ts'
import type { PipelineRun, SearchPipeline } from './search-processor.ts'
import { shownSource, withOptionsInBody } from './search-source.ts'
import type { SystemRun } from './system-processor.ts'
import {
  runSystemProcessors,
  type SystemProcessors,
  systemProcessors,
} from './system-processors.ts'

const LOGGER = 'org.opensearch.search.pipeline.Pipeline'

/** Runs a search that went through the processors of its request. */
type RunSearch = (
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
) => Promise<SearchOutcome>

/**
 * Runs a search through the pipeline that it asks for, or that its indices name.
 * @throws {EngineError} as `choosePipeline`; the failure of a processor; as the search
 */
export async function searchThroughPipeline(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
  run: RunSearch,
): Promise<SearchOutcome> {
  const pipeline = await node.scripts.whenLoaded(() => choosePipeline(node, call, request, context))
  const isVerbose = call.options.verbosePipeline ?? request.parts.pipeline.isVerbose
  if (pipeline === null && isVerbose)
    throw new IllegalArgumentError(
      "The 'verbose pipeline' option requires a search pipeline to be defined.",
    )
  const system = systemProcessors(node, request)
  if (pipeline === null && system.request.length === 0 && system.response.length === 0)
    return await run(node, call, request, context)
  const notes: JsonRecord[] | null = isVerbose ? [] : null
  const own: PipelineRun = { scripts: node.scripts, attributes: new Map(), maxScore: null }
  const systemRun: SystemRun = { node, request, context, mmr: null }
  const processed = pipeline === null ? call : await processedCall(node, pipeline, call, own, notes)
  const asked = await systemCall(system, processed, systemRun, notes)
  const changed = asked === call ? request : readSearch(asked)
  // Behind the first such processor there are no lists of sub-queries any more.
  const scoring = pipeline?.phaseResults[0]?.step ?? null
  const outcome = await run(node, asked, { ...changed, scoring }, context)
  const chosen = await systemBody(system, outcome.body, systemRun, notes)
  const body = pipeline === null ? chosen : await processedBody(node, pipeline, chosen, own, notes)
  const isNoted = notes !== null && notes.length > 0
  return { ...outcome, body: isNoted ? { ...body, processor_results: notes } : body }
}

/** A search as the processors leave it that the node made for it. */
function systemCall(
  { request }: SystemProcessors,
  call: SearchCall,
  run: SystemRun,
  notes: JsonRecord[] | null,
): SearchCall | Promise<SearchCall> {
  if (request.length === 0) return call
  const noting = { notes, show: shownSource }
  return runSystemProcessors('request', request, withOptionsInBody(call), run, noting)
}

async function systemBody(
  { response }: SystemProcessors,
  body: JsonRecord,
  run: SystemRun,
  notes: JsonRecord[] | null,
): Promise<JsonRecord> {
  const answered = body['hits'] as JsonRecord
  const found = hitsOf(answered)
  if (response.length === 0 || found.length === 0) return body
  const hits = await runSystemProcessors('response', response, found, run, {
    notes,
    show: each => each,
  })
  const best = Math.max(...hits.map(scoreOf))
  return {
    ...body,
    hits: { ...answered, max_score: Number.isNaN(best) ? null : new Float32(best), hits },
  }
}

function hitsOf(answered: JsonRecord): ResponseHits {
  return answered['hits'] as readonly PrintedHit[] as ResponseHits
}

/** A search as the processors of its request leave it. @throws {EngineError} the failure of one */
export async function processedCall(
  node: Node,
  pipeline: SearchPipeline,
  call: SearchCall,
  own: PipelineRun,
  notes: JsonRecord[] | null,
): Promise<SearchCall> {
  if (pipeline.request.length === 0) return call
  return await runProcessors(
    pipeline.request,
    withOptionsInBody(call),
    (step, each) => node.scripts.whenLoaded(() => step(each, own)),
    { ...halfOf(node, pipeline, 'request'), notes, show: shownSource },
  )
}

async function processedBody(
  node: Node,
  pipeline: SearchPipeline,
  body: JsonRecord,
  own: PipelineRun,
  notes: JsonRecord[] | null,
): Promise<JsonRecord> {
  const answered = body['hits'] as JsonRecord
  const hits = await runProcessors(
    pipeline.response,
    hitsOf(answered),
    (step, each) => step(each, own),
    { ...halfOf(node, pipeline, 'response'), notes, show: each => each },
  )
  const { maxScore } = own
  return { ...body, hits: { ...answered, ...(maxScore && { max_score: maxScore }), hits } }
}

/** An error and its causes in a line. */
function causesOf({ type, reason, causedBy }: ErrorRecord): string {
  const text = `${type}: ${reason}`
  return causedBy === undefined ? text : `${text}; caused by ${causesOf(causedBy)}`
}

/** The counts of a half, and the log, which tells of failures that no caller is told of. */
function halfOf(
  node: Node,
  { id }: SearchPipeline,
  half: CountedHalf,
): Pick<HalfRun<unknown>, 'total' | 'counts' | 'onIgnored'> {
  const { searchPipelines, log } = node
  return {
    total: searchPipelines.total[half],
    counts: id === INLINE_ID ? null : searchPipelines.of(id)[half],
    onIgnored(type, { record }) {
      log?.({
        logger: LOGGER,
        level: 'WARN',
        message:
          `The exception from ${half} processor [${type}] in the search pipeline [${id}] was ignored: ` +
          causesOf(record),
      })
    },
  }
}
