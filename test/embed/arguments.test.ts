import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/embed/database.ts'
import type { Index } from '../../src/embed/index-handle.ts'
import { LamellaError } from '../../src/embed/lamella-error.ts'
import { open } from '../../src/embed/open.ts'
import { serve } from '../../src/embed/serve.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('arguments')
let db: Database
let index: Index

beforeAll(async () => {
  db = await open()
  index = await db.index('books')
})

afterAll(() => db.close())

/** An argument as JavaScript lets it through. */
function untyped(value: unknown): never {
  return value as never
}

async function refusal(call: PromiseLike<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (refused: unknown) => refused,
  )
  expect(error).toBeInstanceOf(LamellaError)
  expect(error).toMatchObject({ type: 'illegal_argument_exception', status: 400 })
  return (error as LamellaError).message
}

describe('an option with a typo', () => {
  const cases: readonly [string, () => PromiseLike<unknown>, string][] = [
    ['open', () => open(undefined, untyped({ setings: {} })), '[settings]'],
    ['serve', () => serve(undefined, untyped({ prot: 0 })), '[port]'],
    ['index', () => db.index('books', undefined, untyped({ setting: {} })), '[settings]'],
    ['changeSettings', () => db.changeSettings({}, untyped({ persistant: true })), '[persistent]'],
    ['request', () => db.request(untyped({ method: 'GET', path: '/', bdy: '' })), '[body]'],
    ['a server', () => db.serve(untyped({ hots: '::1' })), '[host]'],
    ['put', () => index.put('1', {}, untyped({ refesh: true })), '[refresh]'],
    ['get', () => index.get('1', untyped({ realTime: true })), '[realtime]'],
    ['delete', () => index.delete('1', untyped({ ifSeqno: 1 })), '[ifSeqNo]'],
    ['search', () => index.search({}, untyped({ signl: null })), '[signal]'],
    ['count', () => index.count(undefined, untyped({ signl: null })), '[signal]'],
    ['bulk', () => index.bulk([], untyped({ batchByte: 10 })), '[batchBytes]'],
    ['an operation', () => index.bulk([untyped({ sorce: {} })]), '[source]'],
  ]

  it.each(cases)('is refused by %s with a suggestion', async (_name, call, suggestion) => {
    expect(await refusal(call())).toMatch(/^unknown .* did you mean/)
    expect(await refusal(call())).toContain(suggestion)
  })

  it('is refused with those that are known where none is alike', async () => {
    expect(await refusal(open(undefined, untyped({ threads: 2 })))).toBe(
      'unknown option of open [threads], known are [settings, onDefect, onLog]',
    )
  })

  it('leaves nothing behind', async () => {
    await refusal(index.put('typo', {}, untyped({ refesh: true })))
    expect(await index.get('typo')).toBeNull()
  })
})

describe('an argument of the wrong type', () => {
  it('is named with its type and its value', async () => {
    expect(await refusal(index.put(untyped(2), {}))).toBe(
      '[id] must be a string, or null for one that the engine makes, found the number [2]',
    )
    const notText = /^\[id\] must be a string, found/
    expect(await refusal(index.get(untyped(undefined)))).toMatch(notText)
    expect(await refusal(index.delete(untyped(2n)))).toMatch(notText)
    expect(await refusal(index.get('1', untyped({ routing: 7 })))).toContain('[routing] must be')
    expect(await refusal(index.put('1', {}, untyped('refresh')))).toContain('must be an object')
    for (const name of [undefined, 3, {}])
      for (const call of ['index', 'existing', 'deleteIndex'] as const)
        expect(await refusal(db[call](untyped(name)))).toContain('[name] must be a string')
    expect(await refusal(db.request(untyped({ path: '/' })))).toContain('[method] must be')
  })
})

describe('a folder that is none', () => {
  const file = join(folder, 'file')

  beforeAll(() => writeFileSync(file, 'x'))

  it.each([
    ['a file', file, 'it is a file'],
    ['below a file', join(file, 'below'), 'a part of the path is a file'],
    ['a URL', untyped(pathToFileURL(folder)), 'must be a string'],
    ['the text of a URL', `${pathToFileURL(folder)}`, 'fileURLToPath'],
    ['empty text', '', 'must not be empty'],
    ['a number', untyped(3), 'found the number [3]'],
    ['with a character that no path has', 'a\0b', 'U+0000'],
    ['a name of a thousand letters', join(folder, 'x'.repeat(1000)), 'too long'],
  ])('is refused: %s', async (_name, path, reason) => {
    const message = await refusal(open(path))
    expect(message).toMatch(/^\[folder\] /)
    expect(message).toContain(reason)
  })
})
