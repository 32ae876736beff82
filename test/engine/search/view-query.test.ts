import { expect, it } from 'vitest'
import { queryThrough } from '../../../src/engine/search/view-query.ts'
import type { Query } from '../../../src/search/query/query.ts'

const SEA: Query = { kind: 'term', field: 'title', term: 'sea' }
const OURS: Query = { kind: 'term', field: 'owner', term: 'us' }

it('leaves a query alone where the view shows the whole index', () => {
  expect(queryThrough({ aliasFilter: null }, SEA)).toBe(SEA)
})

it('adds what narrows the view as a filter, which scores nothing', () => {
  expect(queryThrough({ aliasFilter: OURS }, SEA)).toEqual({
    kind: 'boolean',
    clauses: [
      { occur: 'must', query: SEA },
      { occur: 'filter', query: OURS },
    ],
    minimumShouldMatch: 0,
  })
})
