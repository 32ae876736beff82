// Opens a data folder in a process of its own, searches it once on its threads and prints what is
// resident: `node resident-child.mjs FOLDER FIELD WORD`.
import { Node } from '../../dist/engine/node/node.js'

const [folder, field, word] = process.argv.slice(2)
const before = process.memoryUsage().rss
const started = performance.now()
const node = new Node({ folder, settings: new Map([['lamella.threads.search', '2']]) })
const openInMillis = performance.now() - started
const openRss = process.memoryUsage().rss
const shard = node.index('bench').shards[0]
const { result } = await node.searcher.search(
  shard.snapshot,
  {
    query: { kind: 'term', field, term: word },
    postFilter: null,
    maxClauseCount: 1024,
    spec: {
      topCount: 10,
      sort: null,
      searchAfter: null,
      trackTotalHits: Number.POSITIVE_INFINITY,
      trackScores: false,
      minScore: null,
      terminateAfter: 0,
      deadline: 0,
    },
  },
  {
    concurrent: true,
    slices: { maxSliceCount: 2, intraSegment: 'auto', intraSegmentMinDocs: 1 },
    profile: null,
    executor: 'threads',
    kernels: true,
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
    hits: result.total.value,
  }),
)
await node.close()
