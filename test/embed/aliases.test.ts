import { expect, it } from 'vitest'
import type { AliasChange } from '../../src/embed/alias-changes.ts'
import type { LamellaError } from '../../src/embed/lamella-error.ts'
import { open } from '../../src/embed/open.ts'

it('gives indices aliases that reach them, all changes or none', async () => {
  await using db = await open()
  const books = await db.index('books-1', { properties: { year: { type: 'integer' } } })
  await books.put('1', { year: 1851 })
  await books.put('2', { year: 1904 }, { refresh: true })
  await db.changeAliases([
    { add: { index: 'books-*', alias: ['books', 'all'], isWriteIndex: true } },
    { add: { index: 'books-1', alias: 'old', filter: { range: { year: { lt: 1900 } } } } },
    { add: { index: 'books-1', alias: 'routed', routing: 'a', searchRouting: 'a,b' } },
  ])
  const old = await db.existing('old')
  expect((await old.search({})).hits.map(({ id }) => id)).toEqual(['1'])
  expect(await db.aliases()).toEqual({
    'books-1': {
      all: { isWriteIndex: true },
      books: { isWriteIndex: true },
      old: { filter: { range: { year: { lt: 1900 } } } },
      routed: { indexRouting: 'a', searchRouting: 'a,b' },
    },
  })
  const refused = db.changeAliases([
    { remove: { index: 'books-1', alias: 'all' } },
    { add: { index: 'absent', alias: 'x' } },
  ])
  await expect(refused).rejects.toMatchObject({ type: 'index_not_found_exception' })
  expect(Object.keys((await db.aliases())['books-1'] ?? {})).toContain('all')
  await db.changeAliases([
    { remove: { index: 'books-1', alias: ['all', 'gone'], mustExist: false } },
    { remove: { index: 'books-1', alias: 'r*' } },
  ])
  expect(Object.keys((await db.aliases())['books-1'] ?? {})).toEqual(['books', 'old'])
  await db.index('books-2')
  await db.changeAliases([
    { removeIndex: { index: 'books-1' } },
    { add: { index: 'books-2', alias: 'books-1' } },
  ])
  expect(await db.aliases()).toEqual({ 'books-2': { 'books-1': {} } })
  expect(await db.indices()).toEqual(['books-2'])
})

it.each<[unknown, string]>([
  [{}, 'an alias change has one kind, found [none]'],
  [
    { add: { index: 'a', alias: 'b' }, remove: { index: 'a', alias: 'b' } },
    'an alias change has one kind, found [add, remove]',
  ],
  [{ ad: {} }, 'unknown kind of alias change [ad] did you mean [add]?'],
  [
    { add: { index: 'a', alias: 'b', isWriteindex: true } },
    'unknown key of an added alias [isWriteindex] did you mean [isWriteIndex]?',
  ],
  [{ add: { index: [], alias: 'b' } }, '[index] must name at least one'],
  [{ add: { index: 'a', alias: 7 } }, '[alias] must be a string, found the number [7]'],
])('refuses %j', async (change, message) => {
  await using db = await open()
  const error: LamellaError = await db.changeAliases([change as AliasChange]).then(
    () => expect.fail('it was taken'),
    reason => reason,
  )
  expect([error.type, error.message]).toEqual(['illegal_argument_exception', message])
})
