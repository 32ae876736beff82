import { expect } from 'vitest'
import type { EngineApi, EngineOptions } from '../../src/engine/api/engine-api.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { cbor } from '../../src/rest/format/cbor.ts'
import { yaml } from '../../src/rest/format/yaml.ts'
import type { RestResponse } from '../../src/rest/response.ts'
import { openServices, type Services } from '../../src/service/services.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { engineWith } from './engine-calls.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

/** An answer of the API, its body read as a client would. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: Json
}

/** An engine behind the API, without a socket. */
export interface Rest {
  readonly engine: EngineApi
  readonly dispatcher: Dispatcher
  readonly services: Services
  /**
   * Sends `'GET /books/_search?size=1'`; an object goes as JSON, text and bytes as they stand. A
   * body has the type JSON unless the headers say otherwise.
   */
  call(
    line: string,
    body?: object | string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<Answered>
  close(): Promise<void>
}

/** Opens an engine, in memory unless a folder is given, with the API over it. */
export async function openRest(
  settings: Record<string, string> = {},
  folder: string | null = null,
  disk: Pick<EngineOptions, 'diskUsage' | 'onLog'> = {},
  ports: Parameters<typeof openServices>[1] = {},
): Promise<Rest> {
  const engine = await engineWith(folder, settings, disk)
  const defects: unknown[] = []
  const services = openServices(engine, ports)
  const dispatcher = new Dispatcher(engine, services, {
    maxContentLength: 100 * 2 ** 20,
    onDefect: error => defects.push(error),
  })
  return {
    engine,
    dispatcher,
    services,
    async call(line, body, headers = {}) {
      const [method = '', url = ''] = line.split(/ (.*)/)
      const at = url.indexOf('?')
      const bytes = bodyBytes(body)
      const answer = await dispatcher.dispatch({
        method,
        path: at < 0 ? url : url.slice(0, at),
        query: at < 0 ? '' : url.slice(at + 1),
        headers: bytes.length > 0 ? { 'content-type': 'application/json', ...headers } : headers,
        body: bytes,
      })
      if (defects.length > 0) throw defects[0]
      const text = Buffer.from(answer.body).toString()
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        json: jsonOf(answer),
      }
    },
    close: () => engine.close(),
  }
}

function bodyBytes(body: object | string | Uint8Array | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  return encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Sends calls that must succeed, and gives their bodies; a call may name another engine. */
export function okOf(
  rest: () => Rest,
): (line: string, body?: object | string, on?: Rest) => Promise<Json> {
  return async (line, body, on = rest()) => {
    const { status, json } = await on.call(line, body)
    expect([line, json?.error, status]).toEqual([line, undefined, expect.toBeOneOf([200, 201])])
    return json
  }
}

/** Sends calls that fail, and gives status, type and reason; a call may name another engine. */
export function failureOf(
  rest: () => Rest,
): (line: string, body?: object | string, on?: Rest) => Promise<unknown[]> {
  return async (line, body, on = rest()) => {
    const { status, json } = await on.call(line, body)
    return [status, json.error?.type ?? json.error, json.error?.reason]
  }
}

/** Lines of a bulk body. */
export function ndjson(...lines: readonly unknown[]): string {
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}

/** The body's value, whatever its format; null without one, and for plain text. */
function jsonOf({ body, headers }: RestResponse): Json {
  if (body.length === 0) return null
  const [type] = headers['content-type']!.split(';')
  if (type === 'application/yaml') return JSON.parse(decodeUtf8(yaml.toJson(body)))
  if (type === 'application/cbor') return JSON.parse(decodeUtf8(cbor.toJson(body)))
  return type === 'application/json' ? JSON.parse(decodeUtf8(body)) : null
}
