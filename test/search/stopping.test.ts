import { beforeAll, describe, expect, it } from 'vitest'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import { createWeight } from '../../src/search/query/create-weight.ts'
import type { Query } from '../../src/search/query/query.ts'
import { rewrite } from '../../src/search/query/query-ops.ts'
import { exactIterator } from '../../src/search/scorer/scorer.ts'
import { SliceStopped, Watch } from '../../src/search/scorer/watch.ts'
import { searchSlice } from '../../src/search/search-slice.ts'
import { scorerSupplier } from '../../src/search/weight/weight-ops.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { type PlainDocument, plainLeaf } from '../support/plain-leaf.ts'
import { FIELDS } from '../support/random-search.ts'
import { scorerContext } from '../support/scorer-context.ts'
import { collectSpec } from '../support/search-plan.ts'
import { testArena } from '../support/test-arena.ts'

const COUNT = 12_000

const arena = testArena(16 << 20)
let leaf: Leaf

/** Even documents have `even`, odd ones `odd`; all have a tag of their thousand and a number. */
function documentOf(id: number): PlainDocument {
  const word = id % 2 === 0 ? 'even' : 'odd'
  const isLast = id === COUNT - 1
  return {
    id: `d${id}`,
    text: new Map([
      ['body', [word, 'all', word, ...(isLast ? ['odd', 'even'] : [])]],
      ...(isLast ? [['title', ['late']] as const] : []),
    ]),
    keywords: new Map([['tag', [`t${id % 3000}`]]]),
    numbers: new Map([['num', [BigInt(id)]]]),
    isLive: true,
  }
}

beforeAll(() => {
  const documents = Array.from({ length: COUNT }, (_, id) => documentOf(id))
  leaf = plainLeaf(arena, documents, FIELDS, { uid: 0, ord: 0, docBase: 0 })
})

function term(word: string): Query {
  return { kind: 'term', field: 'body', term: word }
}

const LONG_LOOPS: readonly (readonly [string, Query])[] = [
  ['a range that is collected', range(0n, 11_000n)],
  ['a dictionary that is walked', { kind: 'prefix', field: 'tag', prefix: 't' }],
  ['a union of listed terms', { kind: 'prefix', field: 'tag', prefix: 't1' }],
  ['terms that hardly ever meet', all(term('even'), term('odd'))],
  ['a phrase that hardly ever occurs', phrase(['odd', 'even'])],
  ['a prohibition of everything', { ...all(term('all')), ...excluding('even', 'odd') }],
  ['a field that few documents have', { kind: 'fieldExists', field: 'title', listed: false }],
  ['clauses of which more must match than do', atLeastTwo('even', 'odd')],
]

function range(lower: bigint, upper: bigint): Query {
  const [lowerText, upperText] = [`${lower}`, `${upper}`]
  const shape = { indexed: true, docValues: true } as const
  return { kind: 'pointRange', field: 'num', lower, upper, lowerText, upperText, ...shape }
}

function all(...queries: readonly Query[]): Extract<Query, { kind: 'boolean' }> {
  const clauses = queries.map(query => ({ occur: 'must' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

function excluding(...words: readonly string[]): Pick<ReturnType<typeof all>, 'clauses'> {
  const rest = words.map(word => ({ occur: 'must_not' as const, query: term(word) }))
  return { clauses: [{ occur: 'must', query: term('all') }, ...rest] }
}

function atLeastTwo(...words: readonly string[]): Query {
  const clauses = [...words, 'absent'].map(word => ({
    occur: 'should' as const,
    query: term(word),
  }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 2 }
}

function phrase(terms: readonly string[]): Query {
  return { kind: 'phrase', field: 'body', terms, positions: terms.map((_, i) => i), slop: 0 }
}

describe('a slice that is to stop', () => {
  it.each(LONG_LOOPS)('stops within %s', (_title, query) => {
    const weight = createWeight(rewrite(query, true), [leaf], true)
    const mark = leaf.scratch.mark()
    let looks = 0
    const walk = (watch: Watch): number => {
      const supplier = scorerSupplier(weight.root, scorerContext(weight, leaf, { watch }))
      const scorer = supplier?.get(Number.MAX_SAFE_INTEGER)
      return scorer === undefined ? NO_MORE_DOCS : exactIterator(scorer, watch).nextDoc()
    }
    walk(new Watch(() => looks++))
    leaf.scratch.release(mark)
    expect(looks).toBeGreaterThan(0)
    const stops = new Watch(() => {
      throw new SliceStopped()
    })
    expect(() => walk(stops)).toThrow(SliceStopped)
    leaf.scratch.release(mark)
  })

  it('answers with what it has, its listener told that the leaf is done', () => {
    const query = rewrite(all(term('even'), term('odd')), true)
    const control = new SearchControl()
    const heard: string[] = []
    const run = (stops: boolean) =>
      searchSlice({
        weight: createWeight(query, [leaf], true),
        spec: collectSpec(),
        parts: [{ leafOrd: 0, minDoc: 0, maxDoc: COUNT }],
        leafOf: () => leaf,
        report: null,
        gathers: [],
        control,
        listener: {
          beginLeaf: () => heard.push('begin'),
          endLeaf: () => heard.push('end'),
          wrapSupplier: (_nodeId, make) => {
            if (stops) control.stop()
            return make()
          },
          batches: null,
          gatherTimer: () => ({ start() {}, stop() {}, note() {} }),
          wrapCollector: (_role, collector) => collector,
        },
      })
    expect(run(false)).toMatchObject({ cancelled: false, hitCount: 1 })
    expect(run(true)).toMatchObject({ cancelled: true, hitCount: 0, hits: [] })
    expect(heard).toEqual(['begin', 'end', 'begin', 'end'])
  })
})
