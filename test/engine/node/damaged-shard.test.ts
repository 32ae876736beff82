import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/embed/database.ts'
import { open } from '../../../src/embed/open.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

const folder = tempFolder('damaged-shard')
const whole = join(folder, 'whole')
/** Which of the documents 0…19 of `books` lie in which of its two shards. */
const idsOf: string[][] = [[], []]

/** Sends `'GET /books/_search'` and reads the answer. */
async function call(
  db: Database,
  line: string,
  body?: object | string,
): Promise<{ status: number; json: Json }> {
  const [method = '', path = ''] = line.split(' ')
  const answer = await db.request({ method, path, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, json: answer.json() }
}

/** A copy of the folder in which something befalls shard 0 of an index. */
function damaged(name: string, index: string, befall: (shard: string) => void): string {
  const copy = join(folder, name)
  rmSync(copy, { recursive: true, force: true })
  cpSync(whole, copy, { recursive: true })
  befall(shardFolder(copy, index))
  return copy
}

function shardFolder(data: string, index: string): string {
  const indices = join(data, 'indices')
  for (const uuid of readdirSync(indices)) {
    const state = readdirSync(join(indices, uuid)).find(file => file.startsWith('state_'))!
    if (readFileSync(join(indices, uuid, state)).includes(`"name":"${index}"`))
      return join(indices, uuid, '0')
  }
  throw new Error(`there is no index [${index}] in ${data}`)
}

function fileOf(shard: string, pattern: RegExp): string {
  return join(shard, readdirSync(shard).find(file => pattern.test(file))!)
}

function cut(shard: string): void {
  truncateSync(fileOf(shard, /\.seg$/), 100)
}

function flip(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 4
  writeFileSync(file, bytes)
}

function contentsOf(shard: string): Map<string, string> {
  return new Map(
    readdirSync(shard).map(file => [file, readFileSync(join(shard, file)).toString('hex')]),
  )
}

beforeAll(async () => {
  await using db = await open(whole)
  await call(db, 'PUT /books', { settings: { number_of_shards: 2, number_of_replicas: 1 } })
  await call(db, 'PUT /films', { settings: { number_of_replicas: 0 } })
  const lines = Array.from({ length: 21 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`)
  for (const index of ['books', 'films'])
    await call(db, `POST /${index}/_bulk?refresh=true`, lines.join(''))
  await call(db, 'POST /_flush')
  // Deletes after the commit give each shard a file of live documents.
  for (const index of ['books', 'films']) await call(db, `DELETE /${index}/_doc/20`)
  await call(db, 'DELETE /books/_doc/absent')
  const { json } = await call(db, 'GET /books/_search?size=20&explain=true')
  for (const hit of json.hits.hits)
    idsOf[Number(/\d/.exec(hit._shard.slice(-2))![0])]!.push(hit._id)
  expect(idsOf.map(ids => ids.length > 0)).toEqual([true, true])
})

describe('a node of which one shard is damaged', () => {
  it('opens, counts the shard as unassigned and leaves its files as they are', async () => {
    const copy = damaged('left', 'books', cut)
    const before = contentsOf(shardFolder(copy, 'books'))
    {
      await using db = await open(copy)
      const { json } = await call(db, 'GET /_cluster/health?level=shards')
      expect(json).toMatchObject({
        status: 'red',
        active_primary_shards: 2,
        active_shards: 2,
        unassigned_shards: 3,
        active_shards_percent_as_number: 40,
      })
      expect(json.indices.films.status).toBe('green')
      expect(json.indices.books).toMatchObject({ status: 'red', active_primary_shards: 1 })
      expect(json.indices.books.shards).toMatchObject({
        0: { status: 'red', primary_active: false, active_shards: 0, unassigned_shards: 2 },
        1: { status: 'yellow', primary_active: true, active_shards: 1, unassigned_shards: 1 },
      })
      const waited = await call(db, 'GET /_cluster/health/books?wait_for_status=yellow&timeout=0s')
      expect(waited.status).toBe(408)
      for (const action of ['_refresh', '_flush', '_forcemerge']) {
        const { status, json: done } = await call(db, `POST /books/${action}`)
        expect([status, done._shards]).toEqual([200, { total: 4, successful: 1, failed: 0 }])
      }
      const stats = (await call(db, 'GET /books/_stats?level=shards')).json
      expect(stats._shards).toEqual({ total: 4, successful: 1, failed: 0 })
      expect(Object.keys(stats.indices.books.shards)).toEqual(['1'])
      await call(db, 'PUT /books/_mapping', { properties: { late: { type: 'keyword' } } })
      await call(db, 'PUT /books/_settings', { refresh_interval: '5s' })
    }
    expect(contentsOf(shardFolder(copy, 'books'))).toEqual(before)
  })

  it('searches the others, and says what is wrong with the one', async () => {
    await using db = await open(damaged('searched', 'books', cut))
    expect((await call(db, 'GET /films/_count')).json.count).toBe(20)
    const { status, json } = await call(db, 'GET /books/_search?size=20')
    expect(status).toBe(200)
    expect(json.hits.hits.map((hit: Json) => hit._id).sort()).toEqual([...idsOf[1]!].sort())
    const { failures, ...counts } = json._shards
    expect(counts).toEqual({ total: 2, successful: 1, skipped: 0, failed: 1 })
    expect(failures).toMatchObject([
      {
        shard: 0,
        index: 'books',
        node: db.identity.nodeId,
        reason: {
          type: 'no_shard_available_action_exception',
          reason: 'No shard available for [search [books]]',
          index: 'books',
          shard: '0',
          caused_by: {
            type: 'corrupt_index_exception',
            reason: expect.stringMatching(/^corrupt file \[_.*\.seg\] at byte \[100\]: expected/),
          },
        },
      },
    ])
    const counted = await call(db, 'GET /books/_count')
    expect(counted.json).toMatchObject({ count: idsOf[1]!.length, _shards: { failed: 1 } })
    const both = await call(db, 'GET /_search?size=0')
    expect(both.json._shards).toMatchObject({ total: 3, successful: 2, failed: 1 })
    const strict = await call(db, 'GET /books/_search?allow_partial_search_results=false')
    expect([strict.status, strict.json.error.reason]).toEqual([503, 'Partial shards failure'])
    const routed = await call(db, `GET /books/_search?routing=${idsOf[0]![0]}`)
    expect([routed.status, routed.json.error.reason]).toEqual([503, 'all shards failed'])
  })

  it('writes to the others and refuses what belongs to the one', async () => {
    const copy = damaged('written', 'books', cut)
    const [lost, kept] = [idsOf[0]![0]!, idsOf[1]![0]!]
    const state = contentsOf(shardFolder(whole, 'books'))
    {
      await using db = await open(copy)
      for (const line of [`PUT /books/_doc/${lost}`, `DELETE /books/_doc/${lost}`]) {
        const { status, json } = await call(
          db,
          line,
          line.startsWith('PUT') ? { n: -1 } : undefined,
        )
        expect(status).toBe(503)
        expect(json.error).toMatchObject({
          type: 'unavailable_shards_exception',
          reason: expect.stringMatching(/^\[books\]\[0\] primary shard is not active Timeout: \[/),
          caused_by: { type: 'corrupt_index_exception' },
        })
      }
      const got = await call(db, `GET /books/_doc/${lost}`)
      expect([got.status, got.json.error.type, got.json.error.reason]).toEqual([
        503,
        'no_shard_available_action_exception',
        `No shard available for [get [books][${lost}]: routing [null]]`,
      ])
      const lines = [lost, kept].map(id => `{"index":{"_id":"${id}"}}\n{"n":-1}\n`).join('')
      const { json: bulk } = await call(db, 'POST /books/_bulk', lines)
      expect(bulk.items.map((item: Json) => item.index.status)).toEqual([503, 200])
      expect(bulk.items[0].index.error.type).toBe('unavailable_shards_exception')
      expect((await call(db, `GET /books/_doc/${kept}`)).json._source).toEqual({ n: -1 })
    }
    // Its files put back, the shard is whole again, and the others kept what was written meanwhile.
    for (const [file, hex] of state)
      writeFileSync(join(shardFolder(copy, 'books'), file), Buffer.from(hex, 'hex'))
    await using db = await open(copy)
    expect((await call(db, 'GET /_cluster/health')).json.status).toBe('yellow')
    const { json } = await call(db, 'GET /books/_search?size=20')
    expect(json.hits.total.value).toBe(20)
    const sources = new Map(json.hits.hits.map((hit: Json) => [hit._id, hit._source.n]))
    expect([sources.get(lost), sources.get(kept)]).toEqual([Number(lost), -1])
  })

  it.each<[string, (shard: string) => void]>([
    ['a cut segment', cut],
    ['a missing segment', shard => rmSync(fileOf(shard, /\.seg$/))],
    ['missing sources', shard => rmSync(fileOf(shard, /\.sto$/))],
    ['a commit point with a flipped bit', shard => flip(fileOf(shard, /^commit_/))],
    ['an empty commit point', shard => truncateSync(fileOf(shard, /^commit_/), 0)],
    ['live documents with a flipped bit', shard => flip(fileOf(shard, /\.liv$/))],
  ])('answers 503 for an index of one shard with %s, until it is deleted', async (name, befall) => {
    const copy = damaged(name.replaceAll(' ', '-'), 'films', befall)
    const before = contentsOf(shardFolder(copy, 'films'))
    await using db = await open(copy)
    const { status, json } = await call(db, 'GET /films/_search')
    expect(status).toBe(503)
    expect(json.error).toMatchObject({
      type: 'search_phase_execution_exception',
      reason: 'all shards failed',
      root_cause: [{ type: 'no_shard_available_action_exception' }],
      failed_shards: [{ shard: 0, reason: { caused_by: { type: 'corrupt_index_exception' } } }],
    })
    expect(json.error).not.toHaveProperty('caused_by')
    expect((await call(db, 'GET /films/_count')).status).toBe(503)
    expect((await call(db, 'GET /books/_count')).json.count).toBe(20)
    expect(contentsOf(shardFolder(copy, 'films'))).toEqual(before)
    expect((await call(db, 'DELETE /films')).json).toEqual({ acknowledged: true })
    expect((await call(db, 'GET /_cluster/health')).json.status).toBe('yellow')
    expect((await call(db, 'PUT /films/_doc/1?refresh=true', { n: 1 })).status).toBe(201)
    expect((await call(db, 'GET /films/_count')).json.count).toBe(1)
  })

  it.each(['true', 'checksum'])('is found at the start with check_on_startup %s', async check => {
    const copy = join(folder, `checked-${check}`)
    {
      await using db = await open(copy)
      for (const [name, value] of [
        ['trusted', 'false'],
        ['checked', check],
      ]) {
        const settings = { number_of_replicas: 0, 'shard.check_on_startup': value }
        await call(db, `PUT /${name}`, { settings })
        await call(db, `PUT /${name}/_doc/1?refresh=true`, { t: 'as it was' })
      }
    }
    {
      await using db = await open(copy)
      expect((await call(db, 'GET /_cluster/health')).json.status).toBe('green')
    }
    for (const name of ['trusted', 'checked']) flip(fileOf(shardFolder(copy, name), /\.sto$/))
    await using db = await open(copy)
    const { json } = await call(db, 'GET /_cluster/health?level=indices')
    expect([json.indices.trusted.status, json.indices.checked.status]).toEqual(['green', 'red'])
    const { status, json: answer } = await call(db, 'GET /checked/_search')
    expect(status).toBe(503)
    expect(answer.error.failed_shards[0].reason.caused_by).toMatchObject({
      type: 'corrupt_index_exception',
      reason: expect.stringMatching(/^corrupt file \[_.*\.sto\]/),
    })
  })
})
