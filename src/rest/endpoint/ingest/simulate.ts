/** Pipelines tried out. */
import type { PipelinesApi } from '../../../engine/api/pipelines.ts'
import { EngineError } from '../../../util/errors.ts'
import {
  type JsonMap,
  type JsonRecord,
  type JsonValue,
  RawJson,
} from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { wholeError } from '../../error-body.ts'
import { flag } from '../../params.ts'

type Simulated = Awaited<ReturnType<PipelinesApi['simulate']>>[number]
type Step = Extract<Simulated, { kind: 'verbose' }>['steps'][number]
type Shown = Extract<Simulated, { kind: 'document' }>['document']

/** `GET|POST /_ingest/pipeline[/{id}]/_simulate`. */
export const simulatePipeline: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_ingest/pipeline/_simulate'],
    ['POST', '/_ingest/pipeline/_simulate'],
    ['GET', '/_ingest/pipeline/{id}/_simulate'],
    ['POST', '/_ingest/pipeline/{id}/_simulate'],
  ],
  action: 'cluster:admin/ingest/pipeline/simulate',
  params: { verbose: flag },
  body: 'json-required',
  async handle({ engine, params, part, body, hasErrorTrace, context }): Promise<Answer> {
    const id = part('id')
    const results = await engine.pipelines.simulate(
      { id: id === '' ? null : id, body: body!, isVerbose: params.verbose ?? false },
      context,
    )
    return { json: { docs: results.map(result => printResult(result, hasErrorTrace)) } }
  },
})

function printResult(result: Simulated, hasTrace: boolean): JsonValue {
  switch (result.kind) {
    case 'document':
      return { doc: printDocument(result.document) }
    case 'dropped':
      return null
    case 'failed':
      return { error: wholeError(new EngineError(result.error), hasTrace) }
    case 'verbose':
      return { processor_results: result.steps.map(step => printStep(step, hasTrace)) }
  }
}

function printDocument({ metadata, source, ingest }: Shown): JsonMap {
  return new Map<string, JsonValue>([
    ...metadata,
    ['_source', new RawJson(source)],
    ['_ingest', new RawJson(ingest)],
  ])
}

function printStep(step: Step, hasTrace: boolean): JsonRecord {
  const error = step.error === null ? undefined : wholeError(new EngineError(step.error), hasTrace)
  const isIgnored = step.status === 'error_ignored'
  return {
    processor_type: step.type,
    status: step.status,
    description: step.description ?? undefined,
    tag: step.tag ?? undefined,
    if:
      step.condition === null
        ? undefined
        : { condition: step.condition.source, result: step.condition.result },
    ignored_error: isIgnored && error !== undefined ? { error } : undefined,
    error: isIgnored ? undefined : error,
    doc: step.document === null ? undefined : printDocument(step.document),
  }
}
