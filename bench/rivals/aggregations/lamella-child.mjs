// @ts-check
// Lamella as a child of the aggregations' bench: from a request that has been read to the record of its
// answer, as the other engines are timed from a prepared statement to its rows.
import { readFileSync } from 'node:fs'
import { Node } from '../../../dist/engine/node/node.js'
import { readSearch, searchNow } from '../../../dist/engine/search/search-call.js'
import { open } from '../../../dist/index.js'
import { trusted } from '../../../dist/task/call-context.js'
import { parseJsonTree } from '../../../dist/util/json/json-tree.js'
import { writeJson } from '../../../dist/util/json/json-writer.js'
import { searchTarget } from '../../lib/search-target.mjs'
import { TABLE_MAPPINGS, tableRequest } from '../../lib/table-request.mjs'
import { serve, since } from '../child-loop.mjs'

/** Rows of one bulk request. */
const BATCH = 20_000
const INDEX = 'table'
/** A second thread beside the calling one serves the lines of two threads alone. */
const SETTINGS = { 'lamella.threads.write': '1', 'lamella.threads.search': '2' }

const NO_BODY = new Uint8Array(0)

/** @type {Node | null} */
let node = null

/**
 * @param {string} documents file of the rows, one JSON object a line
 * @param {string} folder
 */
async function build(documents, folder) {
  const database = await open(folder, { settings: SETTINGS })
  const index = await database.index(INDEX, TABLE_MAPPINGS, {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
  })
  /** @param {string} verb @param {string | Uint8Array} body */
  const send = async (verb, body = NO_BODY) => {
    const answer = await database.request({ method: 'POST', path: `/${INDEX}/${verb}`, body })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.json()))
  }
  const rows = readFileSync(documents, 'utf8').trimEnd().split('\n')
  const start = process.hrtime.bigint()
  for (let at = 0; at < rows.length; at += BATCH) {
    const lines = rows.slice(at, at + BATCH).map(row => `{"index":{}}\n${row}\n`)
    await send('_bulk', lines.join(''))
  }
  await index.refresh()
  const nanos = since(start)
  await send('_forcemerge?max_num_segments=1')
  await index.flush()
  const mergeNanos = since(start) - nanos
  await database.close()
  return { nanos, mergeNanos, docs: rows.length, bytes: {} }
}

const TARGET = searchTarget(INDEX)

/**
 * The numbers of an aggregation's result, in the order of table-cases.ts.
 * @param {string} kind
 * @param {any} result
 * @param {readonly string[]} below
 * @returns {number[]}
 */
function numbersOf(kind, result, below) {
  if (kind === 'cardinality' || kind === 'avg') return [result.value]
  if (kind === 'stats') return [result.count, result.min, result.max, result.avg, result.sum]
  if (kind === 'percentiles') return Object.values(result.values)
  if (kind === 'top') return result.hits.hits.map((/** @type {any} */ hit) => hit.sort[0])
  const [inner] = below
  return result.buckets.flatMap((/** @type {any} */ bucket) => [
    ...(kind === 'ranges' ? [] : [numberOf(bucket.key)]),
    bucket.doc_count,
    ...(inner === undefined ? [] : numbersOf(inner, bucket.x, below.slice(1))),
  ])
}

/** @param {string | number} key */
function numberOf(key) {
  return typeof key === 'number' ? key : Number(key.slice(key.indexOf(' ') + 1))
}

await serve({
  hello: { version: 'Lamella', runtime: `Node ${process.version}` },
  build,
  /** @param {string} folder */
  open(folder) {
    node = new Node({ folder, settings: new Map(Object.entries(SETTINGS)) })
  },
  /**
   * @param {string} _mode
   * @param {number} slices
   * @param {import('../../lib/table-request.mjs').Level[]} levels
   */
  prepare(_mode, slices, levels) {
    if (node === null) throw new Error('prepare before open')
    const opened = node
    const body = parseJsonTree(Buffer.from(JSON.stringify(tableRequest(levels))))
    const call = { target: TARGET, body, options: { requestCache: false }, human: false, slices }
    const request = readSearch(call)
    const kinds = levels.map(({ kind }) => kind)
    return async () => {
      const context = trusted('indices:data/read/search')
      return { kinds, outcome: await searchNow(opened, call, request, context) }
    }
  },
  /** @param {{ kinds: string[], outcome: { body: any } }} found */
  answer({ kinds: [kind = '', ...below], outcome }) {
    const { aggregations } = JSON.parse(Buffer.from(writeJson(outcome.body)).toString())
    const keys = numbersOf(kind, aggregations.x, below)
    return { docs: [], keys, total: null, exact: true }
  },
  close: () => node?.close(),
})
