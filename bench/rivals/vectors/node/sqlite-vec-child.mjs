// sqlite-vec as a child of the vectors' bench: it has no graph and compares all vectors.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { load } from 'sqlite-vec'
import { serve, since, Unsupported } from '../../child-loop.mjs'
import { answerOf, K, queryNumber, vectorSet } from '../vector-files.mjs'

const FILE = 'vectors.db'

let queries = []
let search = null

function opened(path) {
  const database = new Database(path)
  load(database)
  return database
}

await serve({
  hello: {
    version: `sqlite-vec ${opened(':memory:').prepare('select vec_version()').pluck().get()}`,
    runtime: `Node ${process.version}`,
  },
  build(file, folder) {
    const set = vectorSet(file)
    queries = set.queries
    const database = opened(join(folder, FILE))
    database.exec(`create virtual table v using vec0(vector float[${set.dimension}])`)
    const add = database.prepare('insert into v(rowid, vector) values (?, ?)')
    const start = process.hrtime.bigint()
    database.transaction(() => {
      for (const [i, vector] of set.vectors.entries()) add.run(BigInt(i + 1), vector)
    })()
    const nanos = since(start)
    database.close()
    return { nanos, mergeNanos: 0, docs: set.vectors.length, bytes: null }
  },
  open(folder) {
    search = opened(join(folder, FILE))
      .prepare('select rowid from v where vector match ? and k = ?')
      .pluck()
  },
  prepare(mode, _slices, clauses) {
    if (mode !== 'all') throw new Unsupported('it compares all vectors')
    const vector = queries[queryNumber(clauses)]
    return () => search.all(vector, K)
  },
  answer: rowids => answerOf(rowids.map(rowid => Number(rowid) - 1)),
  close: () => {},
})
