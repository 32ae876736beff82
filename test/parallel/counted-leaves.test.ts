/** Leaves whose statistics tell the buckets of an aggregation: threads do not cut them, and costs know it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Aggregation } from '../../src/aggregation/aggregation.ts'
import type { NumberSource } from '../../src/aggregation/value-source.ts'
import { runBulk } from '../../src/engine/document/bulk.ts'
import { createIndex } from '../../src/engine/index/index-life.ts'
import { Node } from '../../src/engine/node/node.ts'
import { cutParts, USUAL_CUT } from '../../src/parallel/cut-work.ts'
import type { AnyGather } from '../../src/parallel/gathers.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { Snapshot } from '../../src/segment/snapshot.ts'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'
import { bucketsOf, tagsOf } from '../support/tag-buckets.ts'

const DOCUMENTS = 60_000
const TAGS = 7
const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
/** 40 days of hours. */
const HOURS = 24 * 40

const node = new Node({
  folder: null,
  settings: new Map([
    ['lamella.threads.search', '2'],
    ['lamella.threads.write', '1'],
  ]),
})
/** Without and with a deletion. */
const snapshots: Snapshot[] = []

async function bulk(index: string, lines: readonly object[]): Promise<void> {
  const target = { index, routing: null, refresh: 'false', requireAlias: false } as const
  const rest = { source: null, waitForActiveShards: 1, timeoutInMillis: 30_000 } as const
  const body = encodeUtf8(`${lines.map(line => JSON.stringify(line)).join('\n')}\n`)
  await runBulk(node, { ...target, ...rest, body }, trusted('indices:data/write/bulk'))
  await node.index(index)!.shards[0]!.refresh()
}

beforeAll(async () => {
  const fields = {
    tag: { type: 'keyword' },
    column: { type: 'keyword', index: false },
    at: { type: 'date' },
    atColumn: { type: 'date', index: false },
  }
  const mappings = parseJsonTree(encodeUtf8(JSON.stringify({ properties: fields })))
  const settings = new Map([['index.refresh_interval', '-1']])
  for (const name of ['whole', 'cut']) {
    await createIndex(
      node,
      { name, settings, mappings, aliases: null, waitForActiveShards: 1 },
      trusted('indices:admin/create'),
    )
    const lines = Array.from({ length: DOCUMENTS }, (_, i) => {
      const tag = `t${i % TAGS}`
      const at = START + (i % HOURS) * HOUR
      return [{ index: { _id: `${i}` } }, { tag, column: tag, at, atColumn: at }]
    })
    await bulk(name, lines.flat())
    if (name === 'cut') await bulk(name, [{ delete: { _id: '0' } }])
    snapshots.push(node.index(name)!.shards[0]!.snapshot.acquire())
  }
}, 120_000)

afterAll(async () => {
  for (const snapshot of snapshots) snapshot.release()
  await node.close()
})

function slices(maxSliceCount: number): Partial<ShardSearchOptions> {
  const cut = { maxSliceCount, intraSegment: 'auto', intraSegmentMinDocs: 1 } as const
  return { concurrent: true, kernels: true, slices: cut }
}

const WAYS: readonly Partial<ShardSearchOptions>[] = [
  { executor: 'inline', kernels: true },
  { executor: 'inline', kernels: false },
  { executor: 'threads', ...slices(1) },
  { executor: 'threads', ...slices(4) },
  { executor: 'together', ...slices(3) },
]

function counting(field: string, maxTerms: number): AnyGather {
  return { ...tagsOf(field), counts: { maxRuns: 0, maxTerms } } as AnyGather
}

it.each([
  ['the dictionary has few terms', 'tag', TAGS, 0, { isSure: true, entries: TAGS }],
  ['it has too many', 'tag', TAGS - 1, 0, null],
  ['there is none', 'column', TAGS, 0, null],
  ['a document is deleted', 'tag', TAGS, 1, null],
] as const)('are told where %s', async (_case, field, maxTerms, at, expected) => {
  const gather = counting(field, maxTerms)
  const plan = searchPlan({ kind: 'matchAll' }, { topCount: 0 }, null, [gather])
  const snapshot = snapshots[at]!
  const each = Math.floor(DOCUMENTS / TAGS)
  const counts = Array.from({ length: TAGS }, (_, tag) => {
    const count = each + (tag < DOCUMENTS % TAGS ? 1 : 0)
    return [`t${tag}`, tag === 0 ? count - at : count]
  })
  for (const way of WAYS) {
    const options = searchOptions({ ...way, reports: true })
    const { result, prepared, reports } = await node.searcher.search(snapshot, plan, options)
    expect(prepared!.counting).toEqual([expected])
    const found = bucketsOf(gather, result.parts[0]).map(({ value, count }) => [value, count])
    expect(found.sort(), JSON.stringify(way)).toEqual(counts)
    const parts = reports.flatMap(report => report.leaves.map(leaf => leaf.maxDoc - leaf.minDoc))
    const isCut = expected === null && way.executor !== 'inline'
    expect(parts.length > 1, JSON.stringify(way)).toBe(isCut)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(DOCUMENTS)
  }
})

function longsOf(field: string): NumberSource {
  return {
    kind: 'numbers',
    field,
    encoding: 'long',
    scale: 1,
    type: 'long',
    isNanos: false,
    missing: null,
    format: { kind: 'raw' },
  }
}

/** A bucket for each interval. */
function times(field: string, millis: number, maxRuns: number): AnyGather {
  const values = longsOf(field)
  const histogram: Aggregation = {
    kind: 'dateHistogram',
    name: 'tags',
    children: [],
    values,
    rounding: { interval: { kind: 'fixed', millis }, zone: null, offset: 0 },
    minDocCount: 1,
    order: [{ by: 'key', descending: false }],
    keyed: false,
    extendedBounds: null,
    hardBounds: null,
  }
  const counts = { maxRuns, maxTerms: 0 }
  return { kind: 'aggregations', nodes: [histogram], maxBytes: 1e9, counts }
}

it.each([
  ['points have few steps', 'at', 24 * HOUR, 40, 0, { isSure: true, entries: 400 }],
  ['they have a step too many', 'at', 24 * HOUR, 39, 0, null],
  ['they have far too many', 'at', HOUR, 39, 0, null],
  ['there are none', 'atColumn', 24 * HOUR, 40, 0, null],
  ['a document is deleted', 'at', 24 * HOUR, 40, 1, null],
] as const)('are told where %s', async (_case, field, millis, maxRuns, at, expected) => {
  const gather = times(field, millis, maxRuns)
  const plan = searchPlan({ kind: 'matchAll' }, { topCount: 0 }, null, [gather])
  const counts = new Map<number, number>()
  for (let i = at; i < DOCUMENTS; i++) {
    const key = Math.floor((START + (i % HOURS) * HOUR) / millis) * millis
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const way of WAYS) {
    const options = searchOptions({ ...way, reports: true })
    const { result, prepared, reports } = await node.searcher.search(snapshots[at]!, plan, options)
    expect(prepared!.counting).toEqual([expected])
    const found = bucketsOf(gather, result.parts[0])
    const byKey = new Map(found.map(({ value, count }) => [Number(value), count]))
    expect(byKey, JSON.stringify(way)).toEqual(counts)
    const parts = reports.flatMap(report => report.leaves)
    expect(parts.length > 1).toBe(expected === null && way.executor !== 'inline')
  }
})

it('leaves that only their counting shows to be told stay whole', async () => {
  const histogram: Aggregation = {
    kind: 'autoDateHistogram',
    name: 'tags',
    children: [],
    values: longsOf('at'),
    target: 50,
    finest: 0,
    zone: null,
  }
  const counts = { maxRuns: 3000, maxTerms: 0 }
  const gather: AnyGather = { kind: 'aggregations', nodes: [histogram], maxBytes: 1e9, counts }
  const plan = searchPlan({ kind: 'matchAll' }, { topCount: 0 }, null, [gather])
  for (const way of WAYS) {
    const options = searchOptions({ ...way, reports: true })
    const { result, prepared, reports } = await node.searcher.search(snapshots[0]!, plan, options)
    expect(prepared!.counting).toEqual([{ isSure: false, entries: 0 }])
    expect(reports.flatMap(report => report.leaves)).toHaveLength(1)
    const days = bucketsOf(gather, result.parts[0])
    expect(days).toHaveLength(HOURS / 24)
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(DOCUMENTS)
  }
})

it('leaves that are kept are not cut', () => {
  const parts = cutParts([50_000, 50_000], 1e9, 2, USUAL_CUT, leafOrd => leafOrd === 1)
  expect(parts.filter(({ leafOrd }) => leafOrd === 0).length).toBeGreaterThan(4)
  expect(parts.filter(({ leafOrd }) => leafOrd === 1)).toEqual([
    { leafOrd: 1, minDoc: 0, maxDoc: 50_000 },
  ])
})
