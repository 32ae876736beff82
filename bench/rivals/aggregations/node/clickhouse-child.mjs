// ClickHouse in process, by chdb, as a child of the aggregations' bench.
import { Session } from 'chdb'
import { serve, since, Unsupported } from '../../child-loop.mjs'
import { numbersOf, statementOf } from './sql.mjs'

const DIALECT = {
  day: time => `toStartOfDay(${time})`,
  month: time => `toStartOfMonth(${time})`,
  distinct: field => `uniq(${field})`,
  quantiles: (field, shares) => `quantiles(${shares})(${field})`,
  least: (field, size) => `groupArraySorted(${size})(${field})`,
  each: list => `arrayJoin(${list})`,
  countWithin: (from, to, field) => `countIf(${field} >= ${from} and ${field} < ${to})`,
  floor: (field, interval) => `intDiv(${field}, ${interval}) * ${interval}`,
}
const DATE = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d+)?)?$/

const session = new Session()
const version = session.query('select version()', 'TabSeparated').trim()

await serve({
  hello: { version: `ClickHouse ${version} (chdb)`, runtime: `Node ${process.version}` },
  build(documents) {
    const start = process.hrtime.bigint()
    session.query('create database bench')
    session.query(`create table bench.rows (
      k10 LowCardinality(String), k1000 LowCardinality(String), k100000 String,
      tags Array(LowCardinality(String)), n Int32, d Float64, t DateTime64(3, 'UTC'), p Int32
    ) engine = MergeTree order by tuple()`)
    session.query(`insert into bench.rows
      select k10, k1000, k100000, if(tags = '', [], splitByChar(';', tags)), n, d,
        fromUnixTimestamp64Milli(t, 'UTC'), p
      from file('${documents}', 'TSV',
        'k10 String, k1000 String, k100000 String, tags String, n Int32, d Float64, t Int64, p Int32')`)
    const nanos = since(start)
    session.query('optimize table bench.rows final')
    const docs = Number(session.query('select count() from bench.rows', 'TabSeparated'))
    const mergeNanos = since(start) - nanos
    return { nanos, mergeNanos, docs, bytes: null, note: 'a table of its own session' }
  },
  open() {},
  prepare(_mode, slices, levels) {
    const text = statementOf(levels, DIALECT).replace('from rows', 'from bench.rows')
    if (text.includes('undefined')) throw new Unsupported('no such case')
    const sql = `${text} settings max_threads = ${slices}`
    return () => ({ levels, text: session.query(sql, 'JSONCompact') })
  },
  answer({ levels, text }) {
    const rows = JSON.parse(text).data.map(row => row.map(plainOf))
    return { docs: [], keys: numbersOf(levels, rows), total: null, exact: true }
  },
  close: () => session.cleanup(),
})

function plainOf(value) {
  if (typeof value !== 'string' || !DATE.test(value)) return value
  return Date.parse(`${value.replace(' ', 'T')}${value.includes(' ') ? '' : 'T00:00:00'}Z`)
}
