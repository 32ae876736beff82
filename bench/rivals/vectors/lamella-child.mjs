// Lamella as a child of the vectors' bench: from a request that has been read to the record of its answer.
import { Node } from '../../../dist/engine/node/node.js'
import { readSearch, searchNow } from '../../../dist/engine/search/search-call.js'
import { open, t } from '../../../dist/index.js'
import { trusted } from '../../../dist/task/call-context.js'
import { parseJsonTree } from '../../../dist/util/json/json-tree.js'
import { searchTarget } from '../../lib/search-target.mjs'
import { serve, since } from '../child-loop.mjs'
import { answerOf, EF_CONSTRUCTION, K, M, queryNumber, vectorSet } from './vector-files.mjs'

const INDEX = 'vectors'
const SETTINGS = { 'lamella.threads.write': '1', 'lamella.threads.search': '1' }
const TARGET = searchTarget(INDEX)

let node = null
let queries = []

async function build(file, folder) {
  const set = vectorSet(file)
  queries = set.queries
  const database = await open(folder, { settings: SETTINGS })
  const method = { engine: 'faiss', m: M, efConstruction: EF_CONSTRUCTION }
  const mapping = t.index({ v: t.vector(set.dimension, { method }) })
  const start = process.hrtime.bigint()
  const index = await database.index(INDEX, mapping, { settings: { refresh_interval: '-1' } })
  await index.bulk(set.vectors.map((v, i) => ({ id: `${i}`, source: { v } })))
  await index.refresh()
  const nanos = since(start)
  const path = `/${INDEX}/_forcemerge?max_num_segments=1`
  await database.request({ method: 'POST', path })
  await index.flush()
  const mergeNanos = since(start) - nanos
  await database.close()
  return { nanos, mergeNanos, docs: set.vectors.length, bytes: null }
}

await serve({
  hello: { version: 'Lamella', runtime: `Node ${process.version}` },
  build,
  open(folder) {
    node = new Node({ folder, settings: new Map(Object.entries(SETTINGS)) })
  },
  prepare(mode, _slices, clauses) {
    const vector = Array.from(queries[queryNumber(clauses)])
    const knn = { v: { vector, k: K, method_parameters: { ef_search: Number(mode) } } }
    const body = parseJsonTree(
      Buffer.from(JSON.stringify({ size: K, _source: false, query: { knn } })),
    )
    const call = { target: TARGET, body, options: { requestCache: false }, human: false }
    const request = readSearch(call)
    return () => searchNow(node, call, request, trusted('indices:data/read/search'))
  },
  answer: ({ body }) => answerOf(body.hits.hits.map(hit => Number(hit._id))),
  close: () => node?.close(),
})
