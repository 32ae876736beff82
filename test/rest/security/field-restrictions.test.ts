import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import {
  addRole,
  addUser,
  openSecured,
  type Reply,
  securedForFile,
} from '../../support/secured-rest.ts'

const secured = securedForFile()
/** Stands in every hidden field of every document. */
const HIDDEN = 'cobalt'
/** Stands in what everybody may see. */
const SHOWN = 'amber'

const restricted = (fls: readonly string[], more: object = {}): object => ({
  cluster_permissions: ['cluster_composite_ops', 'cluster_monitor', 'indices:data/read/*'],
  index_permissions: [
    { index_patterns: ['staff*', 'copy*'], fls, allowed_actions: ['indices:*'], ...more },
  ],
})
const roles = (...names: string[]): object => ({ opendistro_security_roles: names })

/** Each role hides the same fields: by naming them, by naming the others, by an expression. */
const HIDING: Readonly<Record<string, readonly string[]>> = {
  names: [
    '~secret',
    '~boss.pay',
    '~list.w',
    '~rank',
    '~word',
    '~fill',
    '~tags',
    '~spot',
    '~flat.k',
  ],
  shown: ['note', 'team', 'n', 'boss.name', 'list.v', 'rel', 'any'],
  matched: ['~/(secret|boss\\.pay|list\\.w|rank|word|fill|tags|spot)/', '~flat.k'],
}
const RESTRICTED = Object.keys(HIDING)

beforeAll(async () => {
  const { rest } = secured()
  await rest.call('PUT /staff', {
    mappings: {
      properties: {
        team: { type: 'keyword' },
        note: { type: 'text', term_vector: 'yes', store: true },
        secret: {
          type: 'text',
          term_vector: 'with_positions_offsets',
          store: true,
          fielddata: true,
          copy_to: 'word',
          fields: { raw: { type: 'keyword' } },
        },
        word: { type: 'keyword', store: true },
        rank: { type: 'long' },
        fill: { type: 'completion' },
        tags: { type: 'rank_features' },
        flat: { type: 'flat_object' },
        any: { type: 'alias', path: 'secret.raw' },
        list: { type: 'nested', properties: { v: { type: 'keyword' }, w: { type: 'keyword' } } },
        boss: { properties: { name: { type: 'keyword' }, pay: { type: 'keyword' } } },
      },
    },
  })
  const lines: unknown[] = []
  for (let i = 0; i < 12; i++) {
    lines.push({ index: { _index: 'staff', _id: String(i) } })
    lines.push({
      team: i % 2 === 0 ? 'red' : 'blue',
      note: `${SHOWN} note ${i}`,
      n: i,
      secret: `${HIDDEN} ${i}`,
      word: `${HIDDEN}-${i}`,
      rank: 7_000_000 + i,
      fill: `${HIDDEN} ${i}`,
      tags: { [HIDDEN]: 3 },
      flat: { k: HIDDEN },
      boss: { name: SHOWN, pay: HIDDEN },
      list: [
        { v: `${SHOWN}0`, w: HIDDEN },
        { v: `${SHOWN}1`, w: HIDDEN },
      ],
      'boss.pay': HIDDEN,
    })
  }
  await rest.call('POST /_bulk?refresh', ndjson(...lines))
  await rest.call('PUT /staff-places', {
    mappings: { properties: { spot: { type: 'geo_point' } } },
  })
  await rest.call('PUT /staff-places/_doc/1?refresh', { spot: { lat: 1, lon: 2 } })
  await rest.call('POST /_aliases', { actions: [{ add: { index: 'staff', alias: 'all-staff' } }] })
  for (const [name, fls] of Object.entries(HIDING)) {
    await addRole(rest, name, restricted(fls))
    await addUser(rest, name, roles(name))
  }
  await addRole(rest, 'by-secret', restricted(['~secret'], { dls: '{"match":{"secret":"3"}}' }))
  await addRole(rest, 'free', restricted([]))
  await addRole(rest, 'no-note', restricted(['~note']))
  await addRole(rest, 'only-team', restricted(['team']))
  await addRole(rest, 'only-note', restricted(['note']))
  await addRole(rest, 'everything', restricted(['*']))
  await addUser(rest, 'decided', roles('by-secret'))
  await addUser(rest, 'lifted', roles('names', 'free'))
  await addUser(rest, 'several', roles('names', 'no-note'))
  await addUser(rest, 'union', roles('only-team', 'only-note'))
  await addUser(rest, 'mixed', roles('only-team', 'no-note'))
  await addUser(rest, 'star', roles('everything'))
})

const search = (user: string, body: object, query = ''): Promise<Reply> =>
  secured().as(user, `GET /staff/_search${query}`, body)
const source = async (user: string, id = '1'): Promise<Record<string, unknown>> =>
  (await secured().as(user, `GET /staff/_doc/${id}`)).json._source

/** In an answer with the value of a hidden field. */
const TELLS = /secret:cobalt|cobalt[ -]?\d|"cobalt"|70000\d\d|7\.0000\d+E6/

/** Ways to the value of a hidden field. */
const WAYS: readonly (readonly [line: string, body?: object | string])[] = [
  ['GET /staff/_search'],
  ['GET /all-staff/_search'],
  ['GET /s*f/_search?size=3'],
  ['GET /staff/_search?_source=secret,word,boss.pay,list.w,flat'],
  ['GET /staff/_search?scroll=1m'],
  ['GET /staff/_search', { _source: ['*'] }],
  ['GET /staff/_search', { fields: ['*', 'secret', 'secret.raw', 'any', 'boss.*', 'flat.k'] }],
  ['GET /staff/_search', { docvalue_fields: ['word', 'secret.raw', 'any'] }],
  ['GET /staff/_search', { stored_fields: ['secret', 'word', '*'] }],
  ['GET /staff/_search', { sort: [{ word: { order: 'asc', unmapped_type: 'keyword' } }] }],
  ['GET /staff/_search', { sort: [{ 'secret.raw': 'asc' }] }],
  ['GET /staff/_search', { sort: [{ rank: { order: 'desc', missing: 1 } }] }],
  ['GET /staff/_search', { collapse: { field: 'secret.raw' } }],
  ['GET /staff/_search', { aggs: { a: { terms: { field: 'word' } } } }],
  ['GET /staff/_search', { aggs: { a: { terms: { field: 'secret' } } } }],
  ['GET /staff/_search', { aggs: { a: { terms: { field: 'any' } } } }],
  ['GET /staff/_search', { aggs: { a: { terms: { field: 'flat' } } } }],
  ['GET /staff/_search', { aggs: { a: { max: { field: 'rank' } } } }],
  ['GET /staff/_search', { aggs: { a: { top_hits: { _source: ['secret', 'word'] } } } }],
  ['GET /staff/_search', { aggs: { a: { top_hits: { docvalue_fields: ['word'] } } } }],
  ['GET /staff/_search', { aggs: { a: { significant_text: { field: 'secret' } } } }],
  [
    'GET /staff/_search',
    { aggs: { a: { significant_text: { field: 'note', source_fields: ['secret'] } } } },
  ],
  ['GET /staff/_search', { aggs: { a: { significant_terms: { field: 'word' } } } }],
  [
    'GET /staff/_search',
    { aggs: { a: { composite: { sources: [{ w: { terms: { field: 'word' } } }] } } } },
  ],
  [
    'GET /staff/_search',
    { aggs: { g: { global: {}, aggs: { a: { terms: { field: 'word' } } } } } },
  ],
  [
    'GET /staff/_search',
    { aggs: { m: { multi_terms: { terms: [{ field: 'word' }, { field: 'team' }] } } } },
  ],
  [
    'GET /staff/_search',
    { aggs: { l: { nested: { path: 'list' }, aggs: { a: { terms: { field: 'list.w' } } } } } },
  ],
  [
    'GET /staff/_search',
    {
      aggs: {
        a: {
          scripted_metric: {
            init_script: 'state.w = []',
            map_script: "state.w.add(doc['word'].value)",
            combine_script: 'return state.w',
            reduce_script: 'return states',
          },
        },
      },
    },
  ],
  ['GET /staff/_search', { query: { match: { note: SHOWN } }, highlight: { fields: { '*': {} } } }],
  [
    'GET /staff/_search',
    {
      query: { match_all: {} },
      highlight: {
        fields: { secret: { highlight_query: { match: { secret: HIDDEN } }, no_match_size: 50 } },
      },
    },
  ],
  ['GET /staff/_search', { script_fields: { a: { script: "doc['word'].value" } } }],
  ['GET /staff/_search', { script_fields: { a: { script: "params._source['secret']" } } }],
  ['GET /staff/_search', { script_fields: { a: { script: "params['_source'].toString()" } } }],
  ['GET /staff/_search', { script_fields: { a: { script: "params._fields['secret'].value" } } }],
  [
    'GET /staff/_search',
    { query: { nested: { path: 'list', query: { match_all: {} }, inner_hits: {} } } },
  ],
  [
    'GET /staff/_search',
    {
      query: {
        nested: {
          path: 'list',
          query: { match_all: {} },
          inner_hits: { docvalue_fields: ['list.w'], fields: ['list.w'] },
        },
      },
    },
  ],
  ['GET /staff/_search', { suggest: { s: { prefix: 'c', completion: { field: 'fill' } } } }],
  ['GET /staff/_search', { suggest: { s: { text: 'cobalr', term: { field: 'secret' } } } }],
  ['GET /staff/_search', { suggest: { s: { text: 'cobalr', phrase: { field: 'secret' } } } }],
  ['GET /staff/_search', { explain: true, query: { match: { secret: HIDDEN } } }],
  ['GET /staff/_search', { rescore: { query: { rescore_query: { match: { secret: '3' } } } } }],
  ['GET /staff/_search', { profile: true, query: { match: { secret: HIDDEN } } }],
  ['GET /staff/_doc/1'],
  ['GET /staff/_source/1'],
  ['GET /staff/_doc/1?realtime=true&stored_fields=secret,word'],
  ['GET /staff/_doc/1?_source_includes=secret,boss.pay'],
  ['GET /staff/_mget', { ids: ['1', '2'] }],
  ['GET /_mget', { docs: [{ _index: 'staff', _id: '1', stored_fields: ['secret'] }] }],
  ['GET /staff/_explain/1?_source=true&stored_fields=secret', { query: { match_all: {} } }],
  ['GET /staff/_termvectors/1?fields=secret,word,note'],
  ['GET /staff/_termvectors/1?fields=*'],
  ['GET /staff/_mtermvectors?fields=secret', { ids: ['1'] }],
  ['GET /_msearch', ndjson({ index: 'staff' }, { docvalue_fields: ['word'] })],
  [
    'GET /staff/_search/template',
    { source: { query: { match_all: {} }, docvalue_fields: ['word'] } },
  ],
  [
    'GET /staff/_rank_eval',
    {
      requests: [
        {
          id: 'a',
          request: { query: { match: { secret: HIDDEN } } },
          ratings: [{ _index: 'staff', _id: '1', rating: 1 }],
          summary_fields: ['secret'],
        },
      ],
      metric: { precision: { k: 5 } },
    },
  ],
  [
    'GET /staff/_search',
    {
      query: {
        more_like_this: {
          like: { _index: 'staff', _id: '1' },
          fields: ['secret'],
          min_term_freq: 1,
          min_doc_freq: 1,
        },
      },
    },
  ],
]

const ATTEMPTS = WAYS.map(([line, body]) => ({ line, body }))

it.each(ATTEMPTS)('is shown to somebody who sees all by $line $body', async ({ line, body }) => {
  const { text } = await secured().as('admin', line, body)
  expect(text).toMatch(TELLS)
})

describe.each(RESTRICTED)('what is hidden from %s', user => {
  it.each(ATTEMPTS)('is not shown by $line $body', async ({ line, body }) => {
    const { text, status } = await secured().as(user, line, body)
    expect(text).not.toMatch(TELLS)
    expect(status).toBeLessThan(500)
  })

  it.each<readonly [string, object]>([
    ['match', { match: { secret: HIDDEN } }],
    ['term on a multi-field', { term: { 'secret.raw': `${HIDDEN} 1` } }],
    ['term by an alias', { term: { any: `${HIDDEN} 1` } }],
    ['terms', { terms: { word: [`${HIDDEN}-1`] } }],
    ['terms by lookup', { terms: { word: { index: 'staff', id: '1', path: 'word' } } }],
    ['prefix', { prefix: { word: 'cob' } }],
    ['wildcard', { wildcard: { word: '*obal*' } }],
    ['regexp', { regexp: { word: 'cob.*' } }],
    ['fuzzy', { fuzzy: { word: { value: 'cobalt-2' } } }],
    ['range', { range: { rank: { gte: 0 } } }],
    ['exists', { exists: { field: 'secret' } }],
    ['exists on a wildcard', { exists: { field: 'secre*' } }],
    ['exists on a long', { exists: { field: 'rank' } }],
    ['query_string', { query_string: { query: HIDDEN, lenient: true } }],
    ['query_string over all', { query_string: { query: HIDDEN, fields: ['*'], lenient: true } }],
    ['query_string with exists', { query_string: { query: '_exists_:secret' } }],
    ['simple_query_string', { simple_query_string: { query: HIDDEN, lenient: true } }],
    ['multi_match', { multi_match: { query: HIDDEN, fields: ['secret', 'word', 'sec*'] } }],
    ['combined_fields', { combined_fields: { query: HIDDEN, fields: ['secret'] } }],
    ['match_phrase_prefix', { match_phrase_prefix: { secret: 'cob' } }],
    ['match_bool_prefix', { match_bool_prefix: { secret: 'cob' } }],
    ['span_term', { span_term: { secret: HIDDEN } }],
    ['intervals', { intervals: { secret: { match: { query: HIDDEN } } } }],
    ['a script', { script: { script: "doc['word'].size() > 0" } }],
    ['a key of an object', { term: { 'boss.pay': HIDDEN } }],
    ['a key of a flat object', { term: { 'flat.k': HIDDEN } }],
    ['a flat object', { term: { flat: HIDDEN } }],
    ['nested', { nested: { path: 'list', query: { term: { 'list.w': HIDDEN } } } }],
    ['rank_feature', { rank_feature: { field: `tags.${HIDDEN}` } }],
    [
      'more_like_this',
      { more_like_this: { like: HIDDEN, fields: ['secret'], min_term_freq: 1, min_doc_freq: 1 } },
    ],
  ])('does not match: %s', async (_, query) => {
    const hits = async (who: string): Promise<unknown> => {
      const { json } = await search(who, { query, size: 0, track_total_hits: true })
      return json.hits?.total.value ?? 0
    }
    expect([(await hits('admin')) === 0, await hits(user)]).toEqual([false, 0])
  })

  it.each<readonly [string, object]>([
    ['terms', { aggs: { a: { terms: { field: 'word' } } } }],
    ['terms with a value for none', { aggs: { a: { terms: { field: 'word', missing: 'none' } } } }],
    [
      'terms of longs',
      { aggs: { a: { terms: { field: 'rank', value_type: 'long', missing: 7 } } } },
    ],
    ['max', { aggs: { a: { max: { field: 'rank' } } } }],
    ['max with a value for none', { aggs: { a: { max: { field: 'rank', missing: 3 } } } }],
    ['cardinality', { aggs: { a: { cardinality: { field: 'word' } } } }],
    ['value_count', { aggs: { a: { value_count: { field: 'word' } } } }],
    ['missing', { aggs: { a: { missing: { field: 'word' } } } }],
    ['histogram', { aggs: { a: { histogram: { field: 'rank', interval: 5, missing: 1 } } } }],
    ['range', { aggs: { a: { range: { field: 'rank', ranges: [{ from: 1 }] } } } }],
    ['percentiles', { aggs: { a: { percentiles: { field: 'rank', missing: 2 } } } }],
    ['rare_terms', { aggs: { a: { rare_terms: { field: 'word', max_doc_count: 3 } } } }],
    ['significant_terms', { aggs: { a: { significant_terms: { field: 'word' } } } }],
    [
      'weighted_avg',
      {
        aggs: {
          a: { weighted_avg: { value: { field: 'rank', missing: 1 }, weight: { field: 'n' } } },
        },
      },
    ],
    [
      'composite',
      {
        aggs: {
          a: {
            composite: { sources: [{ w: { terms: { field: 'word', missing_bucket: true } } }] },
          },
        },
      },
    ],
    [
      'multi_terms',
      {
        aggs: {
          a: { multi_terms: { terms: [{ field: 'word', missing: 'm' }, { field: 'team' }] } },
        },
      },
    ],
    [
      'sampler',
      {
        aggs: {
          a: { diversified_sampler: { field: 'word' }, aggs: { t: { terms: { field: 'team' } } } },
        },
      },
    ],
    ['a sort', { sort: [{ word: 'asc' }] }],
    [
      'a sort of an unmapped type',
      { sort: [{ word: { order: 'asc', unmapped_type: 'keyword' } }, 'n'] },
    ],
    [
      'a sort by number',
      { sort: [{ rank: { order: 'desc', unmapped_type: 'long', missing: 9 } }, 'n'] },
    ],
    ['a collapse', { collapse: { field: 'word' } }],
    ['exists', { query: { bool: { must_not: { exists: { field: 'word' } } } } }],
    [
      'function_score',
      { query: { function_score: { field_value_factor: { field: 'rank', missing: 2 } } } },
    ],
    ['a decay', { query: { function_score: { gauss: { rank: { origin: 7, scale: 3 } } } } }],
    ['distance_feature', { query: { distance_feature: { field: 'rank', origin: 7, pivot: 3 } } }],
    [
      'terms_set',
      { query: { terms_set: { team: { terms: ['red'], minimum_should_match_field: 'rank' } } } },
    ],
    ['match_phrase', { query: { match_phrase: { word: 'x y' } } }],
    [
      'span_near',
      {
        query: {
          span_near: { clauses: [{ span_term: { word: 'x' } }, { span_term: { word: 'y' } }] },
        },
      },
    ],
    ['span_multi', { query: { span_multi: { match: { prefix: { word: 'c' } } } } }],
    [
      'field_masking_span',
      { query: { field_masking_span: { query: { span_term: { word: 'x' } }, field: 'word' } } },
    ],
    ['a script', { query: { script: { script: "doc['word'].size() == 0" } } }],
    [
      'a script of scores',
      {
        query: {
          script_score: { query: { match_all: {} }, script: "doc.containsKey('word') ? 1 : 2" },
        },
      },
    ],
    [
      'a sort by script',
      { sort: [{ _script: { type: 'number', script: "doc.containsKey('rank') ? 1 : 2" } }, 'n'] },
    ],
    ['significant_text', { aggs: { a: { significant_text: { field: 'word' } } } }],
    ['a suggestion', { suggest: { s: { text: 'x', term: { field: 'word' } } } }],
    ['a phrase suggestion', { suggest: { s: { text: 'x', phrase: { field: 'word' } } } }],
    ['a completion', { suggest: { s: { prefix: 'x', completion: { field: 'word' } } } }],
    ['a slice', { slice: { field: 'rank', id: 0, max: 2 } }],
    ['profile', { profile: true, query: { match: { word: 'x' } } }],
    ['more_like_this', { query: { more_like_this: { fields: ['word'], like: 'x' } } }],
    [
      'a highlight',
      { query: { match: { note: SHOWN } }, highlight: { fields: { word: {}, note: {} } } },
    ],
  ])('answers as a field that nobody has: %s', async (_, body) => {
    const answer = async (text: string): Promise<unknown> => {
      const { json, status } = await secured().as(user, 'GET /staff/_search', text)
      const { took, profile, ...rest } = json
      // Names stand in errors and in the keys of answers.
      return [status, JSON.parse(JSON.stringify(rest).replace(/\b(word|rank)\b/g, 'noun'))]
    }
    const text = JSON.stringify(body)
    const absent = text.replace(/\b(word|rank)\b/g, 'noun')
    expect(await answer(text)).toEqual(await answer(absent))
  })

  it('is near no place', async () => {
    const near = { distance: '9000km', spot: [2, 1], ignore_unmapped: true }
    const body = { query: { geo_distance: near } }
    const sorted = { sort: [{ _geo_distance: { spot: [2, 1], ignore_unmapped: true } }] }
    const found = async (who: string): Promise<unknown[]> => {
      const line = 'GET /staff-places/_search'
      const { json } = await secured().as(who, line, body)
      const [first] = (await secured().as(who, line, sorted)).json.hits.hits
      return [json.hits.hits.length, first.sort, first._source.spot]
    }
    expect(await found('admin')).toEqual([1, [expect.closeTo(0, 1)], { lat: 1, lon: 2 }])
    expect(await found(user)).toEqual([0, ['Infinity'], undefined])
  })

  it('is in no mapping', async () => {
    for (const line of [
      'GET /staff/_mapping',
      'GET /staff',
      'GET /staff/_mapping/field/*',
      'GET /staff/_mapping/field/secret,word,boss.pay?include_defaults',
      'GET /staff/_field_caps?fields=*',
      'GET /_cluster/state/metadata/staff',
      'GET /staff/_stats/completion?completion_fields=*',
    ]) {
      const { status, text } = await secured().as(user, line)
      expect([line, status]).toEqual([line, 200])
      for (const name of [
        'secret',
        '"word"',
        '"pay"',
        'boss.pay',
        '"w"',
        'list.w',
        'rank"',
        'fill',
      ])
        expect([line, text.includes(name)]).toEqual([line, false])
    }
    const { text } = await secured().as(user, 'GET /staff/_mapping')
    for (const name of ['note', 'boss', '"name"', 'list', '"v"', 'team'])
      expect(text).toContain(name)
  })

  it('counts for nothing', async () => {
    const count = async (query: object): Promise<unknown> =>
      (await secured().as(user, 'GET /staff/_count', { query })).json.count
    expect(await count({ match: { secret: HIDDEN } })).toBe(0)
    expect(await count({ bool: { must_not: { exists: { field: 'secret' } } } })).toBe(12)
    expect(await count({ match: { note: SHOWN } })).toBe(12)
  })

  it('leaves the rest as it is', async () => {
    const { note, team, n, boss, list } = await source(user)
    expect([note, team, n]).toEqual([`${SHOWN} note 1`, 'blue', 1])
    expect(boss).toEqual({ name: SHOWN })
    expect(list).toEqual([{ v: `${SHOWN}0` }, { v: `${SHOWN}1` }])
    const { json } = await search(user, {
      query: {
        nested: { path: 'list', query: { term: { 'list.v': `${SHOWN}1` } }, inner_hits: {} },
      },
      size: 1,
    })
    const [inner] = json.hits.hits[0].inner_hits.list.hits.hits
    expect([inner._nested.offset, inner._source]).toEqual([1, { v: `${SHOWN}1` }])
  })

  it('scores and sorts the rest as for somebody who sees all', async () => {
    const body = {
      query: { bool: { must: { match: { note: '3' } }, should: { term: { team: 'red' } } } },
      sort: ['_score', { n: 'desc' }],
      aggs: { t: { terms: { field: 'team' } } },
    }
    const of = async (who: string): Promise<unknown> => {
      const { json } = await search(who, body)
      const hits = json.hits.hits.map((hit: { _id: string; sort: unknown }) => [hit._id, hit.sort])
      return [hits, json.aggregations]
    }
    expect(await of(user)).toEqual(await of('admin'))
  })

  it('is in no cached answer of somebody who sees it', async () => {
    const body = {
      size: 0,
      aggs: {
        t: {
          significant_text: { field: 'note', source_fields: ['secret', 'note'], min_doc_count: 1 },
        },
        w: { terms: { field: 'word' } },
      },
    }
    const words = async (who: string): Promise<unknown> =>
      (await search(who, body, '?request_cache=true')).json.aggregations.w.buckets.length
    expect([await words('admin'), await words(user), await words('admin')]).toEqual([10, 0, 10])
  })

  it('stays behind in a copy', async () => {
    const { json } = await secured().as(user, 'POST /_reindex?refresh', {
      source: { index: 'staff' },
      dest: { index: `copy-${user}` },
    })
    expect([json.created, json.failures]).toEqual([12, []])
    const copy = await secured().as('admin', `GET /copy-${user}/_search`)
    expect(copy.text).toContain(SHOWN)
    expect(copy.text).not.toContain(HIDDEN)
  })

  it('is not lost by an update', async () => {
    const reason = 'Update is not supported when FLS or DLS or Fieldmasking is activated'
    const updates: readonly (readonly [string, object])[] = [
      ['POST /staff/_update/1', { doc: { n: 5 } }],
      ['POST /staff/_update/1', { script: 'ctx._source.note = ctx._source.secret' }],
      ['POST /staff/_update_by_query', { query: { ids: { values: ['1'] } } }],
    ]
    for (const [line, body] of updates) {
      const { status, json } = await secured().as(user, line, body)
      expect([line, status, json.error?.root_cause[0].reason]).toEqual([line, 403, reason])
    }
    expect((await source('admin'))['secret']).toBe(`${HIDDEN} 1`)
  })

  it('has no analyzer', async () => {
    const tokens = async (who: string): Promise<unknown> =>
      (await secured().as(who, 'GET /staff/_analyze', { field: 'word', text: 'A b' })).json.tokens
        .length
    expect([await tokens('admin'), await tokens(user), await tokens('admin')]).toEqual([1, 2, 1])
  })
})

describe('a role', () => {
  it('that decides by a field which it hides shows the documents and not the field', async () => {
    const { json, text } = await search('decided', {})
    expect(json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['3'])
    expect(text).not.toContain('"secret"')
    expect((await secured().as('decided', 'GET /staff/_doc/3')).json.found).toBe(true)
    expect((await secured().as('decided', 'GET /staff/_doc/4')).json.found).toBe(false)
  })

  it('without restrictions does not lift those of another', async () => {
    expect(await source('lifted')).not.toHaveProperty('secret')
  })

  it('that hides adds to what another hides', async () => {
    const shown = await source('several')
    expect(shown).not.toHaveProperty('secret')
    expect(shown).not.toHaveProperty('note')
    expect(shown).toHaveProperty('team')
  })

  it('that shows adds to what another shows', async () => {
    expect(Object.keys(await source('union')).sort()).toEqual(['note', 'team'])
  })

  it('that hides wins over one that shows', async () => {
    const shown = await source('mixed')
    expect(shown).not.toHaveProperty('note')
    expect(shown).toHaveProperty('secret')
  })

  it('that shows everything hides nothing', async () => {
    expect(await source('star')).toEqual(await source('admin'))
  })

  it.each([
    ['~/(/', 'missing'],
    ['/(?<=a)b/', 'regular expressions of roles may not look around or back: [(?<=a)b]'],
  ])('with the pattern %s is refused', async (pattern, part) => {
    const { status, text } = await secured().as(
      'admin',
      'PUT /_plugins/_security/api/roles/wrong',
      restricted([pattern]),
    )
    expect(status).toBe(400)
    expect(text).toContain(part === 'missing' ? 'BAD_REQUEST' : part)
  })
})

it('lifts restrictions by a role without, where the setting says so', async () => {
  const other = await openSecured({ 'plugins.security.dfm_empty_overrides_all': 'true' })
  await other.rest.call('PUT /staff/_doc/1?refresh', { secret: HIDDEN, note: SHOWN })
  await addRole(other.rest, 'names', restricted(['~secret']))
  await addRole(other.rest, 'free', restricted([]))
  await addUser(other.rest, 'one', roles('names'))
  await addUser(other.rest, 'two', roles('names', 'free'))
  expect((await other.as('one', 'GET /staff/_doc/1')).text).not.toContain(HIDDEN)
  expect((await other.as('two', 'GET /staff/_doc/1')).text).toContain(HIDDEN)
  await other.close()
})

it('holds for contexts that were opened before a role changed', async () => {
  const { rest, as } = secured()
  await addRole(rest, 'changing', restricted([]))
  await addUser(rest, 'changed', roles('changing'))
  const { json: pit } = await as('changed', 'POST /staff/_search/point_in_time?keep_alive=1m')
  const { json: scroll } = await as('changed', 'POST /staff/_search?scroll=1m&size=2')
  expect(JSON.stringify(scroll)).toContain(HIDDEN)
  await addRole(rest, 'changing', restricted(['note']))
  const after = await as('changed', 'GET /_search', { pit: { id: pit.pit_id } })
  expect([after.status, after.text.includes(SHOWN), after.text.includes(HIDDEN)]).toEqual([
    200,
    true,
    false,
  ])
  const page = await as('changed', 'POST /_search/scroll', { scroll_id: scroll._scroll_id })
  expect([page.status, page.json.error.reason]).toEqual([
    403,
    'What may be seen has changed since the scroll began',
  ])
})
