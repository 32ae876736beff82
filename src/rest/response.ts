/** From the answer of an endpoint to the bytes and headers of a response. */
import { encodeUtf8 } from '../util/bytes.ts'
import { filterJson } from '../util/json/filter-path.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { writeJson } from '../util/json/json-writer.ts'
import type { Answer } from './endpoint.ts'
import { errorAnswer } from './error-body.ts'
import { inFormat } from './format/formats.ts'
import type { Transcoder } from './format/transcoder.ts'
import { COMMON_PARAMS, isSet } from './params.ts'
import { VERSION_INFO } from './version.ts'

const JSON_TYPE = 'application/json; charset=UTF-8'
const TEXT_TYPE = 'text/plain; charset=UTF-8'
/** Characters of a client's mark that are kept. */
const OPAQUE_LENGTH = 256

/** An answer with its bytes; the headers state the length and type of the body. */
export interface RestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty for HEAD, whose `content-length` is that of the GET. */
  readonly body: Uint8Array
}

/** The parts of a request that its response depends on. */
export interface Asked {
  readonly method: string
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/**
 * The response to a request.
 * @param given  the request's parameters: `pretty` and `filter_path` lay out JSON
 * @param format null: JSON
 * @throws {EngineError} `content_too_long_exception`: the answer is too long for the format
 */
export function respond(
  request: Asked,
  answer: Answer,
  given: ReadonlyMap<string, string>,
  format: Transcoder | null = null,
): RestResponse {
  const { bytes, type } = contentOf(answer, given, format)
  const headers: Record<string, string> = {
    'content-type': type,
    'content-length': String(bytes.length),
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  }
  const opaque = opaqueIdOf(request)
  if (opaque !== null) headers['x-opaque-id'] = opaque
  if (answer.warnings !== undefined && answer.warnings.length > 0) {
    headers['warning'] = answer.warnings.map(warningText).join(', ')
  }
  const isHead = request.method === 'HEAD'
  return { status: answer.status ?? 200, headers, body: isHead ? new Uint8Array() : bytes }
}

/** An error that no handler threw (a parser's, a limit's) as a response. */
export function errorResponse(
  request: Asked,
  error: unknown,
  given: ReadonlyMap<string, string> = new Map(),
  format: Transcoder | null = null,
): RestResponse {
  const { status, body } = errorAnswer(error, isSet(given, 'error_trace'))
  // `filter_path` is for results: an error is always told whole.
  const layout = new Map([...given].filter(([name]) => name !== 'filter_path'))
  return respond(request, { status, json: body }, layout, format)
}

/** The client's `X-Opaque-Id`, without characters that no header may carry; null without. */
export function opaqueIdOf({ headers }: Asked): string | null {
  const given = headers?.['x-opaque-id']
  return given === undefined ? null : given.replace(/[^\x20-\x7e]/g, '').slice(0, OPAQUE_LENGTH)
}

function contentOf(
  answer: Answer,
  given: ReadonlyMap<string, string>,
  format: Transcoder | null,
): { readonly bytes: Uint8Array; readonly type: string } {
  if ('text' in answer) return { bytes: encodeUtf8(answer.text), type: TEXT_TYPE }
  if ('bytes' in answer) return answer
  const patterns = COMMON_PARAMS.filter_path(given.get('filter_path') ?? '', 'filter_path')
  const value: JsonValue = patterns.length === 0 ? answer.json : filterJson(answer.json, patterns)
  if (format !== null) return { bytes: inFormat(writeJson(value), format), type: format.type }
  return { bytes: writeJson(value, { pretty: isSet(given, 'pretty') }), type: JSON_TYPE }
}

function warningText(text: string): string {
  const clean = text.replace(/[^\x20-\x7e]/g, '?').replace(/(["\\])/g, '\\$1')
  return `299 OpenSearch-${VERSION_INFO.number}-lamella "${clean}"`
}
