import type { CallContext } from '../../task/call-context.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { EngineError, type ErrorRecord, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import {
  AnswerTooLongError,
  type OutboundAnswer,
  OutboundClient,
  type OutboundRequest,
} from '../outbound.ts'
import type { ByScrollCall } from './by-scroll-call.ts'
import type { HitPage, HitSource } from './hit-source.ts'
import { type RemotePage, readRemotePage } from './remote-page.ts'
import type { RemoteServer, RemoteSettings } from './remote-server.ts'

const MAX_ANSWER_BYTES = 100 * 2 ** 20
/** Of an answer that is no page, as much as an error tells. */
const SHOWN_BYTES = 4096

/** Matches of a search on another server, by the scroll API that versions 6.8 to 3 of it have in common. */
export class RemoteHitSource implements HitSource {
  readonly #call: ByScrollCall
  readonly #server: RemoteServer
  readonly #client: OutboundClient
  readonly #context: CallContext
  #scrollId: string | null = null
  #isClosed = false

  constructor(
    call: ByScrollCall,
    server: RemoteServer,
    { guard, tls }: RemoteSettings,
    context: CallContext,
  ) {
    this.#call = call
    this.#server = server
    this.#client = new OutboundClient({ ...server, tls, maxBytes: MAX_ANSWER_BYTES }, guard)
    this.#context = context
  }

  async first(): Promise<HitPage> {
    const { source, batchSize, scrollInMillis } = this.#call
    const version = await this.#version()
    const params = new URLSearchParams({
      scroll: `${Math.ceil(scrollInMillis)}ms`,
      size: String(batchSize),
      version: 'true',
      ...(sortOf(source.body.entries) === null ? { sort: '_doc' } : {}),
      // Servers before 6.3 have no such parameter.
      ...(version === null || version >= 6.3 ? { allow_partial_search_results: 'false' } : {}),
    })
    const indices = source.target.names.map(encodeURIComponent).join(',')
    const path = indices === '' ? '/_search' : `/${indices}/_search`
    return await this.#page('POST', `${path}?${params}`, searchBody(this.#server, this.#call))
  }

  async next(waitInMillis: number): Promise<HitPage> {
    const keepAlive = Math.ceil(this.#call.scrollInMillis + waitInMillis)
    const body = { scroll_id: this.#scrollId }
    return await this.#page('POST', `/_search/scroll?scroll=${keepAlive}ms`, body)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const id = this.#scrollId
    try {
      // A scroll that cannot be ended ends by itself.
      if (id !== null) await this.#send('DELETE', '/_search/scroll', { scroll_id: [id] }, true)
    } catch (error) {
      if (!(error instanceof EngineError || error instanceof AnswerTooLongError)) throw error
    } finally {
      this.#client.close()
    }
  }

  /** Version of the server, as a number of major and minor part; null: it calls itself by another one. */
  async #version(): Promise<number | null> {
    const { body } = await this.#ask('GET', '/', null)
    const tree = parsed(body)
    const found = fieldOf(fieldOf(tree, 'version'), 'number')
    const match = found?.kind === 'string' ? /^(\d+)\.(\d)/.exec(found.value) : null
    if (match === null) throw noServer()
    const distribution = fieldOf(fieldOf(tree, 'version'), 'distribution')
    return distribution === undefined ? Number(`${match[1]}.${match[2]}`) : null
  }

  async #page(method: 'POST', path: string, body: JsonRecord): Promise<RemotePage> {
    const answer = await this.#ask(method, path, body)
    const page = readRemotePage(answer.body)
    if (page.scrollId !== null) this.#scrollId = page.scrollId
    if (this.#scrollId === null) throw noServer()
    return page
  }

  /** @throws {EngineError} the server refuses, with its status and its answer */
  async #ask(
    method: OutboundRequest['method'],
    path: string,
    body: JsonRecord | null,
  ): Promise<OutboundAnswer> {
    const answer = await this.#send(method, path, body, false)
    const { status, contentType } = answer
    if (status >= 200 && status < 300) {
      if (/^application\/(json|vnd\.(opensearch|elasticsearch)\+json)\b/i.test(contentType))
        return answer
      throw noServer({ type: 'exception', reason: `Response has Content-Type [${contentType}]` })
    }
    throw new EngineError({
      type: 'status_exception',
      reason: `body=${this.#shown(answer.body)}`,
      // A redirect, or no status at all: an error of this node towards its caller.
      status: status >= 400 && status < 600 ? status : 500,
    })
  }

  /** An answer as an error tells it, without the secrets that the server may have sent back. */
  #shown(body: Uint8Array): string {
    const { headers, password } = this.#server
    const sent = headersOf(this.#server, false)['authorization']?.replace(/^Basic /, '') ?? ''
    const secrets = [
      sent,
      password?.reveal() ?? '',
      ...Array.from(headers.values(), value => value.reveal()),
    ]
    const text = body.length === 0 ? '' : new TextDecoder().decode(body.subarray(0, SHOWN_BYTES))
    return secrets.reduce(
      (shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '***')),
      text,
    )
  }

  async #send(
    method: OutboundRequest['method'],
    path: string,
    body: JsonRecord | null,
    isLast: boolean,
  ): Promise<OutboundAnswer> {
    // The end of a scroll is told even when the task was cancelled.
    const signal = isLast ? new AbortController().signal : this.#context.abortSignal()
    try {
      return await this.#client.send(
        {
          method,
          path: this.#server.pathPrefix + path,
          headers: headersOf(this.#server, body !== null),
          body: body === null ? null : writeJson(body),
        },
        signal,
      )
    } catch (error) {
      if (!(error instanceof AnswerTooLongError)) throw error
      throw new IllegalArgumentError(
        'Remote responded with a chunk that was too large. Use a smaller batch size.',
      )
    }
  }
}

function searchBody({ query }: RemoteServer, { source }: ByScrollCall): JsonRecord {
  const { entries } = source.body
  const kept = entries.find(({ key }) => key === '_source')
  const sort = sortOf(entries)
  return {
    query: query === null ? { match_all: {} } : jsonValueOf(query),
    _source: kept === undefined ? true : jsonValueOf(kept.value),
    sort: sort === null ? undefined : jsonValueOf(sort),
  }
}

function sortOf(entries: readonly JsonEntry[]): JsonNode | null {
  return entries.find(({ key }) => key === 'sort')?.value ?? null
}

function headersOf(
  { headers, username, password }: RemoteServer,
  hasBody: boolean,
): Record<string, string> {
  const sent: Record<string, string> = { accept: 'application/json' }
  for (const [name, value] of headers) sent[name.toLowerCase()] = value.reveal()
  if (hasBody) sent['content-type'] = 'application/json'
  if (username !== null) {
    const credentials = encodeUtf8(`${username}:${password?.reveal() ?? ''}`)
    sent['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  return sent
}

function parsed(body: Uint8Array): JsonNode {
  try {
    return parseJsonTree(body)
  } catch (error) {
    if (error instanceof EngineError) throw noServer(error.record)
    throw error
  }
}

function fieldOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.entries.find(entry => entry.key === key)?.value : undefined
}

function noServer(causedBy?: ErrorRecord): EngineError {
  return new EngineError({
    type: 'exception',
    reason: 'Error parsing the response, remote is likely not an OpenSearch instance',
    ...(causedBy === undefined ? {} : { causedBy }),
  })
}
