// @ts-check
// Lamella as a child of the rivals' bench: builds an index and searches it below the DSL.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { runBulk } from '../../../dist/engine/document/bulk.js'
import { createIndex } from '../../../dist/engine/index/index-life.js'
import { Node } from '../../../dist/engine/node/node.js'
import { trusted } from '../../../dist/task/call-context.js'
import { parseJsonTree } from '../../../dist/util/json/json-tree.js'
import { serve, since } from '../child-loop.mjs'
import { answerOf, CACHE_SETTINGS, HAS_FILTER_CACHE, searchOf } from './inline-search.mjs'

const MAPPING = {
  dynamic: false,
  properties: {
    head: { type: 'text' },
    body: { type: 'text' },
    package: { type: 'keyword' },
    words: { type: 'integer' },
    date: { type: 'date', format: 'epoch_millis' },
  },
}
/** Documents of one bulk request. */
const BATCH = 5000
const NEWLINE = 10

/** @type {Node | null} */
let node = null

/** @param {string} folder */
function openNode(folder) {
  const settings = { 'lamella.threads.search': '4', ...CACHE_SETTINGS }
  return new Node({ folder, settings: new Map(Object.entries(settings)) })
}

/**
 * @param {string} documents file of the documents, one JSON object a line
 * @param {string} folder
 * @param {number} threads write threads, each with a shard of its own
 */
async function build(documents, folder, threads) {
  const bytes = readFileSync(documents)
  const building = openNode(folder)
  await createIndex(
    building,
    {
      name: 'bench',
      settings: new Map([
        ['index.refresh_interval', '-1'],
        ['index.number_of_shards', String(threads)],
      ]),
      mappings: parseJsonTree(Buffer.from(JSON.stringify(MAPPING))),
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
  const shards = building.index('bench')?.shards ?? []
  const cpu = process.cpuUsage()
  const start = process.hrtime.bigint()
  let docs = 0
  let at = 0
  const send = async () => {
    if (at >= bytes.length) return
    const batch = batchFrom(bytes, at)
    at = batch.end
    docs += batch.count
    const outcome = await runBulk(
      building,
      {
        body: batch.body,
        index: null,
        routing: null,
        refresh: 'false',
        requireAlias: false,
        source: null,
        waitForActiveShards: 1,
        timeoutInMillis: 30_000,
      },
      trusted('indices:data/write/bulk'),
    )
    const failed = outcome.items.find(item => 'error' in item)
    if (failed !== undefined) throw new Error(String(failed.error))
    await send()
  }
  // Where there are several threads the next request is there when one is answered.
  await Promise.all(Array.from({ length: threads === 1 ? 1 : threads + 1 }, send))
  for (const shard of shards) await shard.refresh()
  await Promise.all(shards.map(shard => shard.flush()))
  const nanos = since(start)
  const { user, system } = process.cpuUsage(cpu)
  for (const shard of shards) await shard.forceMerge(1, false)
  await building.close()
  return {
    nanos,
    cpuNanos: (user + system) * 1000,
    mergeNanos: since(start) - nanos,
    docs,
    bytes: bytesByEnding(folder),
  }
}

const ACTION = Buffer.from('{"index":{"_index":"bench"}}\n')

/**
 * The bulk body of the next lines.
 * @param {Buffer} bytes
 * @param {number} start
 */
function batchFrom(bytes, start) {
  const parts = []
  let at = start
  let count = 0
  for (; count < BATCH && at < bytes.length; count++) {
    const end = bytes.indexOf(NEWLINE, at) + 1
    parts.push(ACTION, bytes.subarray(at, end))
    at = end
  }
  return { body: Buffer.concat(parts), count, end: at }
}

/** @param {string} folder */
function bytesByEnding(folder) {
  /** @type {Record<string, number>} */
  const byEnding = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const ending = extname(entry.name).slice(1) || 'other'
    const { size } = statSync(join(entry.parentPath, entry.name))
    byEnding[ending] = (byEnding[ending] ?? 0) + size
  }
  return byEnding
}

await serve({
  hello: {
    version: HAS_FILTER_CACHE ? 'Lamella, filter cache on' : 'Lamella',
    runtime: `Node ${process.version}`,
  },
  build,
  /** @param {string} folder */
  open(folder) {
    node = openNode(folder)
  },
  /**
   * @param {string} mode
   * @param {number} slices
   * @param {import('./inline-search.mjs').Clause[]} clauses
   */
  prepare(mode, slices, clauses) {
    const shard = node?.index('bench')?.shards[0]
    if (node === null || shard === undefined) throw new Error('prepare before open')
    return searchOf(node, shard, mode, slices, clauses)
  },
  answer: answerOf,
  close: () => node?.close(),
})
