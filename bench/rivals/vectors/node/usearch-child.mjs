// usearch as a child of the vectors' bench; a graph whose candidates are set where it is opened.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Index, MetricKind, ScalarKind } from 'usearch'
import { serve, since } from '../../child-loop.mjs'
import { answerOf, EF_CONSTRUCTION, K, M, queryNumber, vectorSet } from '../vector-files.mjs'

const { version } = JSON.parse(
  readFileSync(new URL('node_modules/usearch/package.json', import.meta.url), 'utf8'),
)
const FILE = 'usearch.index'

let queries = []
let dimensions = 0
let path = ''
const opened = new Map()

function graph(candidates) {
  return new Index({
    metric: MetricKind.L2sq,
    quantization: ScalarKind.F32,
    dimensions,
    connectivity: M,
    expansion_add: EF_CONSTRUCTION,
    expansion_search: candidates,
  })
}

await serve({
  hello: { version: `usearch ${version}`, runtime: `Node ${process.version}` },
  build(file, folder) {
    const set = vectorSet(file)
    queries = set.queries
    dimensions = set.dimension
    const index = graph(EF_CONSTRUCTION)
    const start = process.hrtime.bigint()
    for (const [i, vector] of set.vectors.entries()) index.add(BigInt(i), vector, 1)
    const nanos = since(start)
    index.save(join(folder, FILE))
    return { nanos, mergeNanos: 0, docs: set.vectors.length, bytes: null }
  },
  open(folder) {
    path = join(folder, FILE)
  },
  prepare(mode, _slices, clauses) {
    if (!opened.has(mode)) {
      const index = graph(Number(mode))
      index.load(path)
      opened.set(mode, index)
    }
    const index = opened.get(mode)
    const vector = queries[queryNumber(clauses)]
    return () => index.search(vector, K, 1)
  },
  answer: ({ keys }) => answerOf(Array.from(keys, Number)),
  close: () => {},
})
