/** Processors that the node makes of a search by itself, where a cluster setting enables their factories. */
import type { CallContext } from '../../../task/call-context.ts'
import type { SearchCall } from '../../api/searches.ts'
import type { Node } from '../../node/node.ts'
import type { MmrChoice } from '../mmr/mmr-choice.ts'
import type { SearchRequest } from '../search-request.ts'
import type { ResponseHits } from './response-hits.ts'

/** A search whose processors are made. */
export interface SystemRun {
  readonly node: Node
  readonly request: SearchRequest
  readonly context: CallContext
  /** State that the processor of the request leaves for that of the response; null: it has not run. */
  mmr: MmrChoice | null
}

/** Makes processors of one type. */
export interface SystemFactory<Value> {
  /** As the setting names it. */
  readonly name: string
  /** Of its processors. */
  readonly type: string
  /** Whether a search gets one. */
  isFor(request: SearchRequest): boolean
  /** What the processor does. @throws {EngineError} */
  run(value: Value, run: SystemRun): Value | Promise<Value>
}

/** Makes another search, behind the processors that pipelines name. */
export type SystemRequestFactory = SystemFactory<SearchCall>

/** Makes other hits, ahead of the processors that pipelines name. */
export type SystemResponseFactory = SystemFactory<ResponseHits>
