import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AbortError } from '../../src/embed/abort-error.ts'
import type { Database } from '../../src/embed/database.ts'
import type { Index } from '../../src/embed/index-handle.ts'
import { open } from '../../src/embed/open.ts'

let db: Database
let index: Index
const reason = { why: 'the reader has gone' }

beforeAll(async () => {
  db = await open()
  index = await db.index('books')
  await index.put('1', { title: 'The Whale' }, { refresh: true })
})

afterAll(() => db.close())

const path = '/books/_search'
const calls: readonly [string, (signal: AbortSignal) => PromiseLike<unknown>][] = [
  ['search', signal => index.search({ query: { match: { title: 'whale' } } }, { signal })],
  ['searchRaw', signal => index.searchRaw({}, { signal })],
  ['count', signal => index.count({ match_all: {} }, { signal })],
  ['request', signal => db.request({ method: 'GET', path, signal })],
  ['bulk', signal => index.bulk([{ source: { title: 'Typee' } }], { signal })],
]

async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  )
}

describe.each(calls)('%s', (_name, call) => {
  it('rejects with the reason of a signal that has aborted before', async () => {
    const error = await errorOf(call(AbortSignal.abort(reason)))
    expect(error).toBeInstanceOf(AbortError)
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' })
    expect((error as AbortError).cause).toBe(reason)
  })

  it('rejects as well when its signal aborts right after the call, whatever it has found', async () => {
    const controller = new AbortController()
    const answer = errorOf(call(controller.signal))
    controller.abort(reason)
    const error = await answer
    expect(error).toBeInstanceOf(AbortError)
    expect((error as AbortError).cause).toBe(reason)
  })

  it('resolves under a signal that never aborts', async () => {
    expect(await call(new AbortController().signal)).toBeDefined()
  })
})

it('gives the default reason of a signal where the program gave none', async () => {
  const error = await errorOf(index.search({}, { signal: AbortSignal.abort() }))
  expect((error as AbortError).cause).toMatchObject({ name: 'AbortError' })
})
