import { expect, it } from 'vitest'
import type { Answer } from '../../src/rest/endpoint.ts'
import { respond } from '../../src/rest/response.ts'

const BYTES = Uint8Array.of(1, 2, 3)
const FORMS: readonly (readonly [Answer, type: string, body: Uint8Array])[] = [
  [{ json: { a: 1 } }, 'application/json; charset=UTF-8', Buffer.from('{"a":1}')],
  [{ text: 'é\n' }, 'text/plain; charset=UTF-8', Buffer.from('é\n')],
  [{ bytes: BYTES, type: 'application/x-thing' }, 'application/x-thing', BYTES],
]

it.each(FORMS)('gives %o with its type and length, and no body to HEAD', (answer, type, body) => {
  const response = respond({ method: 'GET' }, answer, new Map())
  expect(response.status).toBe(200)
  expect(Buffer.from(response.body).equals(body)).toBe(true)
  expect(response.headers).toMatchObject({
    'content-type': type,
    'content-length': String(body.length),
  })
  const head = respond({ method: 'HEAD' }, answer, new Map())
  expect([head.headers, head.body.length]).toEqual([response.headers, 0])
})

it('lays out JSON alone by filter_path and pretty', () => {
  const given = new Map([
    ['filter_path', 'b'],
    ['pretty', ''],
  ])
  expect(Buffer.from(respond({ method: 'GET' }, { text: '{}' }, given).body).toString()).toBe('{}')
  const { body } = respond({ method: 'GET' }, { json: { a: 1, b: 2 } }, given)
  expect(Buffer.from(body).toString()).toBe('{\n  "b" : 2\n}\n')
})

it('carries status, headers, warnings and the mark of the client', () => {
  const request = { method: 'GET', headers: { 'x-opaque-id': 'a\r\nb: é' } }
  const { status, headers } = respond(
    request,
    { status: 201, headers: { location: '/i' }, warnings: ['old "way"'], text: '' },
    new Map(),
  )
  expect(status).toBe(201)
  expect(headers).toMatchObject({ location: '/i', 'x-opaque-id': 'ab: ' })
  expect(headers['warning']).toMatch(/ "old \\"way\\""$/)
})
