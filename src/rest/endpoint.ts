/** An endpoint: its routes, its parameters, its kind of body, and its handler. */

import type { EngineApi } from '../engine/api/engine-api.ts'
import type { ActiveShards, RefreshPolicy, ShardCounts, Target } from '../engine/api/target.ts'
import type { Services } from '../service/services.ts'
import type { Action } from '../task/actions.ts'
import type { CallContext } from '../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../util/json/json-tree.ts'
import type { JsonRecord, JsonValue } from '../util/json/json-value.ts'
import type { BodyFormat } from './format/body-format.ts'
import { takes } from './param-form.ts'
import {
  flag,
  list,
  millis,
  type ParamReader,
  type ParamTable,
  type ParamValues,
} from './params.ts'
import type { RestUsage } from './rest-usage.ts'

/** The methods that endpoints can have. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A method and a path whose parts stand in braces: `/{index}/_doc/{id}`. */
export type Route = readonly [method: Method, path: string]

/** One request, read and checked as far as the endpoint's tables go. */
export interface Call<T extends ParamTable> {
  readonly engine: EngineApi
  readonly services: Services
  readonly method: Method
  /** Decoded, without the query string; for errors. */
  readonly path: string
  readonly params: ParamValues<T>
  /** A part of the path, decoded; '' when the route has none of that name. */
  part(name: string): string
  /** The body as a tree; null without one, or when the endpoint takes bytes. */
  readonly body: JsonNode | null
  /** The body as it came; empty without one. */
  readonly bytes: Uint8Array
  readonly human: boolean
  /** The format of bodies that was asked for; null: none, or plain text. */
  readonly format: BodyFormat | null
  /** `error_trace`: errors inside the answer carry their stack traces; the envelope's does anyway. */
  readonly hasErrorTrace: boolean
  /** Where the server listens, `host:port`; null for requests without a socket. */
  readonly httpAddress: string | null
  /** Connections of the server. */
  readonly connections: Readonly<ConnectionCounts>
  readonly refusals: Readonly<RefusalCounts>
  /** Requests by endpoint since the start, this one among them. */
  readonly usage: Pick<RestUsage, 'since' | 'counts'>
  /** For every call of the engine that the request makes. */
  readonly context: CallContext
}

/** Connections of a server: open now, and all since the start. */
export interface ConnectionCounts {
  open: number
  opened: number
}

/** Requests of a server that were refused before they were read, since the start. */
export interface RefusalCounts {
  /** By the class of the request, those that would have been answered too late. */
  search: number
  write: number
  other: number
  /** Those for which no connection was left. */
  surplus: number
}

/** The answer of an endpoint, in one of three forms; `response.ts` makes bytes of it. */
export type Answer = {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly warnings?: readonly string[]
} & (
  | { readonly json: JsonValue }
  /** Plain text in UTF-8. */
  | { readonly text: string }
  /** Bytes of a media type. */
  | { readonly bytes: Uint8Array; readonly type: string }
)

/**
 * - none: a body is refused
 * - json: read as a tree; may be absent
 * - json-alone: the same, and what stands behind the object is named
 * - json-unread: handed on unread; may be absent
 * - json-required: refused when absent
 * - bytes: a document in JSON, handed on unread; refused when absent
 * - lines: lines of JSON, handed on unread; refused when absent
 */
export type BodyKind =
  | 'none'
  | 'json'
  | 'json-alone'
  | 'json-unread'
  | 'json-required'
  | 'bytes'
  | 'lines'

interface EndpointSpec<T extends ParamTable> {
  readonly routes: readonly Route[]
  /** The action of the request's task; the table of actions says whether it can be cancelled. */
  readonly action: Action
  readonly params: T
  readonly body: BodyKind
  handle(call: Call<T>): Answer | Promise<Answer>
}

/** An endpoint as the dispatcher sees it, whatever parameters it takes. */
export type Endpoint = EndpointSpec<ParamTable>

/** Ties an endpoint's handler to the types of its own parameter table. */
export function defineEndpoint<T extends ParamTable>(spec: EndpointSpec<T>): Endpoint {
  return spec as unknown as Endpoint
}

/** Parameters about which indices are meant. */
export const TARGET_PARAMS: {
  readonly ignore_unavailable: ParamReader<boolean>
  readonly allow_no_indices: ParamReader<boolean>
  readonly expand_wildcards: ParamReader<Expansion>
} = { ignore_unavailable: flag, allow_no_indices: flag, expand_wildcards: expansion }

/** For targets of requests that have no such parameters. */
export const NO_TARGET_PARAMS: ParamValues<typeof TARGET_PARAMS> = {
  ignore_unavailable: undefined,
  allow_no_indices: undefined,
  expand_wildcards: undefined,
}

/** How long a change of metadata may wait for its turn, under both names: `dispatch.ts` reads it into the context. */
export const TURN_PARAMS: {
  readonly master_timeout: ParamReader<number>
  readonly cluster_manager_timeout: ParamReader<number>
} = { master_timeout: millis, cluster_manager_timeout: millis }

/**
 * Of changes of metadata: these, and `timeout`, which is without effect on one node: there is no other one to
 * wait for.
 */
export const MASTER_PARAMS: typeof TURN_PARAMS & { readonly timeout: ParamReader<number> } = {
  ...TURN_PARAMS,
  timeout: millis,
}

/** The indices that wildcards reach. */
export interface Expansion {
  readonly open: boolean
  readonly closed: boolean
  readonly hidden: boolean
}

/**
 * The indices that a request means.
 * @param names the part of the path, a comma list; '' is all
 * @param defaults what holds without parameters: `open`, `open,closed`, `all`
 */
export function targetOf(
  names: string,
  params: ParamValues<typeof TARGET_PARAMS>,
  defaults: string,
  allowNoIndices = true,
): Target {
  const expand = params.expand_wildcards ?? expansion(defaults)
  return {
    names: indexNames(names),
    ignoreUnavailable: params.ignore_unavailable ?? false,
    allowNoIndices: params.allow_no_indices ?? allowNoIndices,
    expandOpen: expand.open,
    expandClosed: expand.closed,
    expandHidden: expand.hidden,
    allowAliases: true,
    allowDataStreams: true,
  }
}

/** The names of a comma list; none at all only where the path has no such part. */
function indexNames(part: string): readonly string[] {
  const names = list(part)
  // Else `DELETE /,` would mean every index.
  if (names.length === 0 && part !== '') {
    throw new EngineError({
      type: 'invalid_index_name_exception',
      reason: `Invalid index name [${part}], must not be empty`,
      extra: { index: part, index_uuid: '_na_' },
    })
  }
  return names
}

/** The indices that `expand_wildcards` reaches. */
export function expansion(value: string): Expansion {
  const result = { open: false, closed: false, hidden: false }
  for (const name of list(value)) {
    if (name === 'none') Object.assign(result, { open: false, closed: false, hidden: false })
    else if (name === 'all') Object.assign(result, { open: true, closed: true, hidden: true })
    else if (name === 'open' || name === 'closed' || name === 'hidden') result[name] = true
    else throw new IllegalArgumentError(`No valid expand wildcard value [${name}]`)
  }
  return result
}

/** The `refresh` of a write. */
export function refreshPolicy(value: string): RefreshPolicy {
  if (value === '' || value === 'true') return 'true'
  if (value === 'false' || value === 'wait_for') return value
  throw new IllegalArgumentError(`Unknown value for refresh: [${value}].`)
}

/** How many copies a write waits for. */
export function activeShards(value: string): ActiveShards {
  if (value === 'all') return value
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new IllegalArgumentError(`cannot parse ActiveShardCount[${value}]`)
}

/** `_shards` without skipped ones. */
export function shardsOf({ total, successful, failed }: ShardCounts): JsonRecord {
  return { total, successful, failed }
}

/**
 * The answer of a step; or, where the request does not wait for it, the id of the task that runs the
 * step: `{"task": "node:number"}`.
 */
export async function answerOrDetach(
  { engine, context }: Pick<Call<ParamTable>, 'engine' | 'context'>,
  waits: boolean,
  step: (context: CallContext) => Promise<JsonValue>,
): Promise<JsonValue> {
  return waits ? await step(context) : { task: engine.tasks.detach(context, step) }
}

/** A body that is an object, with its entries; anything else is refused. */
export function objectBody(body: JsonNode): JsonObjectNode {
  if (body.kind === 'object') return body
  throw new EngineError({
    type: 'parse_exception',
    reason: `request body must be an object, found ${body.kind === 'array' ? 'an array' : `a ${body.kind}`}`,
  })
}

/** The value of a key that must be an object. */
export function objectEntry({ key, value }: JsonEntry): JsonObjectNode {
  if (value.kind === 'object') return value
  throw new EngineError({ type: 'parse_exception', reason: `key [${key}] must be an object` })
}

takes('list of open, closed, hidden, none, all', expansion)
takes('true | false | wait_for', refreshPolicy)
takes('integer, or all', activeShards)
