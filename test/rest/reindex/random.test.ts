import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)

const call = fc.record({
  documents: fc.uniqueArray(fc.record({ id: fc.nat(60), n: fc.nat(9) }), {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 40,
  }),
  there: fc.uniqueArray(fc.nat(60), { maxLength: 10 }),
  shards: fc.integer({ min: 1, max: 3 }),
  slices: fc.constantFrom<1 | 2 | 3 | 'auto'>(1, 2, 3, 'auto'),
  size: fc.integer({ min: 1, max: 12 }),
  below: fc.nat(10),
  isCreate: fc.boolean(),
  isScripted: fc.boolean(),
})

/** Numbers of the documents of an index by id. */
async function read(index: string): Promise<ReadonlyMap<string, number>> {
  const { hits } = await ok(`GET /${index}/_search?size=1000&ignore_unavailable=true`)
  return new Map(
    hits.hits.map((hit: { _id: string; _source: { n: number } }) => [hit._id, hit._source.n]),
  )
}

it('copies, rewrites and deletes as a plain reading of the documents would', async () => {
  await fc.assert(
    fc.asyncProperty(call, async given => {
      const { documents, there, shards, slices, size, below, isCreate, isScripted } = given
      await rest.call('DELETE /*')
      for (const index of ['from', 'to'])
        await ok(`PUT /${index}`, { settings: { number_of_shards: shards } })
      const lines = documents.flatMap(({ id, n }) => [{ index: { _id: `${id}` } }, { n }])
      await ok('POST /from/_bulk?refresh=true', ndjson(...lines))
      const old = there.flatMap(id => [{ index: { _id: `${id}` } }, { n: -1 }])
      if (old.length > 0) await ok('POST /to/_bulk?refresh=true', ndjson(...old))
      const query = { range: { n: { lt: below } } }
      const matches = documents.filter(({ n }) => n < below)
      const source =
        'if (ctx._source.n == 0) { ctx.op = "noop" } else if (ctx._source.n == 1) { ctx.op = "delete" }' +
        ' else { ctx._source.n += 100 }'
      const script = isScripted ? { script: { source } } : {}

      const copied = await ok(`POST /_reindex?refresh=true&slices=${slices}`, {
        conflicts: 'proceed',
        source: { index: 'from', query, size },
        dest: { index: 'to', ...(isCreate ? { op_type: 'create' } : {}) },
        ...script,
      })
      const expected = new Map<string, number>(there.map(id => [`${id}`, -1]))
      let [created, updated, deleted, noops, conflicts] = [0, 0, 0, 0, 0]
      for (const { id, n } of matches) {
        const key = `${id}`
        if (isScripted && n === 0) noops++
        else if (isScripted && n === 1) {
          deleted++
          expected.delete(key)
        } else if (isCreate && there.includes(id)) conflicts++
        else {
          if (there.includes(id)) updated++
          else created++
          expected.set(key, isScripted ? n + 100 : n)
        }
      }
      expect(copied).toMatchObject({
        total: matches.length,
        created,
        updated,
        deleted,
        noops,
        version_conflicts: conflicts,
        failures: [],
      })
      expect(new Map([...(await read('to'))].sort())).toEqual(new Map([...expected].sort()))

      const params = `refresh=true&slices=${slices}&scroll_size=${size}`
      const left = new Map(documents.map(({ id, n }) => [`${id}`, n]))
      await ok(`POST /from/_update_by_query?${params}`, { query, ...script })
      for (const { id, n } of isScripted ? matches : [])
        if (n === 1) left.delete(`${id}`)
        else if (n > 1) left.set(`${id}`, n + 100)
      expect(new Map([...(await read('from'))].sort())).toEqual(new Map([...left].sort()))

      const removed = await ok(`POST /from/_delete_by_query?${params}`, { query })
      const gone = [...left].filter(([, n]) => n < below)
      expect(removed).toMatchObject({ total: gone.length, deleted: gone.length })
      for (const [id] of gone) left.delete(id)
      expect(new Map([...(await read('from'))].sort())).toEqual(new Map([...left].sort()))
    }),
    { numRuns: 25 },
  )
}, 300_000)
