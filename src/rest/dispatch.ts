/**
 * From a request record to a response record: routing, parameters, body, the handler, and the bytes
 * of what it answers. Knows nothing of sockets; `http-server.ts` and the library's `request()` both
 * stand on it, so both give the same bytes.
 */

import type { EngineApi } from '../engine/api/engine-api.ts'
import type { Charge } from '../engine/api/memory-charge.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { fairTurn } from '../util/fair-turn.ts'
import { filterJson } from '../util/json/filter-path.ts'
import { type JsonNode, parseJsonTree } from '../util/json/json-tree.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { writeJson } from '../util/json/json-writer.ts'
import type { Answer, Endpoint, Method } from './endpoint.ts'
import { errorAnswer } from './error-body.ts'
import { COMMON_PARAMS, parseQuery, readParams } from './params.ts'
import { Routes } from './routes.ts'
import { VERSION_INFO } from './version.ts'

const JSON_TYPE = 'application/json; charset=UTF-8'
const JSON_BODY = /^application\/(vnd\.opensearch\+)?json\s*(;.*)?$/i
/** Lines of JSON, for endpoints that read a body as it comes. */
const LINES_BODY = /^application\/(vnd\.opensearch\+)?x-ndjson\s*(;.*)?$/i

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
  /** Cancels a search. */
  readonly signal?: AbortSignal
}

/** Its answer; the headers state the length and type of the body. */
export interface RestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty for HEAD, whose `content-length` is that of the GET. */
  readonly body: Uint8Array
}

/** What a dispatcher is made with. */
export interface DispatchOptions {
  readonly maxContentLength: number
  /** Told of errors that are defects of ours, which the response only names. */
  readonly onDefect?: (error: unknown) => void
}

/** Answers requests from one engine. */
export class Dispatcher {
  /** Where the server listens, set by it; null without one. */
  httpAddress: string | null = null
  readonly #engine: EngineApi
  readonly #options: DispatchOptions
  readonly #routes = new Routes()

  constructor(engine: EngineApi, options: DispatchOptions) {
    this.#engine = engine
    this.#options = options
  }

  /** What the body of a request will hold while it is read and answered; nothing yet. */
  openBody(): Charge {
    return this.#engine.memory.openBody()
  }

  /** Never rejects: every failure is a response. */
  async dispatch(request: RestRequest): Promise<RestResponse> {
    const response = await this.#dispatch(request)
    // Afterwards, so that requests begin in the order in which they came.
    await fairTurn()
    return response
  }

  async #dispatch(request: RestRequest): Promise<RestResponse> {
    const given = new Map<string, string>()
    try {
      const answer = await this.#answer(request, given)
      return respond(request, answer, given)
    } catch (error) {
      if (!(error instanceof EngineError)) this.#options.onDefect?.(error)
      return errorResponse(request, error, given)
    }
  }

  async #answer(request: RestRequest, given: Map<string, string>): Promise<Answer> {
    const at = request.path.indexOf('?')
    const rawPath = at < 0 ? request.path : request.path.slice(0, at)
    if (at >= 0) addAll(given, parseQuery(request.path.slice(at + 1)))
    if (typeof request.query === 'string') addAll(given, parseQuery(request.query))
    else if (request.query !== undefined) addAll(given, new Map(Object.entries(request.query)))

    const path = decodePath(rawPath)
    const route = this.#routes.find(request.method, rawPath)
    if (route === null) return noRoute(request, rawPath, this.#routes.allowed(rawPath))
    const { endpoint, parts } = route
    checkCommon(given)
    const { bytes, type } = this.#body(request, given, endpoint)
    if (bytes.length > 0 && endpoint.takesAnything !== true) {
      const isLines = endpoint.body === 'bytes' && LINES_BODY.test(type)
      if (!isLines && !JSON_BODY.test(type)) return wrongType(type)
      if (endpoint.body === 'none') {
        throw new IllegalArgumentError(
          `request [${request.method} ${path}] does not support having a body`,
        )
      }
    }
    const params = readParams(endpoint.params, endpoint.takesAnything ? new Map() : given, path)
    return await endpoint.handle({
      engine: this.#engine,
      method: request.method as Method,
      path,
      params,
      part: name => parts.get(name) ?? '',
      body: readBody(endpoint, bytes),
      bytes,
      human: isSet(given, 'human'),
      hasErrorTrace: isSet(given, 'error_trace'),
      httpAddress: this.httpAddress,
      signal: request.signal,
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

/** An error that no handler threw (a parser's, a limit's) as a response. */
export function errorResponse(
  request: Pick<RestRequest, 'method' | 'headers'>,
  error: unknown,
  given: ReadonlyMap<string, string> = new Map(),
): RestResponse {
  const { status, body } = errorAnswer(error, isSet(given, 'error_trace'))
  // `filter_path` is for results: an error is always told whole.
  const layout = new Map([...given].filter(([name]) => name !== 'filter_path'))
  return respond(request, { status, body }, layout)
}

function respond(
  request: Pick<RestRequest, 'method' | 'headers'>,
  answer: Answer,
  given: ReadonlyMap<string, string>,
): RestResponse {
  const patterns = COMMON_PARAMS.filter_path(given.get('filter_path') ?? '', 'filter_path')
  const value: JsonValue = patterns.length === 0 ? answer.body : filterJson(answer.body, patterns)
  const body = writeJson(value, { pretty: isSet(given, 'pretty') })
  const headers: Record<string, string> = {
    'content-type': JSON_TYPE,
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  }
  const opaque = request.headers?.['x-opaque-id']
  if (opaque !== undefined)
    headers['x-opaque-id'] = opaque.replace(/[^\x20-\x7e]/g, '').slice(0, 256)
  if (answer.warnings !== undefined && answer.warnings.length > 0) {
    headers['warning'] = answer.warnings.map(warningText).join(', ')
  }
  const isHead = request.method === 'HEAD'
  return { status: answer.status ?? 200, headers, body: isHead ? new Uint8Array() : body }
}

function warningText(text: string): string {
  const clean = text.replace(/[^\x20-\x7e]/g, '?').replace(/(["\\])/g, '\\$1')
  return `299 OpenSearch-${VERSION_INFO.number}-lamella "${clean}"`
}

/** 406: a body of no type, or one that is not read here. */
function wrongType(type: string): Answer {
  const error =
    type === ''
      ? 'Content-Type header is missing'
      : `Content-Type header [${type}] is not supported`
  return { status: 406, body: { error, status: 406 } }
}

function noRoute(request: RestRequest, rawPath: string, allowed: readonly string[]): Answer {
  const query = typeof request.query === 'string' && request.query !== '' ? `?${request.query}` : ''
  const uri = request.path + query
  if (allowed.length === 0) {
    const error = `no handler found for uri [${uri}] and method [${request.method}]`
    return { status: 400, body: { error } }
  }
  const error =
    `Incorrect HTTP method for uri [${uri}] and method [${request.method}], ` +
    `allowed: [${allowed.join(', ')}]`
  // OPTIONS asks for just this list.
  const isQuestion = request.method === 'OPTIONS' && rawPath !== ''
  return {
    status: isQuestion ? 200 : 405,
    body: isQuestion ? {} : { error, status: 405 },
    headers: { allow: allowed.join(',') },
  }
}

function readBody(endpoint: Endpoint, bytes: Uint8Array): JsonNode | null {
  if (endpoint.body === 'none') return null
  // Lines of nothing are a bulk's own complaint.
  const isAbsent = endpoint.body === 'bytes' ? bytes.length === 0 : isBlank(bytes)
  if (isAbsent) {
    if (endpoint.body === 'json') return null
    throw new EngineError({ type: 'parse_exception', reason: 'request body is required' })
  }
  return endpoint.body === 'bytes' ? null : parseJsonTree(bytes)
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

/** A common flag that was given; one with a bad value is refused elsewhere. */
function isSet(given: ReadonlyMap<string, string>, name: string): boolean {
  const value = given.get(name)
  return value === '' || value === 'true'
}

function checkCommon(given: ReadonlyMap<string, string>): void {
  for (const [name, read] of Object.entries(COMMON_PARAMS)) {
    const value = given.get(name)
    if (value !== undefined) read(value, name)
  }
}

function addAll(to: Map<string, string>, from: ReadonlyMap<string, string>): void {
  for (const [name, value] of from) to.set(name, value)
}
