/** Random documents through splits, shrinks and clones: gets and searches find what they found before. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const lasting = tempFolder('resize')
const rests: Rest[] = []
beforeAll(async () => {
  for (const folder of [null, lasting]) rests.push(await openRest({}, folder))
})
afterAll(() => Promise.all(rests.map(rest => rest.close())))

interface Write {
  readonly id: number
  readonly isDelete: boolean
  readonly tag: number
  readonly inner: number
}

interface Scene {
  readonly rest: number
  readonly shards: number
  readonly partitionSize: number
  readonly isRouted: boolean
  readonly writes: readonly Write[]
  /** Writes after which it is refreshed. */
  readonly refreshes: readonly number[]
  readonly steps: readonly number[]
}

const writes: fc.Arbitrary<Write> = fc.record({
  id: fc.nat(40),
  isDelete: fc.boolean(),
  tag: fc.nat(3),
  inner: fc.nat(2),
})

const scenes: fc.Arbitrary<Scene> = fc.record({
  rest: fc.nat(1),
  shards: fc.constantFrom(1, 2, 3),
  partitionSize: fc.constantFrom(1, 1, 3),
  isRouted: fc.boolean(),
  writes: fc.array(writes, { minLength: 5, maxLength: 120 }),
  refreshes: fc.array(fc.nat(120), { maxLength: 4 }),
  steps: fc.array(fc.constantFrom(2, 4, -2, 1), { minLength: 1, maxLength: 4 }),
})

/** One id has one routing for good. */
const routingOf = ({ isRouted, partitionSize }: Scene, id: number): string | null =>
  (isRouted && id % 3 !== 0) || partitionSize > 1 ? `r${id % 7}` : null

it('keeps every document through any chain of resizes', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async scene => {
      const rest = rests[scene.rest]!
      const ok = async (line: string, body?: object | string) => {
        const { status, json } = await rest.call(line, body)
        expect([line, json?.error, status]).toEqual([
          line,
          undefined,
          expect.toBeOneOf([200, 201, 404]),
        ])
        return json
      }
      await rest.call('DELETE /*?expand_wildcards=all')
      const { partitionSize } = scene
      await ok('PUT /i0', {
        settings: {
          number_of_shards: scene.shards,
          number_of_replicas: 0,
          refresh_interval: -1,
          ...(partitionSize > 1 ? { routing_partition_size: partitionSize } : {}),
        },
        mappings: {
          ...(partitionSize > 1 ? { _routing: { required: true } } : {}),
          properties: {
            tag: { type: 'keyword' },
            n: { type: 'integer' },
            c: { type: 'nested', properties: { a: { type: 'keyword' } } },
          },
        },
      })
      const lines: object[] = []
      const send = async (): Promise<void> => {
        if (lines.length > 0) await ok('POST /i0/_bulk', ndjson(...lines.splice(0)))
        await ok('POST /i0/_refresh')
      }
      for (const [i, { id, isDelete, tag, inner }] of scene.writes.entries()) {
        const meta = { _id: `d${id}`, routing: routingOf(scene, id) ?? undefined }
        if (isDelete && i % 3 === 0) lines.push({ delete: meta })
        else {
          const c = Array.from({ length: inner }, (_, j) => ({ a: `a${j}` }))
          lines.push({ index: meta }, { tag: `t${tag}`, n: i, c })
        }
        if (scene.refreshes.includes(i)) await send()
      }
      await send()

      const seen = async (index: string): Promise<unknown> => {
        const gets = []
        for (let id = 0; id <= 40; id++) {
          const routing = routingOf(scene, id)
          const line = `GET /${index}/_doc/d${id}${routing === null ? '' : `?routing=${routing}`}`
          const { _index, ...found } = await ok(line)
          gets.push(found)
        }
        const queries = [
          { match_all: {} },
          { term: { tag: 't1' } },
          { range: { n: { gte: 20, lt: 70 } } },
          { nested: { path: 'c', query: { term: { 'c.a': 'a1' } } } },
          { ids: { values: ['d3', 'd4', 'd5'] } },
        ]
        const found = []
        for (const query of queries) {
          const { hits } = await ok(`POST /${index}/_search?version&seq_no_primary_term`, {
            query,
            size: 100,
            sort: ['n'],
          })
          found.push([hits.total, hits.hits.map(({ _index, ...hit }: { _index: string }) => hit)])
        }
        return [gets, found]
      }

      const before = await seen('i0')
      let shards = scene.shards
      for (const [i, step] of scene.steps.entries()) {
        const wanted = step > 0 ? shards * step : Math.ceil(shards / 2)
        const isPossible = wanted <= 24 && (step > 0 || shards % 2 === 0)
        const kind = !isPossible || step === 1 ? 'clone' : step > 0 ? 'split' : 'shrink'
        if (kind !== 'clone') shards = wanted
        await ok(`PUT /i${i}/_settings`, { 'index.blocks.write': true })
        await ok(`PUT /i${i}/_${kind}/i${i + 1}`, {
          settings: { number_of_shards: shards, number_of_replicas: 0 },
        })
        expect(await seen(`i${i + 1}`)).toEqual(before)
      }
      const last = `i${scene.steps.length}`
      await ok(`PUT /${last}/_settings`, { 'index.blocks.write': null })
      await ok(`POST /${last}/_forcemerge?max_num_segments=1`)
      await ok(`POST /${last}/_refresh`)
      expect(await seen(last)).toEqual(before)
    }),
    { numRuns: 12 },
  )
}, 600_000)
