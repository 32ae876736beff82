import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Access, type Asker, TRUSTED_ACCESS } from '../../../src/task/access.ts'
import type { Action } from '../../../src/task/actions.ts'
import { allAttempts, CANARY, DISGUISES, SECRET, SHOWN } from '../../support/bypass-attempts.ts'
import { askerOf, at, leaksTo, plain, type Sent } from '../../support/leak-hunt.ts'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, openSecured, type SecuredRest } from '../../support/secured-rest.ts'
import { tellCount } from '../../support/tell-count.ts'

let secured: SecuredRest
/** Stands in the hidden fields of all documents, and nowhere else. */
const HIDDEN = 'heliotrope'

/** Users who may read every index, and not all of what it holds. */
const USERS: Readonly<Record<string, object>> = {
  naming: { fls: ['~pay', '~crew.pay', '~words', '~fill', '~kept'] },
  listing: { fls: ['n', 'crew.name'] },
  matching: { fls: ['~/(crew\\.)?pay/', '~/words|fill|kept/'] },
  masked: {
    masked_fields: ['pay::MD5', 'crew.pay::/./::x', 'words::SHA-1', 'fill::MD5', 'kept::MD5'],
  },
  both: { fls: ['~pay*', '~words', '~kept'], masked_fields: ['crew::MD5', 'fill::MD5'] },
  limited: { dls: '{"term":{"n":1}}', fls: ['~pay', '~crew', '~words', '~fill', '~kept'] },
}

beforeAll(async () => {
  secured = await openSecured()
  const { rest } = secured
  for (const index of [SECRET, SHOWN])
    await rest.call(`PUT /${index}`, {
      mappings: {
        properties: {
          n: { type: 'long' },
          pay: {
            type: 'text',
            fielddata: true,
            term_vector: 'with_positions_offsets',
            fields: { raw: { type: 'keyword' } },
          },
          words: { type: 'keyword' },
          kept: { type: 'keyword', store: true },
          fill: { type: 'completion' },
          crew: {
            type: 'nested',
            properties: { name: { type: 'keyword' }, pay: { type: 'keyword' } },
          },
        },
      },
      aliases: index === SECRET ? { [`alias-${CANARY}`]: {} } : {},
    })
  for (const index of [SECRET, SHOWN])
    for (const n of [1, 2])
      await rest.call(`PUT /${index}/_doc/${n}?refresh`, {
        n,
        pay: `${HIDDEN} ${n}`,
        words: [HIDDEN, `${HIDDEN}-${n}`],
        kept: HIDDEN,
        fill: HIDDEN,
        crew: [{ name: 'ann', pay: HIDDEN }],
      })
  for (const [name, restrictions] of Object.entries(USERS)) {
    await addRole(rest, name, {
      cluster_permissions: ['cluster_composite_ops', 'cluster:monitor/*'],
      index_permissions: [
        {
          index_patterns: ['*'],
          ...restrictions,
          allowed_actions: [
            'indices:data/read*',
            'indices:monitor/*',
            'indices:admin/*get',
            'indices:admin/analyze',
            'indices:admin/validate/query',
            'indices:admin/shards/search_shards',
            'indices:admin/resolve/index',
          ],
        },
      ],
    })
    await addUser(rest, name, { opendistro_security_roles: [name] })
  }
}, 60_000)
afterAll(() => secured.close())

const leaks = (asker: Asker, attempts: readonly Sent[]): Promise<string[]> =>
  leaksTo(secured, asker, attempts, (text, { path, body }) =>
    path.includes(HIDDEN) || body.includes(HIDDEN)
      ? text.includes(`${HIDDEN}-`) || text.includes(`"${HIDDEN} `)
      : text.includes(HIDDEN),
  )

/** Every route that reads, with every name of the index. */
function reads(): readonly Sent[] {
  return allAttempts().filter(
    ({ action, method }) =>
      method === 'GET' || method === 'HEAD' || action.startsWith('indices:data/read'),
  )
}

/** Bodies of searches that hunt for what is hidden. */
const HUNTS: readonly object[] = [
  { query: { match: { pay: HIDDEN } }, highlight: { fields: { '*': {} } } },
  { fields: ['*'], docvalue_fields: ['words', 'kept'], stored_fields: ['*'], _source: ['*'] },
  {
    sort: [
      { words: { order: 'desc', unmapped_type: 'keyword' } },
      { 'pay.raw': { order: 'asc', unmapped_type: 'keyword' } },
    ],
  },
  { size: 0, aggs: { a: { terms: { field: 'words', missing: 'x' } } } },
  { size: 0, aggs: { g: { global: {}, aggs: { a: { terms: { field: 'pay' } } } } } },
  {
    size: 0,
    aggs: { c: { nested: { path: 'crew' }, aggs: { a: { terms: { field: 'crew.pay' } } } } },
  },
  { size: 0, aggs: { a: { top_hits: { _source: true, docvalue_fields: ['kept'] } } } },
  {
    size: 0,
    aggs: {
      a: { significant_text: { field: 'pay', source_fields: ['pay', 'kept'], min_doc_count: 1 } },
    },
  },
  { size: 0, aggs: { a: { composite: { sources: [{ w: { terms: { field: 'words' } } }] } } } },
  { size: 0, aggs: { a: { terms: { field: 'pay.raw', min_doc_count: 0, include: '.*' } } } },
  { size: 0, aggs: { a: { rare_terms: { field: 'words', max_doc_count: 9 } } } },
  { size: 0, aggs: { a: { multi_terms: { terms: [{ field: 'words' }, { field: 'kept' }] } } } },
  { size: 0, aggs: { a: { significant_terms: { field: 'words', min_doc_count: 1 } } } },
  { size: 0, aggs: { a: { top_hits: { sort: ['kept'], fields: ['*'] } } } },
  { size: 0, aggs: { a: { terms: { field: 'kept', script: "_value + 'x'" } } } },
  { query: { nested: { path: 'crew', query: { match_all: {} }, inner_hits: { fields: ['*'] } } } },
  { suggest: { s: { text: 'heliotrop', term: { field: 'pay', suggest_mode: 'always' } } } },
  { suggest: { s: { prefix: 'h', completion: { field: 'fill' } } } },
  { script_fields: { a: { script: "params._source.toString() + doc['words']" } } },
  { script_fields: { a: { script: "doc['words'][0]" }, b: { script: "doc['pay'].value" } } },
  { sort: [{ _script: { type: 'string', script: "doc['kept'].value" } }] },
  { collapse: { field: 'kept' }, query: { match_all: {} } },
  { explain: true, query: { query_string: { query: 'heliotr*', fields: ['*'], lenient: true } } },
  { profile: true, query: { wildcard: { words: '*e*' } } },
]

/** Bodies of searches, with pipelines that hunt. */
const PIPELINES: readonly (readonly [body: object, pipeline: object])[] = [
  [
    { fields: ['*'], stored_fields: ['*'], _source: true },
    {
      response_processors: [
        { rename_field: { field: 'kept', target_field: 'shown', ignore_missing: true } },
        { rename_field: { field: 'pay', target_field: 'n2', ignore_failure: true } },
      ],
    },
  ],
  [
    {},
    {
      response_processors: [
        { split: { field: 'pay', separator: ' ', target_field: 'n3', ignore_failure: true } },
        { sort: { field: 'words', target_field: 'n4', ignore_failure: true } },
        { collapse: { field: 'kept', ignore_failure: true } },
      ],
    },
  ],
  [
    {},
    {
      request_processors: [
        { filter_query: { query: { match: { pay: HIDDEN } } } },
        { script: { source: "ctx._source['explain'] = true; ctx._source['size'] = 100" } },
      ],
    },
  ],
  [
    {
      query: {
        hybrid: { queries: [{ match: { pay: HIDDEN } }, { wildcard: { words: 'heliotr*' } }] },
      },
      explain: true,
    },
    {
      phase_results_processors: [{ 'normalization-processor': {} }],
      response_processors: [{ hybrid_score_explanation: {} }],
    },
  ],
]

/** Indirect ways, each with every name of the index that a path may hold. */
const INDIRECTIONS: Readonly<Record<string, (name: string) => readonly Sent[]>> = {
  'bodies of searches': name =>
    HUNTS.map(body => ({ method: 'GET', path: at(name, '_search'), body: JSON.stringify(body) })),
  pipelines: name =>
    PIPELINES.map(([body, search_pipeline]) => ({
      method: 'POST',
      path: at(name, '_search'),
      body: JSON.stringify({ ...body, search_pipeline }),
    })),
  'several searches': name =>
    HUNTS.slice(0, 4).map(body => ({
      method: 'POST',
      path: '/_msearch',
      body: ndjson({ index: plain(name) }, body),
    })),
  templates: name =>
    HUNTS.slice(0, 4).map(body => ({
      method: 'POST',
      path: at(name, '_search/template'),
      body: JSON.stringify({ source: body }),
    })),
  'reads by id': name => [
    { method: 'GET', path: at(name, '_doc/1', 'stored_fields=kept,pay'), body: '' },
    { method: 'GET', path: at(name, '_source/1', '_source_includes=*'), body: '' },
    {
      method: 'POST',
      path: '/_mget',
      body: JSON.stringify({ docs: [{ _index: plain(name), _id: '1', stored_fields: ['kept'] }] }),
    },
    { method: 'GET', path: at(name, '_explain/1', '_source=true&q=*'), body: '' },
  ],
  'vectors of terms': name => [
    { method: 'GET', path: at(name, '_termvectors/1', 'fields=*'), body: '' },
    {
      method: 'GET',
      path: at(name, '_termvectors/1', 'fields=pay,words,kept&term_statistics'),
      body: '',
    },
    {
      method: 'POST',
      path: '/_mtermvectors',
      body: JSON.stringify({ docs: [{ _index: plain(name), _id: '1', fields: ['pay', 'kept'] }] }),
    },
  ],
  lookups: name => [
    {
      method: 'POST',
      path: at(name, '_search'),
      body: JSON.stringify({
        query: { terms: { n: { index: plain(name), id: '1', path: 'pay' } } },
      }),
    },
    {
      method: 'POST',
      path: at(name, '_search'),
      body: JSON.stringify({
        query: {
          more_like_this: {
            like: { _index: plain(name), _id: '1' },
            min_term_freq: 1,
            min_doc_freq: 1,
          },
        },
        explain: true,
      }),
    },
    {
      method: 'POST',
      path: at(name, '_validate/query', 'explain=true&rewrite=true&all_shards=true'),
      body: JSON.stringify({
        query: {
          more_like_this: {
            like: { _index: plain(name), _id: '1' },
            min_term_freq: 1,
            min_doc_freq: 1,
          },
        },
      }),
    },
  ],
  evaluations: name => [
    {
      method: 'POST',
      path: at(name, '_rank_eval'),
      body: JSON.stringify({
        requests: [
          {
            id: 'r',
            request: { query: { match_all: {} } },
            ratings: [],
            summary_fields: ['pay', 'kept'],
          },
        ],
        metric: { precision: { k: 5 } },
      }),
    },
    { method: 'GET', path: at(name, '_search', 'q=heliotr*&df=pay&lenient=true'), body: '' },
    {
      method: 'GET',
      path: at(name, '_search', 'docvalue_fields=words,kept&stored_fields=kept'),
      body: '',
    },
  ],
}

it('shows no restricted user a hidden or masked value, by any route and any name', async () => {
  let sent = 0
  for (const user of Object.keys(USERS)) {
    expect([user, await leaks(await askerOf(secured, user), reads())]).toEqual([user, []])
    sent += reads().length
  }
  expect(sent).toBeGreaterThan(3_000)
  tellCount('attempts on hidden fields', sent)
}, 300_000)

it.each(Object.entries(INDIRECTIONS))(
  'shows none by %s',
  async (kind, attempts) => {
    const all = DISGUISES.flatMap(attempts)
    expect(all.length).toBeGreaterThanOrEqual(50)
    for (const user of Object.keys(USERS))
      expect([user, await leaks(await askerOf(secured, user), all)]).toEqual([user, []])
    expect((await leaks(await askerOf(secured, 'admin'), all)).length).toBeGreaterThan(5)
    tellCount(`attempts on fields by ${kind}`, all.length * Object.keys(USERS).length)
  },
  120_000,
)

/** A user's access without what restricts fields. */
function unrestricted(access: Access): Access {
  return {
    decide: (action, targets) => access.decide(action, targets),
    restrictionsOf(index) {
      const found = access.restrictionsOf(index)
      return found === null ? null : { ...found, fields: null }
    },
    get hasDecided() {
      return access.hasDecided
    },
  }
}

it.each<Action>([
  'indices:data/read/search',
  'indices:data/read/get',
  'indices:data/read/mget',
  'indices:data/read/msearch',
  'indices:data/read/tv',
  'indices:data/read/mtv',
  'indices:data/read/explain',
  'indices:data/read/search/template',
  'indices:data/read/rank_eval',
])('would find out if nobody hid fields from %s', async action => {
  const { principal, access } = await askerOf(secured, 'naming')
  expect(access).not.toBe(TRUSTED_ACCESS)
  const asker = { principal, access: unrestricted(access) }
  const own = allAttempts().filter(each => each.action === action)
  const indirect = DISGUISES.flatMap(name =>
    Object.values(INDIRECTIONS).flatMap(make => make(name)),
  )
  const attempts = [...own, ...indirect.filter(({ path }) => ENDINGS[action]?.test(path) === true)]
  expect((await leaks(asker, attempts)).length).toBeGreaterThan(0)
})

/** Paths of indirect ways, by their action. */
const ENDINGS: Readonly<Partial<Record<Action, RegExp>>> = {
  'indices:data/read/tv': /_termvectors/,
  'indices:data/read/mtv': /_mtermvectors/,
  'indices:data/read/explain': /_explain/,
  'indices:data/read/rank_eval': /_rank_eval/,
  'indices:data/read/mget': /_mget/,
}
