import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { CANARY, DISGUISES, SECRET, SHOWN } from '../../support/bypass-attempts.ts'
import { ndjson } from '../../support/rest-calls.ts'
import {
  addRole,
  addUser,
  basicAuth,
  openSecured,
  passwordOf,
  type SecuredRest,
} from '../../support/secured-rest.ts'
import { tellCount } from '../../support/tell-count.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('indirections')
let secured: SecuredRest

/** Names of the secret index that a body can hold: unescaped, without parameters. */
const NAMES = [...new Set(DISGUISES.map(name => decodeURIComponent(name.split('?')[0]!)))]

beforeAll(async () => {
  secured = await openSecured({ 'path.repo': folder })
  const { rest } = secured
  await rest.call(`PUT /${SHOWN}/_doc/1?refresh`, { n: 1, word: 'shown' })
  await rest.call(`PUT /${SECRET}/_doc/1?refresh`, { n: 1, word: CANARY, path: [CANARY, 'shown'] })
  await rest.call('POST /_aliases', {
    actions: [{ add: { index: SECRET, alias: `alias-${CANARY}` } }],
  })
  await addRole(rest, 'half', {
    cluster_permissions: ['cluster_composite_ops', 'manage_snapshots', 'cluster:admin/script*'],
    index_permissions: [{ index_patterns: ['open-*'], allowed_actions: ['indices:*'] }],
  })
  for (const name of ['hal', 'hue'])
    await addUser(rest, name, { opendistro_security_roles: ['half'] })
  return () => secured.close()
}, 60_000)

/** Attempts that were told the secret; counts them all. */
async function told(
  attempts: readonly (readonly [line: string, body?: object | string])[],
): Promise<{ readonly sent: number; readonly leaks: string[] }> {
  const leaks: string[] = []
  for (const [line, body] of attempts) {
    const { status, text } = await secured.as('hal', line, body)
    const asked = line + (typeof body === 'string' ? body : JSON.stringify(body ?? ''))
    const has = text.includes(CANARY) && !asked.includes(CANARY)
    if (has || status >= 500 || /"_source":\{"n":1,"word":"canary/.test(text))
      leaks.push(`${line} ${JSON.stringify(body)}: ${status} ${text.slice(0, 200)}`)
  }
  return { sent: attempts.length, leaks }
}

async function expectNothing(
  attempts: readonly (readonly [line: string, body?: object | string])[],
): Promise<void> {
  const { sent, leaks } = await told(attempts)
  expect(leaks).toEqual([])
  expect(sent).toBeGreaterThanOrEqual(50)
  tellCount(`attempts ${expect.getState().currentTestName?.split(' > ').at(-1)}`, sent)
}

describe('the secret is not told', () => {
  it('by operations of a bulk', async () => {
    const before = (await secured.rest.call(`GET /${SECRET}/_doc/1`)).json
    const operations = (name: string): string[] => [
      ndjson({ index: { _index: name, _id: '1' } }, { n: 7 }),
      ndjson({ create: { _index: name, _id: '9' } }, { n: 7 }),
      ndjson({ update: { _index: name, _id: '1', _source: true } }, { doc: { n: 7 } }),
      ndjson({ delete: { _index: name, _id: '1' } }),
      ndjson({ update: { _index: name, _id: '1' } }, { script: { source: 'ctx._source.n = 7' } }),
    ]
    await expectNothing(
      NAMES.flatMap(name =>
        operations(name).map(body => [`POST /${SHOWN}/_bulk?refresh`, body] as const),
      ),
    )
    expect((await secured.rest.call(`GET /${SECRET}/_doc/1`)).json).toEqual(before)
    expect((await secured.rest.call(`GET /${SECRET}/_count`)).json.count).toBe(1)
  })

  it('by searches of several, and documents of several', async () => {
    await expectNothing(
      NAMES.flatMap(name => [
        ['GET /_msearch', ndjson({ index: name }, { query: { match_all: {} } })],
        [`GET /${SHOWN}/_msearch`, ndjson({ index: [SHOWN, name] }, {})],
        ['GET /_msearch/template', ndjson({ index: name }, { source: '{"size":5}' })],
        ['GET /_mget', { docs: [{ _index: name, _id: '1' }] }],
        ['GET /_mtermvectors', { docs: [{ _index: name, _id: '1', fields: ['word'] }] }],
      ]),
    )
  })

  it('by queries that look into other documents', async () => {
    const search = `GET /${SHOWN}/_search`
    await expectNothing(
      NAMES.flatMap(index => [
        [search, { query: { terms: { 'word.keyword': { index, id: '1', path: 'path' } } } }],
        [
          search,
          {
            query: {
              more_like_this: {
                fields: ['word'],
                like: [{ _index: index, _id: '1' }],
                min_term_freq: 1,
                min_doc_freq: 1,
              },
            },
          },
        ],
        [search, { post_filter: { terms: { word: { index, id: '1', path: 'path' } } } }],
        [
          search,
          { aggs: { f: { filter: { terms: { word: { index, id: '1', path: 'path' } } } } } },
        ],
        [
          `GET /${SHOWN}/_explain/1`,
          { query: { terms: { word: { index, id: '1', path: 'path' } } } },
        ],
        [`GET /${SHOWN}/_search`, { indices_boost: [{ [index]: 2 }] }],
      ]),
    )
    // Nor is it guessed by what matches.
    const query = { terms: { word: { index: SECRET, id: '1', path: 'path' } } }
    const { json } = await secured.as('hal', search, { query })
    expect(json.hits?.total.value ?? 0).toBe(0)
  })

  it('by templates and scripts', async () => {
    const source = (index: string): string =>
      `{"query":{"terms":{"word":{"index":"${index}","id":"1","path":"path"}}}}`
    await expectNothing(
      NAMES.flatMap(name => [
        [
          `GET /${encodeURIComponent(name)}/_search/template`,
          { source: '{"size":{{n}}}', params: { n: 5 } },
        ],
        [`GET /${SHOWN}/_search/template`, { source: source(name) }],
        [
          `GET /${SHOWN}/_search/template`,
          {
            source: '{"query":{{#toJson}}q{{/toJson}}}',
            params: { q: JSON.parse(source(name)).query },
          },
        ],
        [
          'GET /_scripts/painless/_execute',
          {
            script: { source: "doc['word.keyword'].value" },
            context: 'filter',
            context_setup: { index: name, document: { n: 1 } },
          },
        ],
        [
          `GET /${encodeURIComponent(name)}/_rank_eval`,
          { requests: [{ id: 'r', request: {}, ratings: [] }], metric: { precision: {} } },
        ],
      ]),
    )
  })

  it('by copies: reindex, resize, rollover, aliases', async () => {
    await expectNothing(
      NAMES.flatMap(name => {
        const path = encodeURIComponent(name)
        return [
          ['POST /_reindex?refresh', { source: { index: name }, dest: { index: 'open-copy' } }],
          [
            'POST /_reindex?refresh',
            { source: { index: [SHOWN, name] }, dest: { index: 'open-copy' } },
          ],
          [`PUT /${path}/_clone/open-clone`, {}],
          [`POST /${path}/_rollover/open-000002`, {}],
          ['POST /_aliases', { actions: [{ add: { index: name, alias: 'open-alias' } }] }],
          [`PUT /${path}/_alias/open-alias`, {}],
        ] as const
      }),
    )
    const { json } = await secured.rest.call(
      'GET /open-*/_search?q=word:canary*&ignore_unavailable=true',
    )
    expect(json.hits.total.value).toBe(0)
  })

  it('by snapshots that are restored under other names', async () => {
    await secured.rest.call('PUT /_snapshot/repo', {
      type: 'fs',
      settings: { location: join(folder, 'repo') },
    })
    await secured.rest.call('PUT /_snapshot/repo/all?wait_for_completion=true', { indices: SECRET })
    const restores = Array.from(
      { length: 50 },
      (_, i) =>
        [
          'POST /_snapshot/repo/all/_restore?wait_for_completion=true',
          {
            indices: ['*', SECRET, 's*', '_all', 'secret-?'][i % 5],
            rename_pattern: ['(.+)', 'secret-(.+)', '^.*$', 'secret', 's'][Math.floor(i / 5) % 5],
            rename_replacement: ['open-r', 'open-$1', 'open-x'][i % 3],
            include_aliases: i % 2 === 0,
          },
        ] as const,
    )
    await expectNothing(restores)
    const { json } = await secured.rest.call('GET /_cat/indices/open-*?format=json')
    expect(json.map((one: { index: string }) => one.index)).not.toContain('open-r')
    const { json: found } = await secured.rest.call('GET /open-*/_search?q=word:canary*')
    expect(found.hits.total.value).toBe(0)
  })

  it('by ids of scrolls and points in time of another, changed or not', async () => {
    const scroll = (await secured.as('admin', `GET /${SECRET}/_search?scroll=1m&size=1`)).json
      ._scroll_id
    const line = `POST /${SECRET}/_search/point_in_time?keep_alive=1m`
    const pit = (await secured.as('admin', line)).json.pit_id
    const varied = (id: string): string[] =>
      Array.from({ length: 13 }, (_, i) => {
        const at = Math.floor((id.length * i) / 13)
        return i === 0 ? id : id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1)
      })
    await expectNothing([
      ...varied(scroll).flatMap(scroll_id => [
        ['POST /_search/scroll', { scroll_id, scroll: '1m' }] as const,
        ['DELETE /_search/scroll', { scroll_id }] as const,
      ]),
      ...varied(pit).flatMap(id => [
        ['GET /_search', { pit: { id } }] as const,
        ['DELETE /_search/point_in_time', { pit_id: [id] }] as const,
      ]),
    ])
    // They are still there for whom they are of.
    expect((await secured.as('admin', 'GET /_search', { pit: { id: pit } })).status).toBe(200)
    expect((await secured.as('admin', 'POST /_search/scroll', { scroll_id: scroll })).status).toBe(
      200,
    )
  })

  it('by paths that are escaped, doubled, dotted or absolute', async () => {
    const forms = (name: string): string[] => [
      `//${name}/_search`,
      `/${name}//_search`,
      `/${name}/_search/`,
      `/./${name}/_search`,
      `/${SHOWN}/../${name}/_search`,
      `/${SHOWN}/%2e%2e/${name}/_search`,
      `/${SHOWN}%2F..%2F${name}/_search`,
      `/${SHOWN}%2C${name}/_search`,
      `/${name}%2F_search`,
      `/${SHOWN};${name}/_search`,
      `/${SHOWN}%00,${name}/_search`,
      `http://localhost/${name}/_search`,
      `/${SHOWN}/_search?index=${name}`,
      `/_search?index=${name}`,
      `/%20${name}/_search`,
      `/${name}%20/_search`,
    ]
    const names = [SECRET, 'secret-*', '%73ecret-1', `alias-${CANARY}`]
    await expectNothing(names.flatMap(name => forms(name).map(path => [`GET ${path}`] as const)))
  })
})

describe('credentials', () => {
  /** The status line of an answer to lines sent as they are. */
  const raw = (lines: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(secured.port, '127.0.0.1')
      let text = ''
      socket.on('data', bytes => {
        text += bytes.toString()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    })

  it("are nobody's in any form that was not meant", async () => {
    const good = basicAuth('admin')
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { sub: 'admin', roles: 'all_access', exp: 4_000_000_000 }
    const token = (head: object, sign = ''): string =>
      `Bearer ${part(head)}.${part(claims)}.${sign}`
    const headers: string[][] = [
      ...['none', 'None', 'NONE', 'nOnE', 'HS256', 'RS256', 'ES256', ''].flatMap(alg => [
        [`Authorization: ${token({ alg, typ: 'JWT' })}`],
        [`Authorization: ${token({ alg }, 'c2lnbg')}`],
        [`Authorization: ${token({ alg, jku: 'http://127.0.0.1/keys' }, 'c2lnbg')}`],
      ]),
      ['x-forwarded-for: 127.0.0.1', 'x-proxy-user: admin', 'x-proxy-roles: all_access'],
      ['x-forwarded-user: admin'],
      ['remote-user: admin'],
      ['x-remote-user: admin'],
      ['opendistro_security_user: admin'],
      ['_opendistro_security_user: admin'],
      ['_opendistro_security_injected_user: admin'],
      ['_opendistro_security_conf_request: true'],
      ['ssl-client-s-dn: CN=admin'],
      ['x-ssl-client-verify: SUCCESS', 'x-ssl-client-dn: CN=admin'],
      ['Cookie: security_authentication=admin'],
      ['Cookie: authorization=Basic'],
      [`Proxy-Authorization: ${good}`],
      [`X-Authorization: ${good}`],
      [`Authorization : ${good}`],
      [` Authorization: ${good}`],
      ['Authorization:', ` ${good}x`],
      [`Authorization: ${good}`, `Authorization: ${basicAuth('hal', 'x')}`],
      [`Authorization: ${basicAuth('hal', 'x')}`, `Authorization: ${good}`],
      [`Authorization: ${good}, ${good}`],
      [`Authorization: "${good}"`],
      [`Authorization: Basic Basic ${good.slice(6)}`],
      [`Authorization: Basic ${good.slice(6, -3)}`],
      [`Authorization: Basic ${good.slice(6)}AAAA`],
      [`Authorization: ${good} x`],
      [`Authorization: ${basicAuth('Admin')}`],
      [`Authorization: ${basicAuth('admin ')}`],
      [`Authorization: ${basicAuth(' admin')}`],
      [`Authorization: ${basicAuth('admin', passwordOf('admin').toLowerCase())}`],
      [`Authorization: ${basicAuth('admin', `${passwordOf('admin')}\0`)}`],
      [`Authorization: ${basicAuth('admin\0', passwordOf('admin'))}`],
      [`Authorization: ${basicAuth('__proto__', 'x')}`],
      [`Authorization: ${basicAuth('constructor', 'x')}`],
      [`Authorization: Digest username="admin"`],
    ]
    expect(headers.length).toBeGreaterThanOrEqual(50)
    const letIn: string[] = []
    for (const lines of headers) {
      const text = await raw(['GET / HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines])
      if (!/^HTTP\/1\.1 (401|400) /.test(text) || text.includes('cluster_uuid'))
        letIn.push(`${lines.join(' | ')}: ${text.slice(0, 100)}`)
    }
    expect(letIn).toEqual([])
    tellCount('forms of credentials', headers.length)
    const fine = [
      'GET / HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Authorization: ${good}`,
    ]
    // Failures from this address made it wait by name, unless it was let in before.
    expect(await raw(fine)).toMatch(/^HTTP\/1\.1 (200|401) /)
  })
})

describe('whoever may change aliases', () => {
  it('deletes no index by it, and joins no alias of others', async () => {
    const { rest } = secured
    await addRole(rest, 'aliaser', {
      index_permissions: [
        { index_patterns: ['open-*'], allowed_actions: ['manage_aliases', 'create_index'] },
      ],
    })
    await addUser(rest, 'alma', { opendistro_security_roles: ['aliaser'] })
    const change = async (action: object): Promise<number> =>
      (await secured.as('alma', 'POST /_aliases', { actions: [action] })).status
    expect(await change({ add: { index: SHOWN, alias: 'open-mine' } })).toBe(200)
    expect(await change({ remove_index: { index: SHOWN } })).toBe(403)
    expect(await change({ add: { index: SHOWN, alias: `alias-${CANARY}` } })).toBe(403)
    expect(await change({ add: { index: SHOWN, alias: 'of-others' } })).toBe(403)
    const aliases = { 'of-others': {} }
    expect((await secured.as('alma', 'PUT /open-new', { aliases })).status).toBe(403)
    expect(
      (await secured.as('alma', 'PUT /open-new', { aliases: { 'open-too': {} } })).status,
    ).toBe(200)
    expect((await rest.call(`HEAD /${SHOWN}`)).status).toBe(200)
  })
})
