/** `content-encoding` of bodies: gzip and deflate in, gzip out. */
import { promisify } from 'node:util'
import { gzip, unzip } from 'node:zlib'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import type { RestResponse } from './response.ts'

const inflate = promisify(unzip)
const deflate = promisify(gzip)

/** Shorter answers grow, or gain less than the work costs. */
const LEAST_BYTES = 1024

/**
 * A request's body as it was before the client compressed it.
 * @param encoding the `content-encoding` header; undefined for none
 * @param limit    bytes that the body may have, compressed or not
 * @throws {EngineError} an unknown coding, damaged bytes, more than `limit` bytes
 */
export async function decodeBody(
  bytes: Uint8Array,
  encoding: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  const coding = encoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return bytes
  if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== 'deflate')
    throw new IllegalArgumentError(
      `Content-Encoding header [${encoding}] is not supported, use [gzip] or [deflate]`,
    )
  if (bytes.length === 0) return bytes
  try {
    return await inflate(bytes, { maxOutputLength: limit })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ERR_BUFFER_TOO_LARGE') throw contentTooLong(limit, `more than ${limit}`)
    throw new IllegalArgumentError(`the body is no valid [${coding}] data: ${code ?? 'unknown'}`)
  }
}

/** An answer for a client that takes these codings: compressed where that pays. */
export async function encodeResponse(
  response: RestResponse,
  accepted: string | undefined,
): Promise<RestResponse> {
  if (response.body.length < LEAST_BYTES || !takesGzip(accepted)) return response
  const body = await deflate(response.body, { level: 3 })
  return {
    ...response,
    headers: {
      ...response.headers,
      'content-encoding': 'gzip',
      'content-length': String(body.length),
      vary: 'accept-encoding',
    },
    body,
  }
}

/** 413: a body of `found` bytes. */
export function contentTooLong(limit: number, found: number | string): EngineError {
  return new EngineError({
    type: 'content_too_long_exception',
    reason: `entity content is too long [${found}] for the configured buffer limit [${limit}]`,
  })
}

/** Whether an `accept-encoding` header names gzip, or anything, with a weight above 0. */
function takesGzip(accepted: string | undefined): boolean {
  for (const part of accepted?.toLowerCase().split(',') ?? []) {
    const [coding, ...parameters] = part.split(';').map(text => text.trim())
    if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== '*') continue
    return !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))
  }
  return false
}
