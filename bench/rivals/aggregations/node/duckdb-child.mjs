// DuckDB as a child of the aggregations' bench: a table in memory, its answers as rows.
import { DuckDBInstance } from '@duckdb/node-api'
import { serve, since } from '../../child-loop.mjs'
import { numbersOf, statementOf } from './sql.mjs'

const COLUMNS = `{
  'k10': 'varchar', 'k1000': 'varchar', 'k100000': 'varchar', 'tags': 'varchar',
  'n': 'integer', 'd': 'double', 't': 'bigint', 'p': 'integer'
}`
const DIALECT = {
  day: time => `date_trunc('day', ${time})`,
  month: time => `date_trunc('month', ${time})`,
  distinct: field => `approx_count_distinct(${field})`,
  quantiles: (field, shares) => `approx_quantile(${field}, [${shares}])`,
  least: (field, size) => `min(${field}, ${size})`,
  each: list => `unnest(${list})`,
  countWithin: (from, to, field) => `count(*) filter (${field} >= ${from} and ${field} < ${to})`,
  floor: (field, interval) => `${field} // ${interval} * ${interval}`,
}

const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
const connection = await instance.connect()
const [[version]] = await (await connection.runAndReadAll('select version()')).getRows()
let threads = 1

await serve({
  hello: { version: `DuckDB ${version}`, runtime: `Node ${process.version}` },
  async build(documents) {
    const start = process.hrtime.bigint()
    await connection.run(`create table rows as
      select k10, k1000, k100000, if(tags = '', [], string_split(tags, ';')) as tags, n, d,
        make_timestamp(t * 1000) as t, p
      from read_csv('${documents}', delim = '\\t', header = false, quote = '', nullstr = '\\N', columns = ${COLUMNS})`)
    const nanos = since(start)
    const counted = await connection.runAndReadAll('select count(*) from rows')
    const docs = Number(counted.getRows()[0][0])
    return { nanos, mergeNanos: 0, docs, bytes: null, note: 'a table in memory' }
  },
  open() {},
  async prepare(_mode, slices, levels) {
    const statement = await connection.prepare(statementOf(levels, DIALECT))
    return async () => {
      if (threads !== slices) {
        await connection.run(`set threads to ${slices}`)
        threads = slices
      }
      const reader = await statement.runAndReadAll()
      return { levels, rows: reader.getRows() }
    }
  },
  answer({ levels, rows }) {
    const plain = rows.map(row => row.map(plainOf))
    return { docs: [], keys: numbersOf(levels, plain), total: null, exact: true }
  },
  close: () => connection.closeSync(),
})

/** Dates and times as milliseconds, lists as arrays. */
function plainOf(value) {
  if (value === null || typeof value !== 'object') return value
  if ('micros' in value) return Number(value.micros / 1000n)
  if ('days' in value) return value.days * 86_400_000
  if ('items' in value) return value.items.map(plainOf)
  return value
}
