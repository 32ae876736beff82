import { describe, expect, it } from 'vitest'
import { NO_MORE_DOCS } from '../../../src/codec/doc-id-iterator.ts'
import { SearchControl } from '../../../src/search/collector/search-control.ts'
import { createWeight } from '../../../src/search/query/create-weight.ts'
import type { Query } from '../../../src/search/query/query.ts'
import { queryText, rewrite } from '../../../src/search/query/query-ops.ts'
import { exactIterator, leadIterator, type Scorer } from '../../../src/search/scorer/scorer.ts'
import { UNWATCHED } from '../../../src/search/scorer/watch.ts'
import { searchSlice } from '../../../src/search/search-slice.ts'
import type { Weight } from '../../../src/search/weight/weight.ts'
import { scorerSupplier } from '../../../src/search/weight/weight-ops.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { Random } from '../../../src/util/random.ts'
import { assertingWrap } from '../../support/asserting-scorer.ts'
import { holdDocIdIterator } from '../../support/contracts/doc-id-iterator.ts'
import { Oracle } from '../../support/oracle.ts'
import { plainLeaf } from '../../support/plain-leaf.ts'
import { FIELDS, randomDocument, randomQuery } from '../../support/random-search.ts'
import { scorerContext } from '../../support/scorer-context.ts'
import { collectSpec } from '../../support/search-plan.ts'
import { testArena } from '../../support/test-arena.ts'

const arena = testArena(16 << 20)

function oneLeaf(random: Random, count: number): { leaf: Leaf; oracle: Oracle } {
  arena.clear()
  const documents = Array.from({ length: count }, (_, id) => randomDocument(random, id, 0))
  const leaf = plainLeaf(arena, documents, FIELDS, { uid: 0, ord: 0, docBase: 0 })
  return { leaf, oracle: new Oracle(documents) }
}

function scorerOf(weight: Weight, leaf: Leaf): Scorer | null {
  const context = scorerContext(weight, leaf, { wrap: assertingWrap })
  const supplier = scorerSupplier(weight.root, context)
  return supplier?.get(Number.MAX_SAFE_INTEGER) ?? null
}

describe('a scorer of any query', () => {
  it('is an iterator over exactly the matches, by next and by advance', () => {
    const random = new Random(21)
    let matching = 0
    for (let round = 0; round < 12; round++) {
      const { leaf, oracle } = oneLeaf(random, 100 + random.below(700))
      for (let i = 0; i < 25; i++) {
        const query = rewrite(randomQuery(random, 3), random.below(4) > 0)
        const expected = oracle.search(query).map(({ doc }) => doc)
        expected.sort((a, b) => a - b)
        const weight = createWeight(query, [leaf], query.kind !== 'constantScore')
        const title = queryText(query)
        const mark = leaf.scratch.mark()
        const scorer = scorerOf(weight, leaf)
        if (scorer === null) {
          expect(expected, title).toEqual([])
          continue
        }
        matching++
        const make = () => exactIterator(scorerOf(weight, leaf) as Scorer, UNWATCHED)
        holdDocIdIterator(make, expected, random)
        leaf.scratch.release(mark)
      }
    }
    expect(matching).toBeGreaterThan(200)
  })

  it('bounds the scores of every run', () => {
    const random = new Random(22)
    let bounds = 0
    for (let round = 0; round < 12; round++) {
      const { leaf } = oneLeaf(random, 400 + random.below(1200))
      for (let i = 0; i < 25; i++) {
        const query = rewrite(randomQuery(random, 3), true)
        const weight = createWeight(query, [leaf], true)
        const mark = leaf.scratch.mark()
        const scorer = scorerOf(weight, leaf)
        if (scorer === null) continue
        const iterator = leadIterator(scorer)
        const check = scorer.twoPhase()
        let runEnd = -1
        for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc()) {
          if (doc > runEnd) {
            // The asserting scorer holds each score against the bound that was told last.
            runEnd = scorer.shallowAdvance(doc)
            if (random.below(3) === 0) runEnd = Math.min(NO_MORE_DOCS, runEnd + random.below(300))
            scorer.maxScore(runEnd)
            bounds++
          }
          if (check === null || check.matches()) scorer.score()
        }
        leaf.scratch.release(mark)
      }
    }
    expect(bounds).toBeGreaterThan(500)
  })

  it('is used by the others as the protocol says while blocks are passed over', () => {
    const random = new Random(23)
    let skipped = 0
    let begun = 0
    let ended = 0
    for (let round = 0; round < 8; round++) {
      const { leaf, oracle } = oneLeaf(random, 400 + random.below(1500))
      for (let i = 0; i < 40; i++) {
        const query: Query = rewrite(randomQuery(random, 3), true)
        const weight = createWeight(query, [leaf], true)
        const topCount = 1 + random.below(8)
        const spec = collectSpec({ topCount, trackTotalHits: -1 })
        expect(spec.demands.everyMatch).toBe(false)
        const { hits, counters } = searchSlice({
          weight,
          spec,
          parts: [{ leafOrd: 0, minDoc: 0, maxDoc: leaf.maxDoc }],
          leafOf: () => leaf,
          report: null,
          gathers: [],
          control: new SearchControl(),
          listener: {
            beginLeaf: () => undefined,
            endLeaf: () => undefined,
            wrapSupplier: assertingWrap,
            batches: { begin: () => begun++, end: () => ended++ },
            gatherTimer: () => ({ start() {}, stop() {}, note() {} }),
            wrapCollector: (_role, collector) => collector,
          },
        })
        if (counters.runsSkipped > 0) skipped++
        const best = oracle.search(query).slice(0, topCount)
        expect(hits.map(({ globalDoc, score }) => [globalDoc, score])).toEqual(
          best.map(({ doc, score }) => [doc, score]),
        )
      }
    }
    expect(skipped).toBeGreaterThan(80)
    expect(begun).toBeGreaterThan(80)
    expect(ended).toBe(begun)
  })
})
