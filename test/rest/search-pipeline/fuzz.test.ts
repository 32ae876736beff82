import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  for (const id of ['1', '2', '3'])
    await rest.call(`PUT /b/_doc/${id}`, { a: `x,${id}`, n: Number(id), l: ['b', 'a'] })
  await rest.call('POST /b/_refresh')
})
afterAll(() => rest.close())

const field = fc.constantFrom('a', 'n', 'l', 'none', '')
const odd = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1.5, 1e300, '', 'a', '9', [], {}, [1, 'a', null], { a: [{}] }),
  field,
)
const flag = fc.boolean()

/** A valid value most of the time. */
function mostly<T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: odd })
}

function options(keys: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const common = { tag: mostly(fc.constant('t')), ignore_failure: mostly(flag), other: odd }
  const all = { ...keys, ...common }
  // Keys beside those of the processor are rare, so that most definitions run.
  return fc
    .record(Object.fromEntries(Object.entries(all).map(([key, value]) => [key, mostly(value)])), {
      requiredKeys: Object.keys(keys),
    })
    .chain(made =>
      fc.integer({ min: 0, max: 7 }).map(n => {
        const { other, ...others } = made as Record<string, unknown>
        return n === 0 ? made : others
      }),
    )
}

function oneOf(types: Record<string, fc.Arbitrary<object>>): fc.Arbitrary<object> {
  return fc.oneof(
    ...Object.entries(types).map(([type, made]) => made.map(each => ({ [type]: each }))),
  )
}

const request = oneOf({
  filter_query: options({
    query: fc.constantFrom({ term: { n: 1 } }, { match_all: {} }, { x: {} }),
  }),
  oversample: options({ sample_factor: fc.constantFrom(1, 2.5, '3') }),
  script: options({
    source: fc.constantFrom(
      "ctx._source['size'] += 1",
      "ctx._source['from'] = params.n",
      "ctx._source['explain'] = true",
      "ctx._source['min_score'] = 0.5f",
      'ctx.x = 1',
      'ctx._source.y = 1',
      'return (',
    ),
  }),
})

const response = oneOf({
  collapse: options({ field }),
  rename_field: options({ field, target_field: field, ignore_missing: flag }),
  sort: options({ field, order: fc.constantFrom('asc', 'desc'), target_field: field }),
  split: options({ field, separator: fc.constantFrom(',', '[x]', '(', '') }),
  rerank: options({
    by_field: fc.record(
      {
        target_field: fc.constantFrom('k', 'n', 'o.n', 'a.', '.', ''),
        remove_target_field: fc.boolean(),
        keep_previous_score: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
  truncate_hits: options({ target_size: fc.integer({ min: 0, max: 3 }) }),
})

const technique = fc.record(
  {
    technique: mostly(fc.constantFrom('min_max', 'l2', 'z_score', 'arithmetic_mean', 'rrf')),
    parameters: mostly(
      fc.constantFrom(
        { weights: [0.5, 0.5] },
        { weights: [] },
        { lower_bounds: [{ mode: 'clip' }] },
      ),
    ),
    rank_constant: mostly(fc.integer({ min: 0, max: 20_000 })),
  },
  { requiredKeys: [] },
)
const phase = oneOf({
  'normalization-processor': options({ normalization: technique, combination: technique }),
  'score-ranker-processor': options({ combination: technique }),
})

const pipeline = fc.record(
  {
    request_processors: mostly(fc.array(request, { maxLength: 3 })),
    response_processors: mostly(fc.array(response, { maxLength: 4 })),
    phase_results_processors: mostly(fc.array(phase, { maxLength: 2 })),
    version: mostly(fc.integer()),
  },
  { requiredKeys: [] },
)

it('takes a definition or refuses it, the same way in every place', async () => {
  const body = fc.record({ size: fc.integer({ min: 0, max: 4 }) }, { requiredKeys: [] })
  let taken = 0
  let found = 0
  await fc.assert(
    fc.asyncProperty(pipeline, body, flag, async (definition, search, isVerbose) => {
      // A defect of ours would be thrown by the call.
      const put = await rest.call('PUT /_search/pipeline/p', definition)
      expect([200, 400]).toContain(put.status)
      if (put.status === 200) {
        taken++
        expect((await rest.call('GET /_search/pipeline/p')).json).toEqual({ p: definition })
      }
      const verbose = `verbose_pipeline=${isVerbose}`
      const inline = await rest.call(`GET /b/_search?${verbose}`, {
        ...search,
        search_pipeline: definition,
      })
      expect([200, 400]).toContain(inline.status)
      if (put.status !== 200) expect(inline.status).toBe(400)
      if (put.status === 200) {
        const stored = await rest.call(`GET /b/_search?${verbose}&search_pipeline=p`, search)
        expect(stored.status).toBe(inline.status)
        expect(stored.json.hits).toEqual(inline.json.hits)
        expect(stored.json.error?.reason).toBe(inline.json.error?.reason)
      }
      if (inline.status === 200) found++
    }),
    { numRuns: 600 },
  )
  // Both ways are taken often.
  expect(taken).toBeGreaterThan(30)
  expect(found).toBeGreaterThan(20)
  const { json } = await rest.call('GET /_nodes/stats/search_pipeline')
  const [node] = Object.values(json.nodes) as {
    search_pipeline: Record<string, { current: number }>
  }[]
  expect(node!.search_pipeline['total_request']!.current).toBe(0)
  expect(node!.search_pipeline['total_response']!.current).toBe(0)
})
