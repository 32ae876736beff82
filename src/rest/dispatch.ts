/**
 * From a request record to a response record: routing, parameters, body, the handler, and the bytes
 * of what it answers. Knows nothing of sockets; `http-server.ts` and the library's `request()` both
 * stand on it, so both give the same bytes.
 */

import type { EngineApi } from '../engine/api/engine-api.ts'
import type { Charge } from '../engine/api/memory-charge.ts'
import { parsingError, tokenName } from '../engine/dsl/parse-error.ts'
import type { RequestHead } from '../service/security/security-service.ts'
import type { Services } from '../service/services.ts'
import { type AbortSource, linkAbort } from '../task/abort-link.ts'
import { type Asker, checkAccess, notPermitted, TRUSTED_ASKER } from '../task/access.ts'
import { endsWithClient, scopeOf } from '../task/actions.ts'
import type { CallContext } from '../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { fairTurn } from '../util/fair-turn.ts'
import { type JsonNode, parseJsonTree, parseSoleTree } from '../util/json/json-tree.ts'
import { type AdmissionClass, admissionClass } from './admission-class.ts'
import type { Answer, ConnectionCounts, Endpoint, Method, RefusalCounts } from './endpoint.ts'
import { type BodyFormat, formatAsked, formatOfType } from './format/body-format.ts'
import { bodyAsJson, loadTranscoder } from './format/formats.ts'
import type { Transcoder } from './format/transcoder.ts'
import { refusalOf } from './login-refusal.ts'
import {
  COMMON_PARAMS,
  flag,
  isSet,
  millis,
  type ParamTable,
  type ParamValues,
  parseQuery,
  readParams,
} from './params.ts'
import { errorResponse, opaqueIdOf, type RestResponse, respond } from './response.ts'
import { RestUsage } from './rest-usage.ts'
import { type FoundRoute, Routes } from './routes.ts'

/** Lines of JSON, for endpoints that read a body as it comes. */
const LINES_BODY = /^application\/(vnd\.opensearch\+)?x-ndjson\s*(;.*)?$/i

/** The parameter that asks whether a request may be made. */
const PERMISSION_CHECK = 'perform_permission_check'

/** How long a change of metadata may wait for its turn unless its request says, in milliseconds. */
const USUAL_CHANGE_TIMEOUT = 30_000

/** A request, from a socket or from the library. */
export interface RestRequest {
  readonly method: string
  /** As it came, still escaped; may carry a query string. */
  readonly path: string
  /** Without `?`; or decoded names and values. */
  readonly query?: string | Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: Uint8Array
  /** Cancels the request, if its action can be. */
  readonly signal?: AbortSource
}

/** A request that an endpoint can be asked with. */
interface ReadRequest {
  readonly path: string
  readonly params: ParamValues<ParamTable>
  readonly parts: ReadonlyMap<string, string>
  readonly body: JsonNode | null
  readonly bytes: Uint8Array
}

/** Options of a dispatcher. */
export interface DispatchOptions {
  readonly maxContentLength: number
  /** Told of errors that are defects of ours, which the response only names. */
  readonly onDefect?: (error: unknown) => void
}

/** Answers requests from one engine. */
export class Dispatcher {
  /** Where the server listens, set by it; null without one. */
  httpAddress: string | null = null
  /** Connections of the server, counted by it. */
  readonly connections: ConnectionCounts = { open: 0, opened: 0 }
  /** Requests that the server has refused, counted by it. */
  readonly refusals: RefusalCounts = { search: 0, write: 0, other: 0, surplus: 0 }
  readonly #usage = new RestUsage()
  readonly #engine: EngineApi
  readonly #services: Services
  readonly #options: DispatchOptions
  readonly #routes = new Routes()

  constructor(engine: EngineApi, services: Services, options: DispatchOptions) {
    this.#engine = engine
    this.#services = services
    this.#options = options
  }

  /** Whether whoever sends requests over a socket is asked for a user. */
  get asksForUsers(): boolean {
    return this.#services.security.isOn
  }

  /**
   * The text of a file in the node's configuration folder.
   * @throws {IllegalArgumentError} there is none, or it lies outside
   */
  configText(path: string): string {
    return this.#engine.cluster.configFile(path).join('\n')
  }

  /** Reservation for the body of a request while it is read and answered; nothing yet. */
  openBody(): Charge {
    return this.#engine.memory.openBody()
  }

  /** How a request is admitted, before it is read: by its method, and its path and query as they came. */
  admissionClass(method: string, target: string): AdmissionClass {
    const at = target.indexOf('?')
    const path = at < 0 ? target : target.slice(0, at)
    return admissionClass(this.#routes.find(method, path)?.endpoint?.action ?? null, target)
  }

  /**
   * The sender of a request over a socket, told by its headers alone; or the response that refuses it.
   * At once where the sender was known before.
   */
  admit(
    method: string,
    head: RequestHead,
  ):
    | Asker
    | { readonly refusal: RestResponse }
    | Promise<Asker | { readonly refusal: RestResponse }> {
    const { headers } = head
    const found = this.#services.security.admit(head)
    if (!(found instanceof Promise))
      return typeof found === 'string' ? { refusal: refusalOf(found, { method, headers }) } : found
    return found.then(asker =>
      typeof asker === 'string' ? { refusal: refusalOf(asker, { method, headers }) } : asker,
    )
  }

  /**
   * Answers a request; never rejects: every failure is a response.
   * @param asker who sends it; by default the program that embeds the engine
   */
  async dispatch(request: RestRequest, asker: Asker = TRUSTED_ASKER): Promise<RestResponse> {
    const response = await this.#dispatch(request, asker)
    // Afterwards, so that requests begin in the order in which they came.
    await fairTurn()
    return response
  }

  async #dispatch(request: RestRequest, asker: Asker): Promise<RestResponse> {
    const given = new Map<string, string>()
    let format: Transcoder | null = null
    try {
      readQuery(request, given)
      const name = responseFormat(request, given)
      // JSON waits for nothing: requests begin in the order in which they came.
      if (name !== null && name !== 'json') format = await loadTranscoder(name)
      const answer = await this.#answer(request, given, asker)
      return respond(request, answer, given, format)
    } catch (error) {
      if (!(error instanceof EngineError)) this.#options.onDefect?.(error)
      return errorResponse(request, error, given, format)
    }
  }

  async #answer(request: RestRequest, given: Map<string, string>, asker: Asker): Promise<Answer> {
    const at = request.path.indexOf('?')
    const rawPath = at < 0 ? request.path : request.path.slice(0, at)
    const path = decodePath(rawPath)
    const route = this.#routes.find(request.method, rawPath)
    if (route === null) return noRoute(request, rawPath, this.#routes.allowed(rawPath))
    const { endpoint } = route
    checkCommon(given)
    if (endpoint === null) {
      // Of a whole family of endpoints the one that was asked for.
      const name = route.path.endsWith('*') ? path : route.path
      throw new IllegalArgumentError(`[${name}] is not supported yet`)
    }
    this.#usage.note(endpoint, request.method, route.path)
    let { bytes, type } = this.#body(request, given, endpoint)
    if (bytes.length > 0) {
      const isLines = endpoint.body === 'lines'
      const format = formatOfType(type)
      if (format === null && !(isLines && LINES_BODY.test(type))) return wrongType(type)
      if (isLines && format !== null && format !== 'json') return noStream(type)
      if (endpoint.body === 'none') {
        throw new IllegalArgumentError(
          `request [${request.method} ${path}] does not support having a body`,
        )
      }
      if (format !== null && format !== 'json') bytes = await bodyAsJson(bytes, format)
    }
    const parts = takeParts(route, given)
    const isCheck = this.#takeCheck(given)
    const params = readParams(endpoint.params, given, path)
    const body = readBody(endpoint, bytes)
    const run = (by: Asker): Promise<Answer> =>
      this.#run(request, given, endpoint, by, { path, params, parts, body, bytes })
    return isCheck ? await this.#checked(asker, endpoint, run) : await run(asker)
  }

  /** Takes the parameter that asks whether a request may be made, in place of making it. */
  #takeCheck(given: Map<string, string>): boolean {
    // Where nobody is asked for a user it is no parameter.
    if (!this.asksForUsers) return false
    const isCheck = isSet(given, PERMISSION_CHECK)
    const value = given.get(PERMISSION_CHECK)
    if (value !== undefined) flag(value)
    given.delete(PERMISSION_CHECK)
    // What goes on behind its answer would ask for permissions too late.
    if (isCheck) given.delete('wait_for_completion')
    return isCheck
  }

  /** Whether the caller may make a request, which is not made. */
  async #checked(
    asker: Asker,
    { action }: Endpoint,
    run: (by: Asker) => Promise<Answer>,
  ): Promise<Answer> {
    const missing = await this.#services.security.missingPermission(asker, action, run)
    const missingPrivileges = missing === null ? [] : [missing]
    return { json: { accessAllowed: missing === null, missingPrivileges } }
  }

  async #run(
    request: RestRequest,
    given: Map<string, string>,
    endpoint: Endpoint,
    asker: Asker,
    { path, params, parts, body, bytes }: ReadRequest,
  ): Promise<Answer> {
    const { scope } = admission(endpoint, asker)
    const answer = await this.#inTask(request, endpoint, asker, changeTimeout(given), context =>
      endpoint.handle({
        engine: this.#engine,
        services: this.#services,
        method: request.method as Method,
        path,
        params,
        part: name => parts.get(name) ?? '',
        body,
        bytes,
        human: isSet(given, 'human'),
        format: formatAsked(given, request.headers?.['accept']),
        hasErrorTrace: isSet(given, 'error_trace'),
        httpAddress: this.httpAddress,
        connections: this.connections,
        refusals: this.refusals,
        usage: this.#usage,
        context,
      }),
    )
    // An endpoint that lets its indices be resolved without a look at permissions tells nothing.
    if (!asker.access.hasDecided && scope !== 'caller')
      throw notPermitted(endpoint.action, asker.principal)
    return answer
  }

  /** Handles a request under a task of its own, which ends when the client goes, if it can. */
  #inTask(
    request: RestRequest,
    { action }: Endpoint,
    asker: Asker,
    changeTimeoutInMillis: number,
    handle: (context: CallContext) => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const opaqueId = opaqueIdOf(request)
    const parts = { action, opaqueId, changeTimeoutInMillis, ...asker }
    return this.#engine.tasks.serve(parts, context => {
      const signal = endsWithClient(action) ? request.signal : undefined
      const unlink = linkAbort(signal, context.task)
      const answer = handle(context)
      if (!(answer instanceof Promise)) {
        unlink()
        return answer
      }
      return answer.finally(unlink)
    })
  }

  /** The body, or the `source` parameter that may stand for it in a GET. */
  #body(
    request: RestRequest,
    given: Map<string, string>,
    endpoint: Endpoint,
  ): { bytes: Uint8Array; type: string } {
    const bytes = request.body ?? new Uint8Array()
    if (bytes.length > this.#options.maxContentLength) {
      throw new EngineError({
        type: 'content_too_long_exception',
        reason: `entity content is too long [${bytes.length}] for the configured buffer limit [${this.#options.maxContentLength}]`,
      })
    }
    const type = request.headers?.['content-type'] ?? ''
    const source = given.get('source')
    // Only where a link does no harm: a form that posts to `?source=` would pass the type check.
    if (
      bytes.length > 0 ||
      source === undefined ||
      request.method !== 'GET' ||
      endpoint.body === 'none'
    ) {
      return { bytes, type }
    }
    const sourceType = given.get('source_content_type')
    if (sourceType === undefined) {
      throw new IllegalArgumentError('source and source_content_type parameters are required')
    }
    given.delete('source')
    given.delete('source_content_type')
    return { bytes: Buffer.from(source), type: sourceType }
  }
}

/**
 * Passes a request whose action is allowed or refused ahead of it.
 * @throws {EngineError} 403 `security_exception`
 */
function admission(
  { action }: Pick<Endpoint, 'action'>,
  asker: Asker,
): { readonly scope: ReturnType<typeof scopeOf> } {
  const scope = scopeOf(action)
  if (scope === 'cluster' || scope === 'somewhere') checkAccess(asker, action, [])
  return { scope }
}

/** The parts of the path, and those that a parameter gives because the route has none; the path is before a parameter. */
function takeParts(
  { parts, partNames }: FoundRoute,
  given: Map<string, string>,
): ReadonlyMap<string, string> {
  if (given.size === 0) return parts
  const all = new Map(parts)
  for (const name of partNames) {
    const value = given.get(name)
    if (value !== undefined && !all.has(name)) all.set(name, value)
    given.delete(name)
  }
  return all
}

function readQuery(request: RestRequest, given: Map<string, string>): void {
  const at = request.path.indexOf('?')
  if (at >= 0) addAll(given, parseQuery(request.path.slice(at + 1)))
  if (typeof request.query === 'string') addAll(given, parseQuery(request.query))
  else if (request.query !== undefined) addAll(given, new Map(Object.entries(request.query)))
}

/** How long a change of metadata may wait for its turn; the endpoint's own table has checked the values. */
function changeTimeout(given: ReadonlyMap<string, string>): number {
  if (given.has('cluster_manager_timeout') && given.has('master_timeout'))
    throw new EngineError({
      type: 'parse_exception',
      reason:
        'Please only use one of the request parameters [master_timeout, cluster_manager_timeout].',
    })
  for (const name of ['cluster_manager_timeout', 'master_timeout']) {
    const value = given.get(name)
    const timeout = value === undefined ? Number.NaN : millis(value, name)
    if (!Number.isNaN(timeout)) return timeout < 0 ? Number.POSITIVE_INFINITY : timeout
  }
  return USUAL_CHANGE_TIMEOUT
}

/** The format that is asked for, else that of the request's own body; null: JSON. */
function responseFormat(
  request: RestRequest,
  given: ReadonlyMap<string, string>,
): BodyFormat | null {
  const asked = formatAsked(given, request.headers?.['accept'])
  const type = request.headers?.['content-type']
  return asked ?? (type === undefined ? null : formatOfType(type))
}

/** 406: a body of no type, or one that is not read here. */
function wrongType(type: string): Answer {
  const error =
    type === ''
      ? 'Content-Type header is missing'
      : `Content-Type header [${type}] is not supported`
  return { status: 406, json: { error, status: 406 } }
}

/** 406: a body that has no lines. */
function noStream(type: string): Answer {
  const error = `Content-Type [${type}] does not support stream parsing. Use JSON or NDJSON instead`
  return { status: 406, json: { error, status: 406 } }
}

function noRoute(request: RestRequest, rawPath: string, allowed: readonly string[]): Answer {
  const query = typeof request.query === 'string' && request.query !== '' ? `?${request.query}` : ''
  const uri = request.path + query
  if (allowed.length === 0) {
    const error = `no handler found for uri [${uri}] and method [${request.method}]`
    return { status: 400, json: { error } }
  }
  const error =
    `Incorrect HTTP method for uri [${uri}] and method [${request.method}], ` +
    `allowed: [${allowed.join(', ')}]`
  // OPTIONS asks for just this list.
  const isQuestion = request.method === 'OPTIONS' && rawPath !== ''
  return {
    status: isQuestion ? 200 : 405,
    json: isQuestion ? {} : { error, status: 405 },
    headers: { allow: allowed.join(',') },
  }
}

function readBody(endpoint: Endpoint, bytes: Uint8Array): JsonNode | null {
  if (endpoint.body === 'none' || endpoint.body === 'json-unread') return null
  // Lines of nothing are a bulk's own complaint.
  const isUnread = endpoint.body === 'bytes' || endpoint.body === 'lines'
  const isAbsent = isUnread ? bytes.length === 0 : isBlank(bytes)
  if (isAbsent) {
    if (endpoint.body === 'json' || endpoint.body === 'json-alone') return null
    throw new EngineError({ type: 'parse_exception', reason: 'request body is required' })
  }
  if (isUnread) return null
  return endpoint.body === 'json-alone' ? parseSoleTree(bytes, behindObject) : parseJsonTree(bytes)
}

function behindObject(node: JsonNode): EngineError {
  return parsingError(
    node,
    `Unexpected token [${tokenName(node.kind)}] found after the main object.`,
  )
}

function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x20) return false
  return true
}

function decodePath(rawPath: string): string {
  try {
    return decodeURIComponent(rawPath)
  } catch {
    throw new IllegalArgumentError(`the path has a broken escape: [${rawPath}]`)
  }
}

function checkCommon(given: ReadonlyMap<string, string>): void {
  if (given.size === 0) return
  for (const [name, read] of Object.entries(COMMON_PARAMS)) {
    const value = given.get(name)
    if (value !== undefined) read(value, name)
  }
}

function addAll(to: Map<string, string>, from: ReadonlyMap<string, string>): void {
  for (const [name, value] of from) to.set(name, value)
}
