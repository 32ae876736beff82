import { expect, it } from 'vitest'
import type { Node } from '../../../src/engine/node/node.ts'
import { queryThrough } from '../../../src/engine/search/view-query.ts'
import type { Query } from '../../../src/search/query/query.ts'
import { type JsonObjectNode, parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { queryContext } from '../../support/query-context.ts'

const SEA: Query = { kind: 'term', field: 'title', term: 'sea' }
/** These filters look into no document. */
const node = {} as Node
const index = { mapping: queryContext.mapping }
const filter = (...ids: string[]): JsonObjectNode =>
  parseJsonTree(Buffer.from(JSON.stringify({ ids: { values: ids } }))) as JsonObjectNode
const through = (...aliasFilters: JsonObjectNode[]): Query =>
  queryThrough({ index, aliasFilters, visible: null }, SEA, queryContext, node)

it('leaves a query alone where the view shows the whole index', () => {
  expect(queryThrough({ index, aliasFilters: null, visible: null }, SEA, queryContext, node)).toBe(
    SEA,
  )
})

it('adds what narrows the view as a filter, which scores nothing', () => {
  expect(through(filter('1'))).toMatchObject({
    kind: 'boolean',
    clauses: [
      { occur: 'must', query: SEA },
      { occur: 'filter', query: { kind: 'constantScore' } },
    ],
    minimumShouldMatch: 0,
  })
})

it('lets a document meet one of several filters', () => {
  expect(through(filter('1'), filter('2'))).toMatchObject({
    clauses: [
      { occur: 'must' },
      { occur: 'filter', query: { kind: 'boolean', minimumShouldMatch: 1 } },
    ],
  })
})

it('asks of a document what the alias and what the caller ask', () => {
  const view = { index, aliasFilters: [filter('1')], visible: [filter('2'), filter('3')] }
  expect(queryThrough(view, SEA, queryContext, node)).toMatchObject({
    clauses: [
      { occur: 'must', query: SEA },
      { occur: 'filter', query: { kind: 'constantScore' } },
      { occur: 'filter', query: { kind: 'boolean', minimumShouldMatch: 1 } },
    ],
  })
})
