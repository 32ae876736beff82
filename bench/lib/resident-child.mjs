// @ts-check
// Opens a data folder in a process of its own, searches it once on its threads and prints what is
// resident: `node resident-child.mjs FOLDER FIELD WORD`.
import { Node } from '../../dist/engine/node/node.js'
import { gatherPlan, NO_LIMITS } from '../../dist/search/collector/gather-plan.js'

const [folder = '', field = '', word = ''] = process.argv.slice(2)
const before = process.memoryUsage().rss
const started = performance.now()
const node = new Node({ folder, settings: new Map([['lamella.threads.search', '2']]) })
const openInMillis = performance.now() - started
const openRss = process.memoryUsage().rss
const shard = node.index('bench')?.shards[0]
if (shard === undefined) throw new Error(`no index in ${folder}`)
const { result } = await node.searcher.search(
  shard.snapshot,
  {
    query: { kind: 'term', field, term: word },
    maxClauseCount: 1024,
    statistics: null,
    gather: gatherPlan(
      {
        kind: 'topHits',
        topCount: 10,
        sort: null,
        searchAfter: null,
        trackTotalHits: Number.POSITIVE_INFINITY,
        trackScores: false,
        collapse: null,
        postFilter: null,
      },
      [],
      NO_LIMITS,
    ),
  },
  {
    concurrent: true,
    slices: { maxSliceCount: 2, intraSegment: 'auto', intraSegmentMinDocs: 1 },
    profile: null,
    executor: 'threads',
    kernels: true,
    filterCache: true,
    reports: false,
    signal: null,
  },
)
console.log(
  JSON.stringify({
    openInMillis,
    before,
    openRss,
    rss: process.memoryUsage().rss,
    loadedBytes: node.memory.loadedBytes,
    hits: result.total?.value,
  }),
)
await node.close()
