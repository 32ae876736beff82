/** The endpoints of pipelines that the metadata keeps, of either kind. */

import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { ShownPipeline } from '../../engine/api/pipelines.ts'
import type { Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TURN_PARAMS,
} from '../endpoint.ts'
import { list } from '../params.ts'

/** Calls on pipelines of a kind. */
interface StoredPipelines {
  put(id: string, body: JsonNode, context: CallContext): Promise<void>
  show(ids: readonly string[]): readonly ShownPipeline[]
  delete(id: string, context: CallContext): Promise<void>
}

/** A kind of pipelines, as its endpoints name it. */
export interface PipelineKind {
  /** `/_ingest/pipeline`. */
  readonly path: string
  readonly actions: Readonly<Record<'put' | 'get' | 'delete', Action>>
  of(engine: EngineApi): StoredPipelines
}

/** `PUT ⟨path⟩/{id}`, `GET ⟨path⟩[/{id}]`, `DELETE ⟨path⟩/{id}`. */
export function pipelineEndpoints({ path, actions, of }: PipelineKind): readonly Endpoint[] {
  return [
    defineEndpoint({
      routes: [['PUT', `${path}/{id}`]],
      action: actions.put,
      params: MASTER_PARAMS,
      body: 'json-required',
      async handle({ engine, part, body, context }): Promise<Answer> {
        await of(engine).put(part('id'), body!, context)
        return { json: { acknowledged: true } }
      },
    }),
    defineEndpoint({
      routes: [
        ['GET', path],
        ['GET', `${path}/{id}`],
      ],
      action: actions.get,
      params: TURN_PARAMS,
      body: 'none',
      handle({ engine, part }): Answer {
        const ids = list(part('id'))
        const shown = of(engine).show(ids)
        return {
          status: shown.length === 0 && ids.length > 0 ? 404 : 200,
          json: new Map(shown.map(({ id, definition }) => [id, definition])),
        }
      },
    }),
    defineEndpoint({
      routes: [['DELETE', `${path}/{id}`]],
      action: actions.delete,
      params: MASTER_PARAMS,
      body: 'none',
      async handle({ engine, part, context }): Promise<Answer> {
        await of(engine).delete(part('id'), context)
        return { json: { acknowledged: true } }
      },
    }),
  ]
}
