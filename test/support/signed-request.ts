/**
 * Verifies requests signed by version 4 of the signing process, written from its description: canonical
 * request, string to sign, a key derived by date, region and service.
 */
import { createHash, createHmac } from 'node:crypto'
import type { Received } from './http-receiver.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** What the signature of a request covers, and whether it is right. */
export interface Verified {
  readonly isValid: boolean
  readonly accessKey: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
}

/** Verifies a request that was signed in its headers. */
export function verifySigned({ method, path, headers, body }: Received, secret: string): Verified {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/
  const match = pattern.exec(headers.authorization ?? '')
  if (match === null) throw new Error(`not signed: ${headers.authorization}`)
  const [, credential = '', names = '', signature = ''] = match
  const [accessKey = '', date = '', region = '', service = '', end = ''] = credential.split('/')
  const signedHeaders = names.split(';')
  const [place = '', query = ''] = path.split('?')
  const canonicalHeaders = signedHeaders
    .map(
      name =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('')
  const canonicalQuery = [...new URLSearchParams(query)]
    .map(pair => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&')
  const canonical = [method, place, canonicalQuery, canonicalHeaders, names, hash(body)].join('\n')
  const time = String(headers['x-amz-date'])
  const scope = `${date}/${region}/${service}/${end}`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n')
  const key = [region, service, 'aws4_request'].reduce<Buffer>(
    (from, part) => hmac(from, part),
    hmac(`AWS4${secret}`, date),
  )
  const isFresh = Math.abs(Date.now() - Date.parse(isoOf(time))) < 300_000
  const isValid =
    isFresh &&
    time.startsWith(date) &&
    end === 'aws4_request' &&
    signedHeaders.includes('host') &&
    hmac(key, toSign).toString('hex') === signature
  return { isValid, accessKey, region, service, signedHeaders }
}

/** `20260101T000000Z` in the form that is parsed. */
function isoOf(time: string): string {
  return time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
}
