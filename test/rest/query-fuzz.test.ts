import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'
import { ndjson } from '../support/rest-calls.ts'

const SEED = 20261122
const word = fc.constantFrom('sea', 'ship', 'sail', 'wind', 'gull', 'absent', 'sea ship', '')
const number = fc.constantFrom(-1e9, -1, 0, 0.5, 1, 2, 7, 1e9, 2147483647)
const field = fc.constantFrom('t', 'u', 'k', 'n', 'd', 'p', 'f', 'gone')
const text = fc.constantFrom('t', 'u')
const place = fc.oneof(
  fc.constantFrom('0,0', 'u4pr', 'x,y', { lat: 95, lon: 0 }),
  fc.tuple(fc.double({ min: -180, max: 180 }), fc.double({ min: -90, max: 90 })),
)

interface Made {
  span: unknown
  rule: unknown
  query: unknown
}
const { span, query } = fc.letrec<Made>(tie => ({
  span: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ span_term: fc.record({ t: word }) }),
    fc.record({
      span_near: fc.record({
        clauses: fc.array(tie('span'), { maxLength: 3 }),
        slop: number,
        in_order: fc.boolean(),
      }),
    }),
    fc.record({ span_or: fc.record({ clauses: fc.array(tie('span'), { maxLength: 3 }) }) }),
    fc.record({ span_first: fc.record({ match: tie('span'), end: number }) }),
    fc.record({
      span_not: fc.record({ include: tie('span'), exclude: tie('span'), dist: number }),
    }),
    fc.record({ span_within: fc.record({ big: tie('span'), little: tie('span') }) }),
    fc.record({
      span_multi: fc.record({ match: fc.record({ prefix: fc.record({ t: word }) }) }),
    }),
  ),
  rule: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ match: fc.record({ query: word, max_gaps: number, ordered: fc.boolean() }) }),
    fc.record({ prefix: fc.record({ prefix: word }) }),
    fc.record({
      all_of: fc.record({
        intervals: fc.array(tie('rule'), { maxLength: 3 }),
        max_gaps: number,
        mode: fc.constantFrom('ordered', 'unordered', 'unordered_no_overlap'),
      }),
    }),
    fc.record({ any_of: fc.record({ intervals: fc.array(tie('rule'), { maxLength: 3 }) }) }),
    fc.record({
      match: fc.record({
        query: word,
        filter: fc
          .tuple(
            fc.constantFrom('before', 'after', 'containing', 'not_overlapping', 'contained_by'),
            tie('rule'),
          )
          .map(([name, rule]) => ({ [name]: rule })),
      }),
    }),
  ),
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('span'),
    fc.record({ intervals: fc.record({ t: tie('rule') }) }),
    fc.record({ match: fc.record({ t: word }) }),
    fc.record({
      simple_query_string: fc.record({
        query: fc.string({ maxLength: 12 }),
        fields: fc.array(field),
      }),
    }),
    fc.record({
      multi_match: fc.record({
        query: word,
        type: fc.constant('cross_fields'),
        fields: fc.array(field),
        lenient: fc.boolean(),
      }),
    }),
    fc.record({
      has_child: fc.record({
        type: fc.constantFrom('answer', 'question', 'gone'),
        query: tie('query'),
        score_mode: fc.constantFrom('none', 'min', 'max', 'sum', 'avg'),
        min_children: fc.constantFrom(-1, 0, 1, 2),
        inner_hits: fc.constantFrom({}, { size: 1, sort: [{ n: 'desc' }] }),
        ignore_unmapped: fc.boolean(),
      }),
    }),
    fc.record({
      has_parent: fc.record({
        parent_type: fc.constantFrom('question', 'answer'),
        query: tie('query'),
        score: fc.boolean(),
        ignore_unmapped: fc.boolean(),
      }),
    }),
    fc.record({ parent_id: fc.record({ type: fc.constantFrom('answer', 'gone'), id: word }) }),
    fc.record({ combined_fields: fc.record({ query: word, fields: fc.array(text) }) }),
    fc.record({
      terms_set: fc.record({
        k: fc.record({ terms: fc.array(word), minimum_should_match_field: field }),
      }),
    }),
    fc.record({
      function_score: fc.record({
        query: tie('query'),
        functions: fc.array(
          fc.oneof(
            fc.record({ weight: number }),
            fc.record({ filter: tie('query'), weight: number }),
            fc.record({ field_value_factor: fc.record({ field, missing: number }) }),
            fc.record({ random_score: fc.record({ seed: number, field }) }),
            fc
              .tuple(
                field,
                fc.oneof(number, place, fc.constant('now')),
                fc.oneof(number, fc.constantFrom('1km', '1d')),
              )
              .map(([name, origin, scale]) => ({ gauss: { [name]: { origin, scale } } })),
          ),
          { maxLength: 3 },
        ),
        score_mode: fc.constantFrom('multiply', 'sum', 'avg', 'first', 'max', 'min'),
        boost_mode: fc.constantFrom('multiply', 'replace', 'sum', 'avg', 'max', 'min'),
        min_score: number,
      }),
    }),
    fc.record({
      distance_feature: fc.record({
        field,
        origin: fc.oneof(place, fc.constant('now')),
        pivot: fc.constantFrom('1km', '1d', '0s', 'x'),
      }),
    }),
    fc.record({ rank_feature: fc.record({ field, saturation: fc.record({ pivot: number }) }) }),
    fc
      .tuple(field, place, fc.constantFrom('1m', '500km', '30000km', '-1km'))
      .map(([name, point, distance]) => ({ geo_distance: { distance, [name]: point } })),
    fc
      .tuple(place, place)
      .map(([top_left, bottom_right]) => ({ geo_bounding_box: { p: { top_left, bottom_right } } })),
    fc.record({ geo_polygon: fc.record({ p: fc.record({ points: fc.array(place) }) }) }),
    fc.record({
      more_like_this: fc.record({
        fields: fc.array(field),
        like: fc.oneof(word, fc.constantFrom({ _id: '1' }, { doc: { t: 'sea' } })),
        min_term_freq: number,
        min_doc_freq: number,
      }),
    }),
    fc.record({
      terms: fc.record({ k: fc.record({ index: fc.constant('i'), id: word, path: field }) }),
    }),
    fc
      .tuple(fc.array(tie('query'), { maxLength: 3 }), fc.array(tie('query'), { maxLength: 2 }))
      .map(([should, must]) => ({ bool: { should, must } })),
    fc.record({ dis_max: fc.record({ queries: fc.array(tie('query'), { maxLength: 3 }) }) }),
    fc.record({ constant_score: fc.record({ filter: tie('query') }) }),
  ),
}))

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text' },
    u: { type: 'text', index_prefixes: {} },
    k: { type: 'keyword' },
    n: { type: 'integer' },
    d: { type: 'date' },
    p: { type: 'geo_point' },
    f: { type: 'rank_feature' },
    j: { type: 'join', relations: { question: 'answer' } },
  })
  const words = ['sea', 'ship', 'sail', 'wind', 'gull']
  const some = (i: number): string => [1, 2, 3, 5, 7].map(step => words[(i * step) % 5]).join(' ')
  for (let from = 0; from < 200; from += 100)
    await index.add(
      ...Array.from({ length: 100 }, (_, i) => ({
        t: some(from + i),
        ...(i % 3 === 0 ? { u: some(i + 2), n: i % 7, d: i * 1e9 } : {}),
        k: words[i % 5],
        ...(i % 4 === 0 ? { j: 'question' } : {}),
        ...(i % 2 === 0 ? { p: [i - 50, (i % 40) - 20], f: 1 + i } : {}),
      })),
    )
})
/** Answers, of which some questions have none and some have several. */
beforeAll(async () => {
  const lines = Array.from({ length: 90 }, (_, i) => {
    const parent = `${4 * (i % 40)}`
    const source = { t: i % 2 === 0 ? 'sea ship' : 'wind', n: i % 5, j: { name: 'answer', parent } }
    return [{ index: { _id: `a${i}`, routing: parent } }, source]
  })
  const { json } = await index.rest.call('POST /i/_bulk?refresh', ndjson(...lines.flat()))
  expect(json.errors).toBe(false)
})
afterAll(() => index.close())

it(
  `answers queries of every kind with hits or as bad requests, profiled or not (seed ${SEED})`,
  async () => {
    let found = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(query, span), async asked => {
        const body = { query: asked, size: 5 }
        const plain = await index.rest.call('POST /i/_search', body)
        expect([200, 400], JSON.stringify([asked, plain.json.error])).toContain(plain.status)
        const profiled = await index.rest.call('POST /i/_search', { ...body, profile: true })
        expect(profiled.status).toBe(plain.status)
        const explained = await index.rest.call('POST /i/_search', { ...body, explain: true })
        expect(explained.status).toBe(plain.status)
        if (plain.status === 400) {
          refused++
          return
        }
        const hitsOf = ({ json }: typeof plain): unknown =>
          json.hits.hits.map(({ _id, _score }: { _id: string; _score: number }) => [_id, _score])
        expect(hitsOf(profiled), JSON.stringify(asked)).toEqual(hitsOf(plain))
        if (plain.json.hits.total.value > 0) found++
      }),
      { seed: SEED, numRuns: 1500 },
    )
    expect(found).toBeGreaterThan(200)
    expect(refused).toBeGreaterThan(100)
  },
  PATIENCE_IN_MILLIS,
)
