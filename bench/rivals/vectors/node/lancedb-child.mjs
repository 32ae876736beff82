// LanceDB as a child of the vectors' bench: one partition, whose graph is over codes of eight bits.
import { readFileSync } from 'node:fs'
import { connect, Index } from '@lancedb/lancedb'
import { serve, since } from '../../child-loop.mjs'
import { answerOf, EF_CONSTRUCTION, K, M, queryNumber, vectorSet } from '../vector-files.mjs'

const { version } = JSON.parse(
  readFileSync(new URL('node_modules/@lancedb/lancedb/package.json', import.meta.url), 'utf8'),
)
const TABLE = 'vectors'
/** Rows of one batch. */
const BATCH = 10_000

let queries = []
let table = null

await serve({
  hello: { version: `LanceDB ${version}`, runtime: `Node ${process.version}` },
  async build(file, folder) {
    const set = vectorSet(file)
    queries = set.queries
    const database = await connect(folder)
    const rows = set.vectors.map((vector, id) => ({ id, vector: Array.from(vector) }))
    const start = process.hrtime.bigint()
    const made = await database.createTable(TABLE, rows.slice(0, BATCH))
    for (let at = BATCH; at < rows.length; at += BATCH) await made.add(rows.slice(at, at + BATCH))
    const config = Index.hnswSq({
      distanceType: 'l2',
      numPartitions: 1,
      m: M,
      efConstruction: EF_CONSTRUCTION,
    })
    await made.createIndex('vector', { config })
    const nanos = since(start)
    return { nanos, mergeNanos: 0, docs: rows.length, bytes: null }
  },
  async open(folder) {
    table = await (await connect(folder)).openTable(TABLE)
  },
  prepare(mode, _slices, clauses) {
    const vector = queries[queryNumber(clauses)]
    return () =>
      table.search(vector).distanceType('l2').ef(Number(mode)).select(['id']).limit(K).toArray()
  },
  answer: rows => answerOf(rows.map(({ id }) => Number(id))),
  close: () => {},
})
