import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, type Index, open } from '../../src/index.ts'

let db: Database
let notes: Index<{ a?: string; b?: string }>

const RENAME = {
  response_processors: [{ rename_field: { field: 'a', target_field: 'b', tag: 't' } }],
}

beforeAll(async () => {
  db = await open()
  notes = await db.index('notes')
  await notes.put('1', { a: 'x' })
  await notes.refresh()
  await db.request({ method: 'PUT', path: '/_search/pipeline/rename', body: RENAME })
})
afterAll(() => db.close())

it('searches go through a pipeline by its id or its definition', async () => {
  for (const searchPipeline of ['rename', RENAME]) {
    const { hits, processorResults } = await notes.search({ searchPipeline })
    expect(hits.map(({ source }) => source)).toEqual([{ b: 'x' }])
    expect(processorResults).toBeNull()
  }
})

it('searches go through the default pipeline of their index, unless they ask for none', async () => {
  const settings = { 'index.search.default_pipeline': 'rename' }
  await db.request({ method: 'PUT', path: '/notes/_settings', body: settings })
  expect((await notes.search({})).hits[0]!.source).toEqual({ b: 'x' })
  expect((await notes.search({ searchPipeline: '_none' })).hits[0]!.source).toEqual({ a: 'x' })
})

it('tell what processors did', async () => {
  const { processorResults } = await notes.search({
    searchPipeline: 'rename',
    verbosePipeline: true,
  })
  const hit = { _index: 'notes', _id: '1', _score: 1 }
  expect(processorResults).toEqual([
    {
      processor: 'rename_field',
      tag: 't',
      tookInMillis: expect.any(Number),
      error: null,
      input: [{ ...hit, _source: { a: 'x' } }],
      output: [{ ...hit, _source: { b: 'x' } }],
    },
  ])
  const failing = { response_processors: [{ truncate_hits: {} }] }
  const failed = await notes.search({ searchPipeline: failing, verbosePipeline: true })
  expect(failed.processorResults).toMatchObject([
    { tag: null, error: expect.stringContaining('Must specify target_size'), output: null },
  ])
})

it('refuse a pipeline that is not there', async () => {
  await expect(notes.search({ searchPipeline: 'none' })).rejects.toMatchObject({
    type: 'illegal_argument_exception',
    message: 'Pipeline none is not defined',
  })
})
