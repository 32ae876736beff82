import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type Index, open } from '../../../src/index.ts'
import { Random } from '../../../src/util/random.ts'

let db: Database
let index: Index
const FIELDS = ['all', 'some', 'word', 'text', 'plain', 'bare', 'absent']
const documents = new Map<string, Record<string, unknown>>()
const random = new Random(11)

beforeAll(async () => {
  db = await open(undefined, { settings: { 'lamella.threads.search': 1 } })
  index = await db.index('i', {
    properties: {
      all: { type: 'long' },
      some: { type: 'double' },
      word: { type: 'keyword' },
      text: { type: 'text' },
      plain: { type: 'text', norms: false },
      bare: { type: 'long', doc_values: false },
      absent: { type: 'long' },
    },
  })
  for (let round = 0; round < 3; round++) {
    const batch = Array.from({ length: 50 }, (_, i) => {
      const source: Record<string, unknown> = { all: i }
      for (const field of ['some', 'word', 'text', 'plain', 'bare'])
        if (random.below(3) > 0) source[field] = [[], ['1'], ['1', '2']][random.below(3)]
      const id = `${round}-${i}`
      documents.set(id, source)
      return { id, source }
    })
    await index.bulk(batch, { refresh: true })
  }
})

afterAll(() => db.close())

function expected(field: string): number {
  return [...documents.values()].filter(source => {
    const value = source[field]
    return typeof value === 'number' || (Array.isArray(value) && value.length > 0)
  }).length
}

async function check(field: string): Promise<boolean> {
  const query = { exists: { field } }
  const { total, profile } = await index.search({
    query,
    size: 0,
    trackTotalHits: true,
    profile: true,
  })
  expect(total).toEqual({ value: expected(field), relation: 'eq' })
  expect(await index.count(query)).toBe(expected(field))
  const { hits } = await index.search({ query, size: 200 })
  expect(hits).toHaveLength(expected(field))
  return profile?.shards[0]?.collectors[0]?.name === 'EarlyTerminatingCollectorManager'
}

describe('a count of the documents that have a field', () => {
  it('comes from statistics while nothing is deleted', async () => {
    for (const field of FIELDS) expect([field, await check(field)]).toEqual([field, true])
  })

  it('looks at documents once some are deleted, but for a field that all of them have', async () => {
    for (const id of ['0-3', '1-7', '2-11']) {
      documents.delete(id)
      await index.delete(id)
    }
    await index.refresh()
    expect(await check('all')).toBe(true)
    for (const field of FIELDS.slice(1, -1))
      expect([field, await check(field)]).toEqual([field, false])
  })
})
