import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Aggregation } from '../../../src/aggregation/aggregation.ts'
import type { NodePartial } from '../../../src/aggregation/aggregation-type.ts'
import { BucketBudget } from '../../../src/aggregation/bucket-budget.ts'
import { printResults } from '../../../src/aggregation/result.ts'
import { ShardNodes } from '../../../src/aggregation/shard-node.ts'
import type { NumberSource, TermSource } from '../../../src/aggregation/value-source.ts'
import { viewThrough } from '../../../src/engine/metadata/index-view.ts'
import { Node } from '../../../src/engine/node/node.ts'
import { analyseTexts } from '../../../src/engine/search/analyse-texts.ts'
import { countBackgrounds } from '../../../src/engine/search/count-backgrounds.ts'
import { replaySamples } from '../../../src/engine/search/replay-samples.ts'
import { withStops } from '../../../src/engine/search/stopped-passes.ts'
import type {
  ShardSearchOptions,
  ShardSearchOutcome,
} from '../../../src/parallel/search-options.ts'
import { NO_JOINS } from '../../../src/search/query/bind-joins.ts'
import type { Query } from '../../../src/search/query/query.ts'
import { queryText } from '../../../src/search/query/query-ops.ts'
import type { Snapshot } from '../../../src/segment/snapshot.ts'
import { TRUSTED_ASKER } from '../../../src/task/access.ts'
import { decodeUtf8 } from '../../../src/util/bytes.ts'
import { writeJson } from '../../../src/util/json/json-writer.ts'
import { Random } from '../../../src/util/random.ts'
import { fillRandomIndex } from '../../support/random-index.ts'
import { randomQuery } from '../../support/random-search.ts'
import { searchOptions, searchPlan } from '../../support/search-plan.ts'

const SEED = 608
const DOCUMENTS = 5000
const QUERIES = 8

const TAG: TermSource = {
  kind: 'terms',
  field: 'tag',
  fieldData: null,
  missing: null,
  format: { kind: 'raw' },
}
const numbers = (field: string): NumberSource => ({
  kind: 'numbers',
  field,
  encoding: 'long',
  scale: 1,
  type: 'long',
  isNanos: false,
  missing: null,
  format: { kind: 'raw' },
})
const CUT = {
  name: 's',
  heuristic: { kind: 'jlh' },
  size: 5,
  shardSize: 7,
  minDocCount: 1,
  shardMinDocCount: 0,
} as const
const BACKGROUND: Query = { kind: 'term', field: 'tag', term: 't3' }

const COUNT: Aggregation = { kind: 'valueCount', name: 'n', children: [], values: TAG }

const compare = (values: TermSource | NumberSource, background: Query | null): Aggregation => ({
  kind: 'significantTerms',
  children: [COUNT],
  values,
  ...CUT,
  filter: null,
  hint: null,
  background,
  path: null,
  counted: null,
})
const words = (background: Query | null): Aggregation => ({
  kind: 'significantText',
  children: [],
  values: { ...TAG, field: 'body' },
  ...CUT,
  paths: ['body', 'title'],
  dropsRepeated: true,
  filter: null,
  background,
})
const near: Aggregation = {
  kind: 'variableWidthHistogram',
  name: 'near',
  children: [compare(TAG, null)],
  values: numbers('num'),
  size: 4,
}

/** Every kind that takes more than one pass, and what stands below samples. */
const TREES: readonly Aggregation[] = [
  {
    kind: 'sampler',
    name: 'best',
    size: 60,
    children: [near, words(null), compare(numbers('num'), BACKGROUND)],
  },
  {
    kind: 'diversifiedSampler',
    name: 'diverse',
    values: numbers('first'),
    size: 200,
    perValue: 2,
    hint: null,
    children: [
      { kind: 'sampler', name: 'again', size: 20, children: [compare(TAG, BACKGROUND)] },
      near,
    ],
  },
  compare(numbers('num'), null),
  words(BACKGROUND),
  near,
].map((node, i) => ({ ...node, name: `${node.name}${i}` }) as Aggregation)

const node = new Node({
  folder: null,
  settings: new Map([
    ['lamella.threads.search', '2'],
    ['lamella.threads.write', '1'],
  ]),
})
let snapshot: Snapshot

beforeAll(async () => {
  await fillRandomIndex(node, SEED, DOCUMENTS)
  snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  expect(snapshot.leaves.length).toBeGreaterThan(2)
})
afterAll(async () => {
  snapshot.release()
  await node.close()
})

const cut = (maxSliceCount: number): ShardSearchOptions['slices'] => ({
  maxSliceCount,
  intraSegment: 'auto',
  intraSegmentMinDocs: 1,
})
/** How all passes of a search may be run; the answer must not show which. */
const WAYS: readonly Partial<ShardSearchOptions>[] = [
  { executor: 'auto', kernels: true },
  { executor: 'threads', kernels: true, concurrent: true, slices: cut(2) },
  { executor: 'threads', kernels: false, concurrent: true, slices: cut(4) },
  { executor: 'together', kernels: true, concurrent: true, slices: cut(2) },
  { executor: 'inline', kernels: true, profile: { sampling: 'calibrated', perLeaf: true } },
]

async function answer(query: Query, way: Partial<ShardSearchOptions>): Promise<string> {
  const signal = { isCancelled: false, onCancel: () => () => {} }
  const options = searchOptions({ ...way, signal })
  const charge = node.breakers.open('request', '<test>')
  const apart = {
    searcher: node.searcher,
    snapshot,
    options: { ...options, profile: null },
    joins: NO_JOINS,
    maxClauseCount: 1024,
    maxBytes: 1e9,
  }
  try {
    const nodes = await countBackgrounds(TREES, apart)
    const gather = { kind: 'aggregations', nodes, maxBytes: 1e9 } as const
    const plan = searchPlan(query, { topCount: 0 }, null, [gather])
    const { result } = await node.searcher.search(snapshot, plan, options)
    const found = result.parts[0] as readonly NodePartial[]
    const replays = new Map()
    const sampled = await replaySamples(nodes, found, {
      ...apart,
      options,
      plan,
      visible: null,
      check() {},
      signal,
      replays,
    })
    const index = node.index('i')!
    const search = { index, view: viewThrough(index.metadata, null, TRUSTED_ASKER) }
    const whole = await analyseTexts(nodes, sampled, { ...apart, node, search, signal, charge })
    const merged = new ShardNodes(
      TREES.map(each => [each]),
      { count: 1, budget: new BucketBudget(1e9), hasPipelines: false },
    )
    merged.nodes.forEach((each, i) => {
      each.add(whole[i]!, new Int32Array(1), 0)
    })
    return decodeUtf8(writeJson(printResults(merged.results(0), new Map(), false)))
  } finally {
    charge.release()
  }
}

it(`answer the same on threads and here, in any number of slices (seed ${SEED})`, async () => {
  const random = new Random(SEED)
  let sampled = 0
  for (let i = 0; i < QUERIES; i++) {
    const query = randomQuery(random, 2)
    const expected = await answer(query, {})
    if (!expected.includes('"best0":{"doc_count":0')) sampled++
    for (const way of WAYS)
      expect(
        await answer(query, way),
        `query ${i}: ${queryText(query)} ${JSON.stringify(way)}`,
      ).toBe(expected)
  }
  expect(sampled).toBeGreaterThan(QUERIES / 2)
})

it('end when the time of their search is over, and tell it', async () => {
  const signal = { isCancelled: false, onCancel: () => () => {} }
  const options = searchOptions({ signal })
  const [sampler] = TREES
  const cut: Aggregation = {
    kind: 'terms',
    name: 'tags',
    children: [COUNT],
    values: TAG,
    size: 3,
    shardSize: 3,
    minDocCount: 1,
    shardMinDocCount: 0,
    maxDocCount: Number.POSITIVE_INFINITY,
    order: [{ by: 'count', descending: true }],
    showsErrors: false,
    hint: null,
    filter: null,
    deferral: { children: ['n'], scores: false },
    mayDefer: null,
  }
  const nodes = [sampler!, cut]
  const gather = { kind: 'aggregations', nodes, maxBytes: 1e9 } as const
  const plan = searchPlan({ kind: 'matchAll' }, { topCount: 0 }, null, [gather])
  const first = await node.searcher.search(snapshot, plan, options)
  const found = first.result.parts[0] as readonly NodePartial[]
  const collect = async (
    deadline: number,
  ): Promise<ReadonlyMap<Aggregation, ShardSearchOutcome>> => {
    const replays = new Map<Aggregation, ShardSearchOutcome>()
    const limits = { ...plan.gather.limits, deadline }
    const call = {
      searcher: node.searcher,
      snapshot,
      options,
      signal,
      visible: null,
      maxBytes: 1e9,
    }
    const timed = { ...plan, gather: { ...plan.gather, limits } }
    await replaySamples(nodes, found, { ...call, plan: timed, check() {}, replays })
    return replays
  }
  const whole = await collect(0)
  expect(whole.has(sampler!) && whole.has(cut)).toBe(true)
  for (const { result } of whole.values()) expect(result.timedOut).toBe(false)
  expect(withStops(first, whole.values())).toBe(first)
  const late = await collect(1)
  expect(late.get(cut)!.result.timedOut).toBe(true)
  expect(late.get(sampler!)!.result.timedOut).toBe(true)
  expect(withStops(first, late.values()).result.timedOut).toBe(true)
})
