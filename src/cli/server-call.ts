import type { Arguments, OptionSpec } from './command-line.ts'
import { textOfError } from './error-text.ts'
import { CliError, UsageError } from './exit-code.ts'

const DEFAULT_URL = 'http://127.0.0.1:9200'
const PATIENCE_IN_MILLIS = 60_000

/** The option that names a running server. */
export const URL_OPTION: OptionSpec = {
  type: 'string',
  valueHint: 'URL',
  description: `The server (default: ${DEFAULT_URL})`,
}

/** Sends a request, lines of JSON where the path is that of a bulk, and gives the JSON of its answer. */
export type ServerCall = (method: string, path: string, body?: string) => Promise<unknown>

/**
 * Calls of the server that a command line means.
 * @throws {UsageError} no URL of a server
 */
export function serverCall(given: Arguments): ServerCall {
  return callsTo(baseOf(given.text('url') ?? DEFAULT_URL, '--url'), {})
}

/**
 * Calls of a server.
 * @param headers sent with each request
 */
export function callsTo(base: string, headers: Readonly<Record<string, string>>): ServerCall {
  return async (method, path, body) => {
    const { status, text } = await send(`${base}${path}`, method, headers, body)
    const json = jsonOf(text)
    if (json === null) throw new CliError(`[${base}] does not answer as a server of ours does`)
    if (status >= 400) {
      const reason = textOfError((json as { readonly error?: string }).error)
      throw new ServerRefusal(`[${base}] refused: ${reason ?? `status ${status}`}`, status)
    }
    return json
  }
}

/** A server's refusal. */
export class ServerRefusal extends CliError {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_IN_MILLIS)
    const type = /_bulk(\?|$)/.test(url) ? 'application/x-ndjson' : 'application/json'
    const answer = await fetch(url, {
      method,
      redirect: 'error',
      signal,
      headers: body === undefined ? headers : { ...headers, 'content-type': type },
      ...(body === undefined ? {} : { body }),
    })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    throw noServerAt(new URL(url).origin, whyOf(error), error)
  }
}

/** The error of a server that gives no answer. */
export function noServerAt(url: string, why: string, cause: unknown): CliError {
  return new CliError(
    `no server answers at [${url}] (${why}): start one with \`lamella serve\`, or name another one`,
    { cause },
  )
}

/** The innermost reason: that of a failed request only says that it failed. */
function whyOf(error: unknown): string {
  const { cause, message } = error as Error
  if (cause instanceof AggregateError) return whyOf(cause.errors[0])
  return cause instanceof Error ? whyOf(cause) : message
}

/**
 * The URL of a server without what paths are put behind.
 * @param option that it was given by
 * @throws {UsageError} it is none
 */
export function baseOf(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${option} takes a URL such as ${DEFAULT_URL}, found [${text}]`)
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}

/** A text as JSON; null when it is no object. */
export function jsonOf(text: string): object | null {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' ? json : null
  } catch {
    return null
  }
}
