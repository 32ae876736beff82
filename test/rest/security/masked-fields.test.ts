import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { blake2b256 } from '../../../src/util/blake2b.ts'
import { withoutRandomIds } from '../../support/random-ids.ts'
import { ndjson } from '../../support/rest-calls.ts'
import {
  addRole,
  addUser,
  openSecured,
  type Reply,
  securedForFile,
} from '../../support/secured-rest.ts'

const SALT = '1234567890abcdef'
const secured = securedForFile({ 'plugins.security.compliance.salt': SALT })

/** The default mask. */
const hashed = (text: string): string =>
  Buffer.from(blake2b256(Buffer.from(text), Buffer.from(SALT))).toString('hex')
const digested = (text: string, algorithm: string): string =>
  createHash(algorithm).update(text).digest('hex')

const masking = (masked_fields: readonly string[], more: object = {}): object => ({
  cluster_permissions: ['cluster_composite_ops', 'cluster_monitor'],
  index_permissions: [
    { index_patterns: ['staff*'], masked_fields, allowed_actions: ['indices:*'], ...more },
  ],
})
const roles = (...names: string[]): object => ({ opendistro_security_roles: names })
const roleCall = (masked_fields: readonly string[]): Promise<Reply> =>
  secured().as('admin', 'PUT /_plugins/_security/api/roles/wrong', masking(masked_fields))

beforeAll(async () => {
  const { rest } = secured()
  await rest.call('PUT /staff', {
    mappings: {
      properties: {
        note: { type: 'text' },
        name: {
          type: 'text',
          store: true,
          term_vector: 'yes',
          fields: { raw: { type: 'keyword' } },
        },
        mail: { type: 'keyword', store: true },
        word: { type: 'keyword' },
        rank: { type: 'long' },
        day: { type: 'date' },
        own: { type: 'alias', path: 'mail' },
        boss: { properties: { name: { type: 'keyword' } } },
        list: { type: 'nested', properties: { w: { type: 'keyword' } } },
      },
    },
  })
  const lines: unknown[] = []
  for (let i = 0; i < 4; i++)
    lines.push(
      { index: { _index: 'staff', _id: String(i) } },
      {
        note: 'amber',
        name: `Ada ${i}`,
        mail: `ada${i}@example.org`,
        word: [`w${i}`, 'both'],
        rank: 70 + i,
        day: `2020-01-0${i + 1}`,
        boss: { name: `Bob ${i}` },
        list: [{ w: `l${i}` }],
      },
    )
  await rest.call('POST /_bulk?refresh', ndjson(...lines))
  const all = ['name', 'mail::/^[^@]*/::***', 'word::SHA-256', 'rank', 'day', 'boss', 'list.w']
  await addRole(rest, 'masks', masking(all))
  await addRole(rest, 'free', masking([]))
  await addRole(rest, 'others', masking(['mail::MD5', 'note::MD5']))
  await addRole(rest, 'hides', masking(['mail'], { fls: ['~name'], dls: '{"term":{"word":"w1"}}' }))
  await addUser(rest, 'mia', roles('masks'))
  await addUser(rest, 'lifted', roles('masks', 'free'))
  await addUser(rest, 'several', roles('masks', 'others'))
  await addUser(rest, 'hidden', roles('hides'))
})

const search = async (user: string, body: object): Promise<Reply['json']> =>
  (await secured().as(user, 'GET /staff/_search', body)).json
const source = async (user: string, id = '1'): Promise<Record<string, unknown>> =>
  (await secured().as(user, `GET /staff/_doc/${id}`)).json._source

/** The document 1 as `mia` sees it. */
const MASKED = {
  note: 'amber',
  name: hashed('Ada 1'),
  mail: '***@example.org',
  word: [digested('w1', 'sha256'), digested('both', 'sha256')],
  rank: 71,
  day: hashed('2020-01-02'),
  boss: { name: hashed('Bob 1') },
  list: [{ w: hashed('l1') }],
}

describe('a masked text', () => {
  it.each([
    ['GET /staff/_doc/1', undefined],
    ['GET /staff/_search', { query: { ids: { values: ['1'] } } }],
    ['GET /staff/_search?_source_includes=*', { query: { ids: { values: ['1'] } } }],
    ['POST /staff/_mget', { ids: ['1'] }],
    ['GET /staff/_explain/1?_source=true', { query: { match_all: {} } }],
    [
      'GET /staff/_search',
      { size: 0, query: { ids: { values: ['1'] } }, aggs: { t: { top_hits: {} } } },
    ],
  ])('is shown masked in sources by %s %j', async (line, body) => {
    const { json } = await secured().as('mia', line, body)
    const shown =
      json._source ??
      json.get?._source ??
      json.docs?.[0]._source ??
      json.aggregations?.t.hits.hits[0]._source ??
      json.hits.hits[0]._source
    expect(shown).toEqual(MASKED)
  })

  it('is shown masked by each way to values', async () => {
    const body = {
      query: { ids: { values: ['1'] } },
      _source: false,
      fields: ['name', 'name.raw', 'mail', 'own', 'word', 'rank', 'day', 'boss.*'],
      docvalue_fields: ['word', 'own', 'name.raw', 'rank', 'day'],
      stored_fields: ['mail', 'name'],
    }
    const [hit] = (await search('mia', { ...body, docvalue_fields: [] })).hits.hits
    expect(hit.fields).toEqual({
      name: [MASKED.name],
      'name.raw': [MASKED.name],
      mail: [MASKED.mail],
      own: [MASKED.mail],
      word: MASKED.word,
      'boss.name': [MASKED.boss.name],
    })
    const [columns] = (await search('mia', { ...body, fields: [], stored_fields: '_none_' })).hits
      .hits
    expect(columns.fields).toEqual({
      word: [digested('both', 'sha256'), digested('w1', 'sha256')],
      own: [MASKED.mail],
      'name.raw': [MASKED.name],
    })
    const stored = await secured().as('mia', 'GET /staff/_doc/1?stored_fields=mail,name')
    expect(stored.json.fields).toEqual({ mail: [MASKED.mail], name: [MASKED.name] })
  })

  it('is shown masked in inner hits', async () => {
    const query = {
      nested: {
        path: 'list',
        query: { match_all: {} },
        inner_hits: { docvalue_fields: ['list.w'] },
      },
    }
    const { hits } = await search('mia', { query, sort: ['_doc'] })
    const [inner] = hits.hits[1].inner_hits.list.hits.hits
    expect([inner._source, inner.fields]).toEqual([
      { w: hashed('l1') },
      { 'list.w': [hashed('l1')] },
    ])
  })

  it('sorts by what it is, and shows what it is masked as', async () => {
    const { hits } = await search('mia', { sort: [{ 'name.raw': 'desc' }], _source: false })
    const found = hits.hits.map((hit: { _id: string; sort: string[] }) => [hit._id, hit.sort[0]])
    expect(found).toEqual(['3', '2', '1', '0'].map(id => [id, hashed(`Ada ${id}`)]))
    const after = await secured().as('mia', 'GET /staff/_search', {
      sort: [{ 'name.raw': 'desc' }],
      search_after: ['Ada 2'],
    })
    expect([after.status, after.text]).toEqual([
      400,
      expect.stringContaining(
        '[search_after] with the masked field [name.raw] is not supported yet',
      ),
    ])
  })

  it.each<readonly [string, object]>([
    ['term', { term: { mail: 'ada1@example.org' } }],
    ['term by its mask', { term: { mail: '***@example.org' } }],
    ['term by an alias', { term: { own: 'ada1@example.org' } }],
    ['match', { match: { name: 'ada' } }],
    ['a multi-field', { prefix: { 'name.raw': 'Ada' } }],
    ['a long', { range: { rank: { gte: 0 } } }],
    ['a date', { range: { day: { gte: '2000-01-01' } } }],
    ['query_string', { query_string: { query: 'name:ada OR mail:ada*' } }],
    ['nested', { nested: { path: 'list', query: { term: { 'list.w': 'l1' } } } }],
    ['span_term', { span_term: { name: 'ada' } }],
    ['in an object', { term: { 'boss.name': 'Bob 1' } }],
  ])('is not found by a query: %s', async (_, query) => {
    expect((await search('mia', { query })).hits.total.value).toBe(0)
  })

  it('has no terms in highlights, vectors and suggestions', async () => {
    const marked = await search('mia', {
      query: { match: { note: 'amber' } },
      highlight: { fields: { '*': { no_match_size: 50 } }, require_field_match: false },
    })
    expect(Object.keys(marked.hits.hits[0].highlight)).toEqual(['note'])
    const vectors = await secured().as('mia', 'GET /staff/_termvectors/1?fields=name,note')
    expect(Object.keys(vectors.json.term_vectors)).toEqual(['note'])
    const suggested = await secured().as('mia', 'GET /staff/_search', {
      suggest: { s: { text: 'adb', term: { field: 'name' } } },
    })
    expect(suggested.text).not.toContain('"ada"')
  })

  it('is listed among the fields of mappings and capabilities', async () => {
    const admin = await secured().as('admin', 'GET /staff/_mapping')
    expect((await secured().as('mia', 'GET /staff/_mapping')).json).toEqual(admin.json)
    const caps = await secured().as('mia', 'GET /staff/_field_caps?fields=mail,name.raw')
    expect(Object.keys(caps.json.fields).sort()).toEqual(['mail', 'name.raw'])
  })

  /** Documents by mask, in order of masks. */
  const counted = (entries: Readonly<Record<string, number>>): object[] =>
    Object.entries(entries)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, doc_count]) => ({ key, doc_count }))
  const byMask = (field: string, more: object = {}): object => ({
    terms: { field, order: { _key: 'asc' }, ...more },
  })
  const words = { w0: 1, w1: 1, w2: 1, w3: 1, both: 4 }
  const wordMasks = Object.fromEntries(
    Object.entries(words).map(([word, count]) => [digested(word, 'sha256'), count]),
  )
  const nameMasks = Object.fromEntries([0, 1, 2, 3].map(i => [hashed(`Ada ${i}`), 1]))
  const gather = async (
    aggregation: object,
    user = 'mia',
    more: object = {},
  ): Promise<Reply['json']> => {
    const body = { size: 0, aggs: { a: aggregation }, ...more }
    const { status, json, text } = await secured().as(user, 'GET /staff/_search', body)
    expect([status, text]).toEqual([200, expect.not.stringMatching(/ada\d@|Ada|"w\d"/)])
    return json.aggregations.a
  }

  it('is gathered as its mask by terms, whatever their options', async () => {
    expect((await gather(byMask('mail'))).buckets).toEqual(counted({ '***@example.org': 4 }))
    expect((await gather(byMask('own'))).buckets).toEqual(counted({ '***@example.org': 4 }))
    expect((await gather(byMask('word'))).buckets).toEqual(counted(wordMasks))
    expect((await gather(byMask('name.raw'))).buckets).toEqual(counted(nameMasks))
    const none = byMask('word', { include: 'w.*' })
    expect((await gather(none)).buckets).toEqual([])
    const asked = digested('w2', 'sha256')
    const one = byMask('word', { include: [asked, 'w2'] })
    expect((await gather(one)).buckets).toEqual(counted({ [asked]: 1 }))
    const all = byMask('word', { min_doc_count: 0, exclude: digested('both', 'sha256') })
    const { both, ...others } = words
    expect(both).toBe(4)
    expect((await gather(all, 'mia', { query: { ids: { values: ['2'] } } })).buckets).toEqual(
      counted(
        Object.fromEntries(
          Object.keys(others).map(word => [digested(word, 'sha256'), word === 'w2' ? 1 : 0]),
        ),
      ),
    )
    for (const hint of ['map', 'global_ordinals'])
      expect((await gather(byMask('word', { execution_hint: hint }))).buckets).toEqual(
        counted(wordMasks),
      )
  })

  it('is gathered as its mask by every other kind that takes texts', async () => {
    expect(await gather({ cardinality: { field: 'mail' } })).toEqual({ value: 1 })
    expect(await gather({ cardinality: { field: 'word' } })).toEqual({ value: 5 })
    expect(await gather({ value_count: { field: 'word' } })).toEqual({ value: 8 })
    expect(await gather({ missing: { field: 'word' } })).toEqual({ doc_count: 0 })
    expect((await gather({ rare_terms: { field: 'name.raw' } })).buckets).toEqual(
      counted(nameMasks),
    )
    const composite = { composite: { sources: [{ n: { terms: { field: 'name.raw' } } }] } }
    const { buckets, after_key } = await gather(composite)
    const inOrder = Object.keys(nameMasks).sort()
    expect(buckets.map((bucket: { key: { n: string } }) => bucket.key.n)).toEqual(inOrder)
    expect(after_key).toEqual({ n: inOrder.at(-1) })
    const rest = await gather({
      composite: { sources: [{ n: { terms: { field: 'name.raw' } } }], after: { n: inOrder[1] } },
    })
    expect(rest.buckets).toEqual(buckets.slice(2))
    const pairs = await gather({
      multi_terms: { terms: [{ field: 'mail' }, { field: 'name.raw' }], order: { _key: 'asc' } },
    })
    expect(pairs.buckets.map((bucket: { key: string[] }) => bucket.key)).toEqual(
      inOrder.map(name => ['***@example.org', name]),
    )
    const sampled = await gather({ diversified_sampler: { field: 'mail', max_docs_per_value: 1 } })
    expect(sampled).toEqual({ doc_count: 1 })
  })

  it('is gathered within and around other buckets', async () => {
    const nested = await gather({
      nested: { path: 'list' },
      aggs: { w: byMask('list.w') },
    })
    expect(nested.w.buckets).toEqual(
      counted(Object.fromEntries([0, 1, 2, 3].map(i => [hashed(`l${i}`), 1]))),
    )
    const around = await gather({
      ...byMask('mail'),
      aggs: { names: byMask('name.raw', { size: 2 }) },
    })
    expect(around.buckets[0].names.buckets).toEqual(counted(nameMasks).slice(0, 2))
  })

  it('gathers alike with any number of slices and profiled', async () => {
    for (const max_slices of [0, 2]) {
      await secured().as('admin', 'PUT /staff/_settings', {
        'index.search.concurrent.max_slice_count': max_slices,
      })
      for (const profile of [false, true])
        expect((await gather(byMask('word'), 'mia', { profile })).buckets).toEqual(
          counted(wordMasks),
        )
    }
  })

  it('groups hits by its mask', async () => {
    const collapse = { field: 'mail', inner_hits: { name: 'in' } }
    const { hits } = await search('mia', { collapse, sort: ['_doc'], _source: false })
    expect(hits.hits.map(({ fields }: { fields: object }) => fields)).toEqual([
      { mail: ['***@example.org'] },
    ])
    // A masked field is not searched, by which hits of a group would be found.
    expect(hits.hits[0].inner_hits.in.hits.total.value).toBe(0)
    const byName = { collapse: { field: 'name.raw' }, sort: ['_doc'], _source: false }
    expect(
      (await search('mia', byName)).hits.hits.map((hit: Reply['json']) => hit.fields['name.raw']),
    ).toEqual([0, 1, 2, 3].map(i => [hashed(`Ada ${i}`)]))
  })

  it('is its mask to scripts', async () => {
    const script = "doc['mail'].value + doc['word'].size()"
    const { hits } = await search('mia', { script_fields: { a: { script } }, sort: ['_doc'] })
    expect(hits.hits.map((hit: Reply['json']) => hit.fields.a[0])).toEqual(
      Array(4).fill('***@example.org2'),
    )
    const found = async (text: string): Promise<number> => {
      const params = { text }
      const source = "doc['mail'].value == params.text"
      const query = { script: { script: { source, params } } }
      return (await search('mia', { query })).hits.total.value
    }
    expect([await found('ada1@example.org'), await found('***@example.org')]).toEqual([0, 4])
    const sort = { _script: { type: 'string', script: "doc['name.raw'].value", order: 'asc' } }
    const sorted = await search('mia', { sort: [sort], _source: false })
    expect(sorted.hits.hits.map((hit: Reply['json']) => hit.sort[0])).toEqual(
      Object.keys(nameMasks).sort(),
    )
    const scripted = await gather({
      terms: { field: 'mail', script: "_value + '!'", order: { _key: 'asc' } },
    })
    expect(scripted.buckets).toEqual(counted({ '***@example.org!': 4 }))
  })

  it.each<readonly [string, object, string]>([
    [
      'significant_terms',
      { significant_terms: { field: 'word' } },
      'aggregation [significant_terms] of the masked field [word] is not supported yet',
    ],
    [
      'significant_text',
      { significant_text: { field: 'name' } },
      'gathering values of the masked field [name] is not supported yet',
    ],
    [
      'avg',
      { avg: { field: 'mail' } },
      'Field [mail] of type [keyword] is not supported for aggregation [avg]',
    ],
    [
      'ip_range',
      { ip_range: { field: 'mail', ranges: [{ to: '::2' }] } },
      'aggregation [ip_range] of the masked field [mail] is not supported yet',
    ],
  ])('is not gathered by %s', async (_, aggregation, reason) => {
    const body = { size: 0, aggs: { a: aggregation } }
    const { status, text } = await secured().as('mia', 'GET /staff/_search', body)
    expect([status, text]).toEqual([400, expect.stringContaining(reason)])
    expect(withoutRandomIds(text)).not.toMatch(/example\.org|Ada/)
  })

  it('of numbers counts for nothing', async () => {
    const { aggregations } = await search('mia', {
      size: 0,
      aggs: { m: { max: { field: 'rank' } }, d: { max: { field: 'day' } } },
    })
    expect(aggregations).toEqual({ m: { value: null }, d: { value: null } })
  })

  it('is not lost by an update', async () => {
    const reason = 'Update is not supported when FLS or DLS or Fieldmasking is activated'
    for (const [line, body] of [
      ['POST /staff/_update/1', { doc: { note: 'x' } }],
      ['POST /staff/_update_by_query', {}],
    ] as const) {
      const { status, json } = await secured().as('mia', line, body)
      expect([status, json.error.root_cause[0].reason]).toEqual([403, reason])
    }
  })

  it('is in no cached answer', async () => {
    const body = { size: 0, aggs: { a: { top_hits: { size: 1, sort: ['mail'] } } } }
    const first = async (user: string): Promise<unknown> => {
      const line = 'GET /staff/_search?request_cache=true'
      const { json } = await secured().as(user, line, body)
      return json.aggregations.a.hits.hits[0]._source.mail
    }
    const plain = 'ada0@example.org'
    expect([await first('admin'), await first('mia'), await first('admin')]).toEqual([
      plain,
      '***@example.org',
      plain,
    ])
  })
})

describe('masks of several roles', () => {
  it('are not lifted by a role without', async () => {
    expect(await source('lifted')).toEqual(MASKED)
  })

  it('add up, and the first that names a field holds', async () => {
    const { note, mail, name } = await source('several')
    expect([note, name]).toEqual([digested('amber', 'md5'), MASKED.name])
    expect([MASKED.mail, digested('ada1@example.org', 'md5')]).toContain(mail)
  })

  it('stand beside what is hidden, and documents are decided on by what they are', async () => {
    const { json, text } = await secured().as('hidden', 'GET /staff/_search')
    expect(json.hits.hits).toHaveLength(1)
    expect(json.hits.hits[0]._source.mail).toBe(hashed('ada1@example.org'))
    expect(text).not.toContain('Ada')
  })
})

it.each([
  ['a::NO-SUCH', 'Invalid algorithm NO-SUCH'],
  ['a::/x/', 'Invalid algorithm /x/'],
  ['a::x::y', 'A regular expression needs to be wrapped in /.../'],
  [
    'a::/x/::y::/z/',
    "A field masking expression must have the form 'field_name', 'field_name::algorithm', 'field_name::regex::replacement' or 'field_name::(regex::replacement)+'",
  ],
  ['a::/(?=x)/::y', 'regular expressions of masks may not look around or back: [(?=x)]'],
])('the expression %s is refused', async (expression, message) => {
  const { status, json } = await roleCall([expression])
  expect([status, json.message]).toEqual([400, message])
})

it('masks by other algorithms and several replacements', async () => {
  const { rest } = secured()
  await addRole(
    rest,
    'kinds',
    masking(['name::/A(d)a/::<$1>::/\\d/::#', 'mail::sha-512/256', '/wo.d/::SHA3-256']),
  )
  await addUser(rest, 'kim', roles('kinds'))
  const { name, mail, word } = await source('kim')
  expect([name, mail, word]).toEqual([
    '<d> #',
    digested('ada1@example.org', 'sha512-256'),
    ['w1', 'both'].map(text => digested(text, 'sha3-256')),
  ])
})

it('shows its salt to nobody', async () => {
  for (const line of [
    'GET /_nodes',
    'GET /_nodes/settings',
    'GET /_cluster/settings?include_defaults',
  ])
    expect((await secured().as('admin', line)).text).not.toContain(SALT)
})

it('hashes by default only with a salt, and otherwise as settings say', async () => {
  const plain = await openSecured()
  const line = 'PUT /_plugins/_security/api/roles/r'
  const refused = await plain.as('admin', line, masking(['name']))
  expect([refused.status, refused.json.message]).toEqual([
    400,
    'masks by the default hash need [plugins.security.compliance.salt] to be set',
  ])
  expect((await plain.as('admin', line, masking(['name::SHA-1']))).status).toBe(201)
  await plain.close()
  for (const [algorithm, expected] of [
    ['SHA-256', digested('Ada', 'sha256')],
    [
      'BLAKE2B_LEGACY_DEFAULT',
      Buffer.from(blake2b256(Buffer.from('Ada'), undefined, Buffer.from(SALT))).toString('hex'),
    ],
  ] as const) {
    const other = await openSecured({
      'plugins.security.compliance.salt': SALT,
      'plugins.security.masked_fields.algorithm.default': algorithm,
    })
    await other.rest.call('PUT /staff/_doc/1?refresh', { name: 'Ada' })
    await addRole(other.rest, 'masks', masking(['name']))
    await addUser(other.rest, 'mia', roles('masks'))
    expect((await other.as('mia', 'GET /staff/_doc/1')).json._source).toEqual({ name: expected })
    await other.close()
  }
  await expect(openSecured({ 'plugins.security.compliance.salt': 'short' })).rejects.toThrow(
    '[plugins.security.compliance.salt] must at least contain 16 bytes',
  )
})
