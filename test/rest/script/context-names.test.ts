/** The names that a script finds: of documents being written, of values of fields, and forms of the language. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    mappings: { properties: { n: { type: 'long' }, p: { type: 'geo_point' } } },
  })
  await ok('PUT /i/_doc/1?routing=r', { n: [1, 2], p: { lat: 45, lon: 90 } })
  await ok('PUT /i/_doc/2?refresh', { x: 1 })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)

/** Leaves the sorted names of what a document being written has in a place. */
const namesIn = (place: string): string =>
  `List names = new ArrayList(ctx.keySet()); Collections.sort(names); ${place} = names`

const sorted = (names: string): string[] => names.split(' ').sort()

describe('ctx', () => {
  const WHOLE = '_source op _index _id _version _routing _now'

  it(`of an update has ${WHOLE}`, async () => {
    const script = namesIn('ctx._source.names')
    const { get } = await ok('POST /i/_update/1?routing=r&_source=names', { script })
    expect(get._source.names).toEqual(sorted('_source op _index _id _version _routing _now'))
  })

  it('of an insertion has _source op _now', async () => {
    const body = { script: namesIn('ctx._source.names'), upsert: {}, scripted_upsert: true }
    const { get } = await ok('POST /other/_update/3?_source=names', body)
    expect(get._source.names).toEqual(sorted('_source op _now'))
  })

  it('of a reindex and of an update by query has the same as that of an update', async () => {
    const script = { source: namesIn('ctx._source.names') }
    await ok('POST /_reindex?refresh', { source: { index: 'i' }, dest: { index: 'to' }, script })
    await ok('POST /to/_update_by_query?refresh', {
      script: { source: namesIn('ctx._source.again') },
    })
    const { _source } = await ok('GET /to/_doc/1?routing=r')
    expect([_source.names, _source.again]).toEqual([sorted(WHOLE), sorted(WHOLE)])
  })

  it('of a pipeline has metadata beside the source: _index _id _routing _version _version_type _if_seq_no _if_primary_term', async () => {
    const { docs } = await ok('POST /_ingest/pipeline/_simulate', {
      pipeline: { processors: [{ script: namesIn('ctx.names') }] },
      docs: [
        { _source: { x: 1 } },
        {
          _source: { x: 1 },
          _routing: 'r',
          _version: 3,
          _version_type: 'external',
          _if_seq_no: 1,
          _if_primary_term: 2,
        },
      ],
    })
    const names = docs.map((each: { doc: { _source: object } }) => each.doc._source)
    const WITH_METADATA = '_index _id _routing _version _version_type _if_seq_no _if_primary_term'
    expect(names[1]).toEqual({ x: 1, names: sorted(`x ${WITH_METADATA}`) })
    expect(names[0]).toEqual({ x: 1, names: expect.arrayContaining(['_id', '_index', 'x']) })
  })
})

describe('values of a field', () => {
  const fieldsOf = async (script: object): Promise<unknown[]> => {
    const body = { query: { match_all: {} }, sort: 'n', script_fields: { f: { script } } }
    const { hits } = await ok('POST /i/_search', body)
    return hits.hits.map((hit: { fields: { f: unknown } }) => hit.fields.f)
  }

  it('have size() isEmpty() empty length get(i) value', async () => {
    const source =
      "def v = doc['n']; boolean any = v.size() > 0; " +
      'return [v.size(), v.isEmpty(), v.empty, v.length, any ? v.get(1) : null, any ? v.value : null]'
    expect(await fieldsOf({ source })).toEqual([
      [2, false, false, 2, 2, 1],
      [0, true, true, 0, null, null],
    ])
  })

  it('that are points have lat lon, and of all lats lons', async () => {
    const source =
      "def v = doc['p']; return v.empty ? [] : [v.lat, v.lon, v.lats.size(), v.lons.size()]"
    const [point, none] = (await fieldsOf({ source })) as [number[], number[]]
    expect(point.map(Math.round)).toEqual([45, 90, 1, 1])
    expect(none).toEqual([])
  })

  it('have .empty .length in an expression, points .lat .lon .empty', async () => {
    const expression = (source: string): Promise<unknown[]> =>
      fieldsOf({ lang: 'expression', source })
    expect(await expression("doc['n'].empty * 10 + doc['n'].length")).toEqual([[2], [10]])
    expect(await expression("floor(doc['p'].lat + 0.5) + doc['p'].empty * 1000")).toEqual([
      [45],
      [1000],
    ])
    expect(await expression("floor(doc['p'].lon + 0.5)")).toEqual([[90], [0]])
  })
})

describe('forms of the language', () => {
  const run = async (source: string): Promise<unknown> =>
    (await ok('POST /_scripts/painless/_execute', { script: { source } })).result

  it.each([
    ['for (T v : it)', 'int s = 0; for (int v : [1, 2]) { s += v } return s', '3'],
    ['for (v in it)', 'int s = 0; for (v in [1, 2]) { s += v } return s', '3'],
    ['new int[3]', 'int[] a = new int[3]; return a.length + a[2]', '3'],
    ['new int[]{1}', 'int[] a = new int[]{7, 8}; return a[1]', '8'],
    ['new T(args)', 'return new ArrayList([1, 2]).size()', '2'],
  ])('%s', async (_, source, result) => {
    expect(await run(source)).toBe(result)
  })

  it('throw new ⟨E⟩(msg) gives that type and reason', async () => {
    const source = "throw new IllegalStateException('so it is')"
    const { status, json } = await rest.call('POST /_scripts/painless/_execute', {
      script: { source },
    })
    expect([status, json.error.reason, json.error.caused_by]).toEqual([
      400,
      'runtime error',
      { type: 'illegal_state_exception', reason: 'so it is' },
    ])
  })
})
