import { describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../src/parallel/prepare.ts'
import { reduceSlices } from '../../src/parallel/reduce.ts'
import { runSlice } from '../../src/parallel/run-slice.ts'
import { cutSlices } from '../../src/parallel/slices.ts'
import { shardProfile } from '../../src/profile/shard-profile.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import type { Query } from '../../src/search/query/query.ts'
import { queryText } from '../../src/search/query/query-ops.ts'
import type { WeightNode } from '../../src/search/weight/weight-node.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { nowInNanos } from '../../src/util/clock.ts'
import type { JsonRecord } from '../../src/util/json/json-value.ts'
import { Random } from '../../src/util/random.ts'
import { Oracle } from '../support/oracle.ts'
import { type PlainDocument, plainLeaf } from '../support/plain-leaf.ts'
import {
  checkShardProfile,
  countsOf,
  depthOf,
  type TwoPhaseUse,
} from '../support/profile-invariants.ts'
import { FIELDS, randomDocument, randomQuery } from '../support/random-search.ts'
import { type PlanOptions, searchPlan } from '../support/search-plan.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(16 << 20)

interface Collection {
  readonly documents: readonly PlainDocument[]
  readonly leaves: readonly Leaf[]
  readonly oracle: Oracle
}

function randomCollection(random: Random, deletes: number): Collection {
  return collectionOf(random, deletes, 50 + random.below(600), () => 1 + random.below(300))
}

function collectionOf(
  random: Random,
  deletes: number,
  count: number,
  nextSize: () => number,
): Collection {
  arena.clear()
  const documents = Array.from({ length: count }, (_, id) => randomDocument(random, id, deletes))
  const leaves: Leaf[] = []
  for (let docBase = 0; docBase < count; ) {
    const part = documents.slice(docBase, docBase + nextSize())
    leaves.push(plainLeaf(arena, part, FIELDS, { uid: leaves.length, ord: leaves.length, docBase }))
    docBase += part.length
  }
  // For what is looked at: deleted documents are visited too.
  const oracle = new Oracle(documents.map(document => ({ ...document, isLive: true })))
  return { documents, leaves, oracle }
}

interface Profiled {
  readonly profile: JsonRecord
  readonly root: JsonRecord
  readonly hits: readonly (readonly number[])[]
  readonly sliceCount: number
  /** Leaves and ranges of leaves in all slices. */
  readonly partCount: number
  readonly wallTime: number
  readonly rewritten: Query
  readonly weightRoot: WeightNode
}

function profiled(
  collection: Collection,
  query: Query,
  spec: Partial<PlanOptions>,
  sliceCount: number | null,
  human = false,
  ranges = false,
): Profiled {
  const start = nowInNanos()
  const { leaves } = collection
  const rewritten = rewriteSearch(searchPlan(query, spec))
  const prepared = prepareSearch(rewritten, leaves)
  const concurrent = sliceCount !== null
  const maxDocs = leaves.map(leaf => leaf.maxDoc)
  const slices = concurrent
    ? cutSlices(maxDocs, {
        maxSliceCount: sliceCount,
        intraSegment: ranges ? 'auto' : 'none',
        intraSegmentMinDocs: 1,
      })
    : [maxDocs.map((maxDoc, leafOrd) => ({ leafOrd, minDoc: 0, maxDoc }))]
  const control = new SearchControl()
  const outcomes = slices.map((slice, sliceId) =>
    runSlice(
      {
        sliceId,
        slice,
        weight: prepared.weight,
        spec: prepared.spec,
        profile: { sampling: 'calibrated', perLeaf: concurrent },
        kernels: true,
        reports: false,
        queued: nowInNanos(),
      },
      ord => leaves[ord] as Leaf,
      control,
      -1,
    ),
  )
  const before = nowInNanos()
  const result = reduceSlices(
    prepared.spec,
    outcomes.map(outcome => outcome.result),
    leaves,
  )
  const reduceTime = nowInNanos() - before
  const profile = shardProfile(
    {
      nodeId: 'n',
      index: 'i',
      shard: 0,
      nodes: prepared.weight.nodes,
      rewriteTime: prepared.rewriteTime,
      slices: outcomes.flatMap(outcome => outcome.profile ?? []),
      spec: prepared.spec,
      reduceTime,
      gathers: null,
      isForGathers: false,
      global: null,
      production: null,
      aggregations: [],
      fetch: null,
    },
    { concurrent, human, reasons: 'documented', perSlice: human },
  )
  const search = (profile['searches'] as readonly JsonRecord[])[0] as JsonRecord
  return {
    profile: JSON.parse(JSON.stringify(profile)) as JsonRecord,
    root: (search['query'] as readonly JsonRecord[])[0] as JsonRecord,
    hits: result.hits.map(hit => [hit.globalDoc, hit.score]),
    sliceCount: slices.length,
    partCount: slices.flat().length,
    wallTime: nowInNanos() - start,
    rewritten: rewritten.query,
    weightRoot: prepared.weight.root,
  }
}

/** Whether a node's scorer has a second phase: clauses that a leaf lacks can take it away. */
function twoPhaseOf(node: WeightNode): TwoPhaseUse {
  switch (node.kind) {
    case 'phrase':
    case 'slice':
    case 'multiPhrase':
    case 'span':
    case 'positionIntervals':
    case 'covering':
    case 'script':
      return 'always'
    case 'scriptScore':
      return node.minScore === null ? twoPhaseOf(node.child) : 'sometimes'
    case 'functionScore':
      return node.combination.minScore === null ? twoPhaseOf(node.child) : 'sometimes'
    case 'point':
      return 'sometimes'
    case 'constant':
      return twoPhaseOf(node.child)
    case 'boolean': {
      const required = node.clauses.filter(({ occur }) => occur === 'must' || occur === 'filter')
      if (required.some(({ node: inner }) => twoPhaseOf(inner) === 'always')) return 'always'
      const may = ({ occur, node: inner }: (typeof node.clauses)[number]): boolean =>
        occur === 'must_not' || twoPhaseOf(inner) !== 'never'
      return node.clauses.some(may) ? 'sometimes' : 'never'
    }
    case 'disMax':
      return node.children.every(child => twoPhaseOf(child) === 'never') ? 'never' : 'sometimes'
    case 'boosting':
      return twoPhaseOf(node.positive)
    default:
      return 'never'
  }
}

function countOf(node: JsonRecord, type: string): number {
  return Number((node['breakdown'] as JsonRecord)[`${type}_count`])
}

function movesOf(node: JsonRecord): number {
  return countOf(node, 'next_doc') + countOf(node, 'advance')
}

const WORDS = ['sea', 'the', 'kelp', 'rope', 'wind']

function anyOf(words: readonly string[]): Query {
  const clauses = words.map(term => ({
    occur: 'should' as const,
    query: { kind: 'term' as const, field: 'body', term },
  }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

/** Whether a node is a disjunction of terms alone: its clauses then take no step of their own. */
function isPlainDisjunction(node: WeightNode): boolean {
  return (
    node.kind === 'boolean' &&
    node.clauses.every(({ occur, node: inner }) => occur === 'should' && inner.kind === 'term')
  )
}

describe('shardProfile', () => {
  it('keeps P1–P20 on random searches, sequential and for 1, 2 and 4 slices', () => {
    const random = new Random(99)
    let searches = 0
    let deep = 0
    for (let round = 0; round < 30; round++) {
      const collection = randomCollection(random, round % 3 === 0 ? 0.1 : 0)
      const { documents, leaves, oracle } = collection
      for (let i = 0; i < 12; i++) {
        const query = randomQuery(random, 4)
        const topCount = random.below(5) === 0 ? 0 : 10
        const human = random.below(3) === 0
        const sequential = profiled(collection, query, { topCount }, null)
        const matches = oracle.search(sequential.rewritten)
        const exact = {
          moves: { matched: matches.length, begunLeaves: leaves.length },
          scores: topCount > 0,
          twoPhase: twoPhaseOf(sequential.weightRoot),
          collected: matches.filter(({ doc }) => documents[doc]?.isLive === true).length,
        }
        // A count that statistics tell ends at the first match; deleted documents are visited by
        // some iterators (postings) and not by others (ids).
        const counts = topCount > 0
        const isExact = counts && documents.every(document => document.isLive)
        const rule = `${queryText(sequential.rewritten)}, top ${topCount}`
        const shared = { wallTime: sequential.wallTime, exact: isExact ? exact : null }
        expect(
          () =>
            checkShardProfile(sequential.profile, {
              ...shared,
              concurrent: false,
              human: false,
              sliceCount: 1,
            }),
          rule,
        ).not.toThrow()
        for (const sliceCount of [1, 2, 4]) {
          const run = profiled(collection, query, { topCount }, sliceCount, human)
          searches++
          if (depthOf(run.root) > 3) deep++
          const expected = {
            concurrent: true,
            human,
            sliceCount: run.sliceCount,
            wallTime: run.wallTime,
            exact: isExact ? exact : null,
          }
          expect(() => checkShardProfile(run.profile, expected), rule).not.toThrow()
          // P8 and P18.
          expect(run.hits, rule).toEqual(sequential.hits)
          if (counts) expect(countsOf(run.root), rule).toEqual(countsOf(sequential.root))
        }
      }
    }
    expect(searches).toBeGreaterThanOrEqual(500)
    expect(deep).toBeGreaterThanOrEqual(100)
  })

  it('counts ranges of a segment as it counts segments', () => {
    const random = new Random(98)
    let cut = 0
    let scored = 0
    let disjunctions = 0
    for (let round = 0; round < 2; round++) {
      const sizes = [9_000 + random.below(8_000), 700, 4_500]
      const collection = collectionOf(
        random,
        0,
        sizes.reduce((a, b) => a + b),
        () => {
          return sizes.shift() ?? 1
        },
      )
      for (let i = 0; i < 25; i++) {
        const query = i % 5 === 0 ? anyOf(WORDS.slice(0, 2 + (i % 4))) : randomQuery(random, 3)
        const sequential = profiled(collection, query, {}, null)
        const { rewritten, weightRoot } = sequential
        const matched = collection.oracle.search(rewritten).length
        const rule = `${queryText(rewritten)}, round ${round}`
        for (const sliceCount of [1, 2, 3, 4]) {
          const run = profiled(collection, query, {}, sliceCount, false, true)
          const again = profiled(collection, query, {}, sliceCount, false, true)
          if (run.partCount > collection.leaves.length) cut++
          if (matched > 0) scored++
          const expected = {
            concurrent: true,
            human: false,
            sliceCount: run.sliceCount,
            wallTime: run.wallTime,
            exact: {
              moves: { matched, begunLeaves: run.partCount },
              scores: true,
              twoPhase: twoPhaseOf(weightRoot),
              collected: matched,
            },
          }
          expect(() => checkShardProfile(run.profile, expected), rule).not.toThrow()
          expect(run.hits, rule).toEqual(sequential.hits)
          // The same cuts count the same; other cuts build more scorers and end more often.
          expect(countsOf(again.root), rule).toEqual(countsOf(run.root))
          const more = run.partCount - collection.leaves.length
          expect(countOf(run.root, 'score'), rule).toBe(countOf(sequential.root, 'score'))
          if (!isPlainDisjunction(weightRoot)) continue
          const children = run.root['children'] as readonly JsonRecord[]
          const others = sequential.root['children'] as readonly JsonRecord[]
          children.forEach((child, at) => {
            const other = others[at] as JsonRecord
            expect(countOf(child, 'score'), rule).toBe(countOf(other, 'score'))
            const steps = movesOf(child) - movesOf(other)
            expect(steps >= 0 && steps <= more, `${rule}: ${steps} more moves`).toBe(true)
          })
          disjunctions++
        }
      }
    }
    expect(cut).toBeGreaterThan(100)
    expect(scored).toBeGreaterThan(100)
    expect(disjunctions).toBeGreaterThan(10)
  })

  it('shows a node for every clause, with the key order of the documentation', () => {
    const collection = randomCollection(new Random(3), 0)
    const query: Query = {
      kind: 'boolean',
      clauses: [
        { occur: 'must', query: { kind: 'term', field: 'body', term: 'the' } },
        {
          occur: 'should',
          query: { kind: 'boost', query: { kind: 'term', field: 'body', term: 'sea' }, boost: 2 },
        },
      ],
      minimumShouldMatch: 0,
    }
    const { root, profile, sliceCount } = profiled(collection, query, {}, 2)
    expect(root['type']).toBe('BooleanQuery')
    expect(root['description']).toBe('+body:the (body:sea)^2.0')
    const children = root['children'] as readonly JsonRecord[]
    expect(children.map(child => [child['type'], child['description'], child['children']])).toEqual(
      [
        ['TermQuery', 'body:the', undefined],
        ['BoostQuery', '(body:sea)^2.0', undefined],
      ],
    )
    const printed = JSON.parse(JSON.stringify(profile)) as {
      searches: [{ query: [object]; collector: [object] }]
    }
    expect(Object.keys(printed)).toEqual([
      'id',
      'inbound_network_time_in_millis',
      'outbound_network_time_in_millis',
      'searches',
      'aggregations',
    ])
    expect(Object.keys(printed.searches[0])).toEqual(['query', 'rewrite_time', 'collector'])
    expect(Object.keys(printed.searches[0].query[0])).toEqual([
      'type',
      'description',
      'time_in_nanos',
      'max_slice_time_in_nanos',
      'min_slice_time_in_nanos',
      'avg_slice_time_in_nanos',
      'breakdown',
      'children',
    ])
    expect(printed.searches[0].collector[0]).toMatchObject({
      name: 'SimpleTopDocsCollectorManager',
      reason: 'search_sorted',
      slice_count: sliceCount,
    })
  })

  it('names the chain of collectors from the outside in', () => {
    const collection = randomCollection(new Random(4), 0)
    const spec = { minScore: 0.1, terminateAfter: 5, deadline: nowInNanos() + 60e9 }
    const { profile } = profiled(collection, { kind: 'matchAll' }, spec, null)
    const names: unknown[] = []
    const searches = profile['searches'] as readonly JsonRecord[]
    let node = ((searches[0] as JsonRecord)['collector'] as readonly JsonRecord[])[0]
    while (node !== undefined) {
      names.push([node['name'], node['reason']])
      node = (node['children'] as readonly JsonRecord[] | undefined)?.[0]
    }
    expect(names).toEqual([
      ['TimeLimitingCollector', 'search_timeout'],
      ['MinimumScoreCollector', 'search_min_score'],
      ['MultiCollector', 'search_terminate_after_count'],
      ['SimpleTopScoreDocCollector', 'search_sorted'],
    ])
  })

  it('has an entry for a shard without segments', () => {
    const empty: Collection = { documents: [], leaves: [], oracle: new Oracle([]) }
    const run = profiled(empty, { kind: 'term', field: 'body', term: 'sea' }, {}, 2)
    expect(() =>
      checkShardProfile(run.profile, {
        concurrent: true,
        human: false,
        sliceCount: 0,
        wallTime: run.wallTime,
        exact: null,
      }),
    ).not.toThrow()
  })
})
