import { beforeAll, describe, expect, it } from 'vitest'
import type { Query } from '../../../src/search/query/query.ts'
import { onShard, queryText } from '../../../src/search/query/query-ops.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { plainLeaf } from '../../support/plain-leaf.ts'
import { FIELDS } from '../../support/random-search.ts'
import { testArena } from '../../support/test-arena.ts'

const arena = testArena(8 << 20)
const leaves: Leaf[] = []

/** Two leaves with the values −50 … 49 and 100 … 199, and one without the field. */
beforeAll(() => {
  const firsts = [-50, 100, null]
  firsts.forEach((first, ord) => {
    const documents = Array.from({ length: 100 }, (_, id) => ({
      id: `d${ord}-${id}`,
      text: new Map([['body', ['sea']]]),
      keywords: new Map<string, string[]>(),
      numbers: new Map(first === null ? [] : [['num', [BigInt(first + id)]] as const]),
      isLive: true,
    }))
    leaves.push(plainLeaf(arena, documents, FIELDS, { uid: ord, ord, docBase: 100 * ord }))
  })
})

function range(lower: bigint, upper: bigint, isDate = true): Query {
  const texts = { lowerText: `${lower}`, upperText: `${upper}` }
  const shape = {
    indexed: false,
    docValues: true,
    ...(isDate ? { isDateRange: true as const } : {}),
  }
  return { kind: 'pointRange', field: 'num', lower, upper, ...texts, ...shape }
}

const NONE = 'MatchNoDocsQuery("User requested "match_none" query.")'
const EXISTS = 'FieldExistsQuery [field=num]'

describe('a date range', () => {
  it.each([
    [200n, 300n, NONE],
    [-90n, -51n, NONE],
    [50n, 99n, 'num:[50 TO 99]'],
    [-50n, 199n, EXISTS],
    [-500n, 500n, EXISTS],
    [-49n, 500n, 'num:[-49 TO 500]'],
    [-500n, 198n, 'num:[-500 TO 198]'],
    [49n, 100n, 'num:[49 TO 100]'],
  ])('makes of %s to %s what the values say', (lower, upper, text) => {
    expect(queryText(onShard(range(lower, upper), leaves))).toBe(text)
  })

  it('leaves numbers, and what holds no date range, as they are', () => {
    const query: Query = { kind: 'constantScore', query: range(200n, 300n, false) }
    expect(onShard(query, leaves)).toBe(query)
  })

  it('reaches ranges wherever they stand', () => {
    const inner = range(200n, 300n)
    const query: Query = {
      kind: 'boolean',
      clauses: [
        { occur: 'must', query: { kind: 'boost', query: inner, boost: 2 } },
        { occur: 'must_not', query: { kind: 'constantScore', query: inner } },
        { occur: 'should', query: { kind: 'disMax', queries: [inner], tieBreaker: 0 } },
        {
          occur: 'should',
          query: { kind: 'boosting', positive: inner, negative: inner, negativeBoost: 0.5 },
        },
      ],
      minimumShouldMatch: 0,
    }
    expect(
      JSON.stringify(onShard(query, leaves), (_, v) => (String(v) === '200' ? 'left' : v)),
    ).not.toContain('left')
  })

  it('matches nothing in a shard where nothing has the field', () => {
    expect(queryText(onShard(range(0n, 1n), leaves.slice(2)))).toBe(NONE)
  })
})
