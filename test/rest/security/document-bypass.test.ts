/** Indirect ways to documents that a role hides: each at least fifty times. */
import { beforeAll, expect, it } from 'vitest'
import type { Access, Asker } from '../../../src/task/access.ts'
import { CANARY, DISGUISES, SECRET, SHOWN } from '../../support/bypass-attempts.ts'
import { askerOf, at, leaksTo, plain, type Sent } from '../../support/leak-hunt.ts'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type Reply, securedForFile } from '../../support/secured-rest.ts'
import { tellCount } from '../../support/tell-count.ts'

const secured = securedForFile()
/** Begins every value of hidden documents, and stands nowhere else. */
const HIDDEN = 'heliotrope'

/** Users who may do everything with every index, and see the red documents alone. */
const USERS: Readonly<Record<string, string>> = {
  plain: '{"term":{"team":"red"}}',
  negated: '{"bool":{"must_not":{"term":{"team":"blue"}}}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the name of the user stands there
  red: '{"match":{"team":"${user.name}"}}',
  scripted: `{"script":{"script":"doc['team'].value == 'red'"}}`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the name of the user stands there
  looking: '{"terms":{"team":{"index":"teams-of","id":"${user.name}","path":"teams"}}}',
}

beforeAll(async () => {
  const { rest } = secured()
  for (const index of [SECRET, SHOWN]) {
    await rest.call(`PUT /${index}`, {
      settings: { number_of_shards: 1 },
      mappings: {
        properties: {
          team: { type: 'keyword' },
          word: { type: 'keyword', store: true },
          note: { type: 'text', fielddata: true, term_vector: 'with_positions_offsets' },
          fill: { type: 'completion' },
          n: { type: 'integer' },
          parts: { type: 'nested', properties: { word: { type: 'keyword' } } },
          rel: { type: 'join', relations: { parent: 'child' } },
        },
      },
      aliases: index === SECRET ? { [`alias-${CANARY}`]: {} } : {},
    })
    const source = (team: string, word: string, n: number, rel: unknown): object => ({
      team,
      word,
      note: `${word} and more`,
      fill: word,
      n,
      parts: [{ word }],
      rel,
    })
    const child = { name: 'child', parent: '1' }
    const lines = [
      ['1', source('red', 'amber-1', 1, 'parent')],
      ['2', source('red', 'amber-2', 2, child)],
      ['3', source('blue', `${HIDDEN}-3`, 3, 'parent')],
      ['4', source('blue', `${HIDDEN}-4`, 4, child)],
    ].flatMap(([_id, each]) => [{ index: { _id, routing: 'r' } }, each])
    await rest.call(`POST /${index}/_bulk?refresh`, ndjson(...lines))
  }
  await rest.call('PUT /teams-of/_doc/looking?refresh', { teams: ['red'] })
  for (const [name, dls] of Object.entries(USERS)) {
    await addRole(rest, name, {
      cluster_permissions: ['cluster_composite_ops', 'cluster:monitor/*'],
      index_permissions: [
        {
          index_patterns: ['*'],
          dls,
          allowed_actions: ['indices:data/*', 'indices:admin/validate/query'],
        },
      ],
    })
    await addUser(rest, name, { opendistro_security_roles: [name] })
  }
}, 60_000)

const leaks = (asker: Asker, attempts: readonly Sent[]): Promise<string[]> =>
  // No request names more than the beginning of a value.
  leaksTo(secured(), asker, attempts, text => text.includes(`${HIDDEN}-`))

/** A script that tells the word of a hidden document, should it run on one. */
const cry = (result: string, field = 'word'): { readonly source: string } => ({
  source:
    `def w = doc['${field}'].value; ` +
    `if (w.startsWith('${HIDDEN}')) { throw new IllegalArgumentException(w) } ${result}`,
})
const CRY = cry('return false')
const CRY_SCORE = cry('return 1')
const CRY_TEXT = cry("return 'x'")
const CRY_NESTED = cry('return false', 'parts.word')
const CRY_EMIT = cry("emit('x')")
const ALL = { match_all: {} }
const hits = { size: 20, docvalue_fields: ['word'], stored_fields: ['word'], _source: true }

/** Bodies of searches by what they hunt with. */
const HUNTS: Readonly<Record<string, readonly object[]>> = {
  suggestions: [
    { suggest: { s: { prefix: 'h', completion: { field: 'fill', size: 20 } } } },
    { suggest: { s: { prefix: 'hx', completion: { field: 'fill', fuzzy: { min_length: 1 } } } } },
    { suggest: { s: { regex: 'h.*', completion: { field: 'fill', skip_duplicates: true } } } },
    { suggest: { s: { text: 'heliotropf-3', term: { field: 'word', suggest_mode: 'always' } } } },
    { suggest: { s: { text: 'heliotrop', phrase: { field: 'note', confidence: 0 } } } },
  ],
  'suggestions of terms': [
    { suggest: { s: { text: 'heliotropf', term: { field: 'note', suggest_mode: 'always' } } } },
    { suggest: { s: { text: 'heliotrop', term: { field: 'note', sort: 'frequency' } } } },
    { suggest: { s: { text: `${HIDDEN}_3`, term: { field: 'word', max_inspections: 100 } } } },
    { suggest: { s: { text: `${HIDDEN}_3`, term: { field: 'parts.word', prefix_length: 0 } } } },
    {
      query: ALL,
      suggest: {
        text: `heliotropf ${HIDDEN}s`,
        one: { term: { field: 'note', string_distance: 'ngram', accuracy: 0, min_doc_freq: 0 } },
        two: { term: { field: 'note', string_distance: 'jaro_winkler', accuracy: 0, size: 100 } },
      },
    },
    {
      suggest: {
        s: {
          text: 'heliotropf-5',
          term: { field: 'word', analyzer: 'keyword', max_term_freq: 100, suggest_mode: 'popular' },
        },
      },
    },
  ],
  joins: [
    { query: { has_child: { type: 'child', query: ALL, inner_hits: hits } }, ...hits },
    { query: { has_parent: { parent_type: 'parent', query: ALL, inner_hits: hits } }, ...hits },
    {
      query: {
        bool: {
          should: [ALL, { has_parent: { parent_type: 'parent', query: ALL, inner_hits: hits } }],
        },
      },
    },
    {
      size: 0,
      aggs: { c: { children: { type: 'child' }, aggs: { w: { terms: { field: 'word' } } } } },
    },
    {
      size: 0,
      aggs: { p: { parent: { type: 'child' }, aggs: { w: { top_hits: hits } } } },
    },
    { query: { has_child: { type: 'child', query: { script: { script: CRY } } } } },
    { query: { has_parent: { parent_type: 'parent', query: { script: { script: CRY } } } } },
  ],
  explanations: [
    { explain: true, query: { query_string: { query: 'heliotr*', fields: ['*'], lenient: true } } },
    { explain: true, query: { fuzzy: { word: `${HIDDEN}_3` } } },
    { explain: true, query: { match_phrase_prefix: { note: 'heliotr' } } },
    { query: { more_like_this: { fields: ['note'], like: HIDDEN, min_term_freq: 1 } } },
  ],
  profiles: [
    { profile: true, query: { wildcard: { word: 'h*' } } },
    { profile: true, query: { fuzzy: { word: `${HIDDEN}_3` } } },
    { profile: true, size: 0, aggs: { w: { terms: { field: 'word' } } } },
    { profile: true, query: { match_phrase_prefix: { note: 'heliotr' } } },
  ],
  aggregations: [
    { size: 0, aggs: { w: { terms: { field: 'word', min_doc_count: 0 } } } },
    { size: 0, aggs: { g: { global: {}, aggs: { w: { terms: { field: 'note' } } } } } },
    {
      size: 0,
      aggs: { n: { nested: { path: 'parts' }, aggs: { w: { terms: { field: 'parts.word' } } } } },
    },
    { size: 0, aggs: { w: { significant_terms: { field: 'word', min_doc_count: 1 } } } },
    { size: 0, aggs: { w: { significant_text: { field: 'note', min_doc_count: 1 } } } },
    { size: 0, aggs: { w: { rare_terms: { field: 'word', max_doc_count: 9 } } } },
    { size: 0, aggs: { g: { global: {}, aggs: { h: { top_hits: hits } } } } },
    { size: 0, aggs: { s: { sampler: {}, aggs: { w: { terms: { field: 'word' } } } } } },
    { size: 0, aggs: { m: { missing: { field: 'gone' }, aggs: { h: { top_hits: hits } } } } },
  ],
  errors: [
    { query: { script: { script: CRY } } },
    { query: { bool: { should: [ALL, { script: { script: CRY } }] } } },
    { query: { bool: { must_not: [{ script: { script: CRY } }] } } },
    { query: { script_score: { query: ALL, script: CRY_SCORE } } },
    {
      query: {
        function_score: { functions: [{ filter: { script: { script: CRY } }, weight: 2 }] },
      },
    },
    { query: { function_score: { script_score: { script: CRY_SCORE } } } },
    { query: { function_score: { script_score: { script: CRY_SCORE }, min_score: 0.5 } } },
    { query: { script_score: { query: ALL, script: CRY_SCORE, min_score: 0.5 } } },
    { query: { bool: { should: [{ script: { script: CRY } }, { term: { n: 99 } }] } } },
    {
      query: {
        bool: {
          should: [{ script: { script: CRY } }, { term: { n: 99 } }, { term: { n: 98 } }],
          minimum_should_match: 2,
        },
      },
    },
    { query: { dis_max: { queries: [{ script: { script: CRY } }, { term: { n: 99 } }] } } },
    {
      query: {
        boosting: { positive: ALL, negative: { script: { script: CRY } }, negative_boost: 0.5 },
      },
    },
    { query: { constant_score: { filter: { bool: { must_not: { script: { script: CRY } } } } } } },
    {
      query: {
        bool: {
          should: [
            { term: { n: 99 } },
            {
              terms_set: {
                word: { terms: ['heliotrope', 'amber-1'], minimum_should_match_script: CRY_SCORE },
              },
            },
          ],
        },
      },
    },
    {
      query: { match: { note: 'amber' } },
      sort: [
        {
          n: {
            order: 'asc',
            nested: { path: 'parts', filter: { script: { script: CRY_NESTED } } },
          },
        },
      ],
    },
    {
      size: 0,
      aggs: {
        n: {
          nested: { path: 'parts' },
          aggs: { f: { filter: { script: { script: CRY_NESTED } } } },
        },
      },
    },
    {
      query: { bool: { filter: { bool: { should: [{ script: { script: CRY } }] } } } },
      explain: true,
    },
    { query: { nested: { path: 'parts', query: { script: { script: CRY_NESTED } } } } },
    {
      query: {
        nested: {
          path: 'parts',
          query: { script_score: { query: ALL, script: cry('return 1', 'parts.word') } },
        },
      },
    },
    { query: { terms_set: { word: { terms: ['a'], minimum_should_match_script: CRY_SCORE } } } },
    { post_filter: { script: { script: CRY } } },
    { sort: [{ _script: { type: 'string', script: CRY_TEXT } }] },
    { script_fields: { a: { script: CRY_TEXT } } },
    { rescore: { window_size: 20, query: { rescore_query: { script: { script: CRY } } } } },
    { size: 0, aggs: { w: { terms: { script: CRY_TEXT } } } },
    { size: 0, aggs: { f: { filter: { script: { script: CRY } } } } },
    { size: 0, aggs: { g: { global: {}, aggs: { w: { sum: { script: CRY_SCORE } } } } } },
    { size: 0, aggs: { f: { filters: { filters: { a: { script: { script: CRY } } } } } } },
    { derived: { d: { type: 'keyword', script: CRY_EMIT } }, query: { term: { d: 'x' } } },
    { derived: { d: { type: 'keyword', script: CRY_EMIT } }, fields: ['d'] },
  ],
  scripts: [
    { script_fields: { a: { script: "doc['word'].value + params._source.toString()" } }, size: 20 },
    { sort: [{ _script: { type: 'string', script: "doc['word'].value" } }], size: 20 },
    { size: 0, aggs: { w: { terms: { script: "doc['word'].value" } } } },
    {
      size: 0,
      aggs: {
        a: {
          scripted_metric: {
            init_script: 'state.l = []',
            map_script: "state.l.add(doc['word'].value)",
            combine_script: 'return state.l',
            reduce_script: 'return states',
          },
        },
      },
    },
    { derived: { d: { type: 'keyword', script: "emit(doc['word'].value)" } }, fields: ['d'] },
  ],
  pipelines: [
    {
      query: { prefix: { word: 'h' } },
      ...hits,
      search_pipeline: {
        request_processors: [
          {
            script: {
              source:
                "ctx._source['size'] = 100; ctx._source['explain'] = true; ctx._source['profile'] = true",
            },
          },
        ],
      },
    },
    {
      query: ALL,
      search_pipeline: {
        request_processors: [
          { filter_query: { query: { script: { script: CRY } } } },
          { oversample: { sample_factor: 10 } },
        ],
        response_processors: [{ truncate_hits: { target_size: 20 } }],
      },
    },
    {
      query: { hybrid: { queries: [ALL, { prefix: { word: 'h' } }] } },
      explain: true,
      ...hits,
      search_pipeline: {
        phase_results_processors: [
          {
            'normalization-processor': {
              normalization: { technique: 'l2' },
              combination: { technique: 'arithmetic_mean' },
            },
          },
        ],
        response_processors: [{ hybrid_score_explanation: {} }],
      },
    },
    {
      query: { hybrid: { queries: [{ script_score: { query: ALL, script: CRY_SCORE } }] } },
      search_pipeline: {
        phase_results_processors: [
          { 'score-ranker-processor': { combination: { technique: 'rrf' } } },
        ],
      },
    },
    {
      query: ALL,
      ...hits,
      search_pipeline: {
        response_processors: [
          { rename_field: { field: 'word', target_field: 'w', ignore_missing: true } },
          { sort: { field: 'w', target_field: 'ws', ignore_failure: true } },
          { split: { field: 'note', separator: ' ', target_field: 'notes' } },
          { collapse: { field: 'team' } },
        ],
      },
    },
  ],
  lookups: [
    { query: { terms: { n: { index: SECRET, id: '3', path: 'n', routing: 'r' } } }, ...hits },
    {
      query: {
        more_like_this: {
          fields: ['note'],
          like: [{ _index: SECRET, _id: '3', routing: 'r' }],
          min_term_freq: 1,
          min_doc_freq: 1,
        },
      },
      ...hits,
    },
    { collapse: { field: 'team', inner_hits: { name: 'x', size: 20 } }, ...hits },
    { query: { hybrid: { queries: [ALL, { prefix: { word: 'h' } }] } }, ...hits },
  ],
}

/** Ways that are no searches, each with every name of the index that a path may hold. */
const OTHER_WAYS: Readonly<Record<string, (name: string) => readonly Sent[]>> = {
  'several searches': name =>
    Object.values(HUNTS).map(([body]) => ({
      method: 'POST',
      path: '/_msearch',
      body: ndjson({ index: plain(name) }, body!),
    })),
  templates: name =>
    Object.values(HUNTS).map(([source]) => ({
      method: 'POST',
      path: at(name, '_search/template'),
      body: JSON.stringify({ source }),
    })),
  'reads by id': name => [
    { method: 'GET', path: at(name, '_doc/3', 'routing=r'), body: '' },
    { method: 'GET', path: at(name, '_doc/3', 'routing=r&realtime=true&refresh=true'), body: '' },
    { method: 'GET', path: at(name, '_source/3', 'routing=r'), body: '' },
    { method: 'GET', path: at(name, '_explain/3', 'routing=r&_source=true&q=*'), body: '' },
    {
      method: 'POST',
      path: '/_mget',
      body: JSON.stringify({ docs: [{ _index: plain(name), _id: '3', routing: 'r' }] }),
    },
  ],
  'vectors of terms': name => [
    { method: 'GET', path: at(name, '_termvectors/3', 'routing=r&fields=note,word'), body: '' },
    {
      method: 'POST',
      path: at(name, '_termvectors'),
      body: JSON.stringify({ doc: { note: HIDDEN }, term_statistics: true }),
    },
    {
      method: 'POST',
      path: '/_mtermvectors',
      body: JSON.stringify({
        docs: [{ _index: plain(name), _id: '3', routing: 'r', fields: ['note'] }],
      }),
    },
  ],
  'checked queries': name =>
    ['explain=true&rewrite=true', 'rewrite=true&all_shards=true', 'explain=true'].flatMap(query =>
      [{ fuzzy: { word: `${HIDDEN}_3` } }, { match_phrase_prefix: { note: 'heliotr' } }].map(
        each => ({
          method: 'GET',
          path: at(name, '_validate/query', query),
          body: JSON.stringify({ query: each }),
        }),
      ),
    ),
  'names of fields': name =>
    ['fields=*', 'fields=word,parts.*', 'fields=note&include_unmapped'].map(query => ({
      method: 'POST',
      path: at(name, '_field_caps', query),
      body: JSON.stringify({ index_filter: { prefix: { word: 'h' } } }),
    })),
  writes: name => [
    {
      method: 'POST',
      path: at(name, '_update/3', 'routing=r'),
      body: JSON.stringify({ script: 'ctx.op = "none"', _source: true }),
    },
    {
      method: 'POST',
      path: at(name, '_update/3', 'routing=r'),
      body: JSON.stringify({ doc: { n: 3 }, _source: true }),
    },
    {
      method: 'POST',
      path: '/_bulk',
      body: ndjson(
        { update: { _index: plain(name), _id: '3', routing: 'r', _source: true } },
        { doc: { n: 3 } },
      ),
    },
    {
      method: 'POST',
      path: at(name, '_update_by_query'),
      body: JSON.stringify({
        query: ALL,
        script: { source: 'throw new IllegalArgumentException(ctx._source.word)' },
      }),
    },
    {
      method: 'POST',
      path: '/_reindex',
      body: JSON.stringify({
        source: { index: plain(name) },
        dest: { index: 'copy-of-what-is-seen' },
        script: { source: 'throw new IllegalArgumentException(ctx._source.word)' },
      }),
    },
  ],
}

const WAYS: Readonly<Record<string, (name: string) => readonly Sent[]>> = {
  ...Object.fromEntries(
    Object.entries(HUNTS).map(([kind, bodies]) => [
      kind,
      (name: string) =>
        bodies.map(body => ({
          method: 'GET',
          path: at(name, '_search'),
          body: JSON.stringify(body),
        })),
    ]),
  ),
  ...OTHER_WAYS,
}

/** A user's access without what restricts documents. */
function unrestricted(access: Access): Access {
  return {
    decide: (action, targets) => access.decide(action, targets),
    restrictionsOf: () => null,
    get hasDecided() {
      return access.hasDecided
    },
  }
}

it('runs scripts of queries on what is seen, with the same answers and scores', async () => {
  const red = { source: "doc['n'].value <= params.n", params: { n: 3 } }
  const queries: readonly (readonly [object, readonly string[]])[] = [
    [{ script: { script: red } }, ['1', '2']],
    [{ bool: { should: [{ script: { script: red } }, { term: { n: 2 } }] } }, ['2', '1']],
    [{ bool: { must_not: { script: { script: red } } } }, []],
    [{ script_score: { query: ALL, script: "doc['n'].value", min_score: 2 } }, ['2']],
    [{ function_score: { script_score: { script: "doc['n'].value" }, min_score: 1 } }, ['2', '1']],
    [
      {
        terms_set: {
          word: { terms: ['amber-1', 'gone'], minimum_should_match_script: 'return 1' },
        },
      },
      ['1'],
    ],
    [
      {
        intervals: {
          note: { match: { query: 'amber', filter: { script: 'interval.start >= 0' } } },
        },
      },
      ['1', '2'],
    ],
  ]
  for (const max_slice_count of [0, 3]) {
    await secured().rest.call(`PUT /${SHOWN}/_settings`, {
      'index.search.concurrent.max_slice_count': max_slice_count,
    })
    for (const [query, ids] of queries) {
      const search = async (user: string, body: object): Promise<unknown[][]> => {
        const { json, text } = await secured().as(user, `GET /${SHOWN}/_search`, body)
        expect([text, json.hits === undefined]).toEqual([text, false])
        return json.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score])
      }
      const hits = await search('plain', { query, explain: true })
      expect([query, hits.map(([id]) => id)]).toEqual([query, ids])
      const filter = { term: { team: 'red' } }
      expect(hits).toEqual(await search('admin', { query: { bool: { must: query, filter } } }))
      const { json } = await secured().as('plain', `GET /${SHOWN}/_count`, { query })
      expect(json.count).toBe(ids.length)
    }
  }
})

it('runs scripts on nested documents of what is seen, with the same answers and scores', async () => {
  const search = async (user: string, body: object): Promise<Reply['json']> => {
    const { json, text } = await secured().as(user, `GET /${SHOWN}/_search`, body)
    expect([text, json.hits === undefined]).toEqual([text, false])
    const hits = json.hits.hits.map((hit: Reply['json']) => [hit._id, hit._score, hit.inner_hits])
    return [hits, json.aggregations]
  }
  const filter = { term: { team: 'red' } }
  const word = "doc['parts.word'].value"
  const path = 'parts'
  const found = { script: { script: `return ${word}.length() > 0` } }
  for (const query of [
    { nested: { path, query: found, inner_hits: {} } },
    { bool: { should: [ALL, { nested: { path, query: found } }] } },
    { bool: { must_not: { nested: { path, query: { bool: { must_not: found } } } } } },
    {
      nested: { path, query: { script_score: { query: ALL, script: `return ${word}.length()` } } },
    },
  ]) {
    const hits = await search('plain', { query })
    expect(hits[0].length).toBeGreaterThan(0)
    expect(hits).toEqual(await search('admin', { query: { bool: { must: query, filter } } }))
  }
  const aggs = {
    p: {
      nested: { path },
      aggs: { f: { filter: found }, g: { filters: { filters: { a: found } } } },
    },
  }
  const counted = await search('plain', { aggs })
  expect(counted[1].p.f.doc_count).toBeGreaterThan(0)
  expect(counted[1]).toEqual((await search('admin', { query: { bool: { filter } }, aggs }))[1])
})

it.each(Object.entries(WAYS))(
  'shows no hidden document by %s',
  async (kind, attempts) => {
    const all = DISGUISES.flatMap(attempts)
    expect(all.length).toBeGreaterThanOrEqual(50)
    for (const user of Object.keys(USERS))
      expect([user, await leaks(await askerOf(secured(), user), all)]).toEqual([user, []])
    tellCount(`attempts by ${kind}`, all.length * Object.keys(USERS).length)
    // Values of documents are in no names of fields.
    if (kind === 'names of fields') return
    const { principal, access } = await askerOf(secured(), 'plain')
    const free = { principal, access: unrestricted(access) }
    expect((await leaks(free, all)).length).toBeGreaterThanOrEqual(5)
  },
  240_000,
)
