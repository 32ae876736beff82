/** The cost of asking a request for a user, and of deciding what he may do. */

import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { type Asker, TRUSTED_ASKER } from '../../dist/task/access.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import type { Bench } from '../lib/result.ts'
import { atMost, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'

const REQUESTS = 2_000
/** Documents of which a role shows a third, and searches of them in a round. */
const PAGES = 100_000
const PAGE_SEARCHES = 100
const PASSWORD = 'Correct-Horse-1234!'
const API = '/_plugins/_security/api'

/** A search and a get, by the program itself, by a user whose login is known, and by one who sees a part. */
export const authentication: Bench = {
  name: 'authentication',
  async run({ rounds, say }) {
    say(`authentication: ${REQUESTS} requests a round`)
    const settings = new Map([
      ['lamella.threads.search', '1'],
      ['plugins.security.disabled', 'false'],
    ])
    const engine = await openEngine({ folder: null, settings })
    const dispatcher = new Dispatcher(engine, openServices(engine), {
      maxContentLength: 100 * 2 ** 20,
    })
    const send = async (method: string, path: string, asker: Asker, body = ''): Promise<void> => {
      const answer = await dispatcher.dispatch(
        { method, path, headers: { 'content-type': 'application/json' }, body: encodeUtf8(body) },
        asker,
      )
      if (answer.status >= 300) throw new Error(Buffer.from(answer.body).toString())
    }
    const put = (path: string, body: object): Promise<void> =>
      send('PUT', path, TRUSTED_ASKER, JSON.stringify(body))
    try {
      for (let i = 0; i < 20; i++) {
        const index_permissions = [{ index_patterns: [`some-${i}-*`], allowed_actions: ['crud'] }]
        await put(`${API}/roles/role-${i}`, { index_permissions })
        await put(`${API}/rolesmapping/role-${i}`, { backend_roles: ['staff'] })
      }
      const all = { index_patterns: ['book*', 'pages'], allowed_actions: ['read'] }
      await put(`${API}/roles/reader`, { index_permissions: [all] })
      const part = { ...all, dls: '{"term":{"team":"red"}}' }
      await put(`${API}/roles/partial`, { index_permissions: [part] })
      const user = { password: PASSWORD, backend_roles: ['staff'] }
      await put(`${API}/internalusers/ann`, { ...user, opendistro_security_roles: ['reader'] })
      await put(`${API}/internalusers/bob`, { ...user, opendistro_security_roles: ['partial'] })
      await put('/books/_doc/1?refresh=true', { title: 'whale', team: 'red' })
      const teams = ['red', 'blue', 'green']
      await put('/pages', {
        settings: { number_of_shards: 1, 'index.requests.cache.enable': false },
        mappings: { properties: { title: { type: 'text' }, team: { type: 'keyword' } } },
      })
      for (let at = 0; at < PAGES; at += 10_000) {
        let lines = ''
        for (let i = at; i < at + 10_000; i++)
          lines += `{"index":{}}\n{"title":"${i % 2 === 0 ? 'whale' : 'sea'} w${i % 97}","team":"${teams[i % 3]}"}\n`
        await send('POST', '/pages/_bulk', TRUSTED_ASKER, lines)
      }
      await send('POST', '/pages/_forcemerge?max_num_segments=1', TRUSTED_ASKER)
      const login = async (name: string): Promise<Asker> => {
        const credentials = Buffer.from(`${name}:${PASSWORD}`).toString('base64')
        const headers = { authorization: `Basic ${credentials}` }
        const peer = { address: '127.0.0.1', port: 1 }
        const found = dispatcher.admit('GET', { headers, peer })
        const asker = found instanceof Promise ? await found : found
        if ('refusal' in asker) throw new Error(`${asker.refusal.status}`)
        return asker
      }
      const times = async (path: string, asker: () => Promise<Asker>): Promise<void> => {
        for (let i = 0; i < REQUESTS; i++) await send('GET', path, await asker())
      }
      const match = { match: { title: 'whale w7' } }
      const filtered = { bool: { must: match, filter: { term: { team: 'red' } } } }
      const searches = async (user: string, query: object): Promise<void> => {
        const body = JSON.stringify({ query })
        for (let i = 0; i < PAGE_SEARCHES; i++)
          await send('POST', '/pages/_search', await login(user), body)
      }
      const trusted = async (): Promise<Asker> => TRUSTED_ASKER
      const [get, search] = ['/books/_doc/1', '/books/_search?q=title:whale']
      const readings = await interleave(
        [
          { name: 'get', run: () => times(get, trusted) },
          { name: 'get of a user', run: () => times(get, () => login('ann')) },
          { name: 'search', run: () => times(search, trusted) },
          { name: 'search of a user', run: () => times(search, () => login('ann')) },
          { name: 'search of a part', run: () => times(search, () => login('bob')) },
          { name: 'pages with a filter', run: () => searches('ann', filtered) },
          { name: 'pages of a part', run: () => searches('bob', match) },
        ],
        rounds,
      )
      const micros = (name: string): number[] =>
        readings.get(name)!.map(millis => (millis * 1_000) / REQUESTS)
      const pages = (name: string): number[] =>
        readings.get(name)!.map(millis => (millis * 1_000) / PAGE_SEARCHES)
      const best = (name: string): number => Math.min(...micros(name))
      return [
        resultOf('authentication/get', 'µs', micros('get')),
        {
          ...resultOf('authentication/get of a user', 'µs', micros('get of a user')),
          mark: atMost(best('get of a user') - best('get'), 30, 'µs more'),
        },
        resultOf('authentication/search', 'µs', micros('search')),
        {
          ...resultOf('authentication/search of a user', 'µs', micros('search of a user')),
          mark: atMost(best('search of a user') - best('search'), 30, 'µs more'),
        },
        resultOf('authentication/search of a part', 'µs', micros('search of a part')),
        resultOf('authentication/pages with a filter', 'µs', pages('pages with a filter')),
        {
          ...resultOf('authentication/pages of a part', 'µs', pages('pages of a part')),
          mark: atMost(
            Math.min(...pages('pages of a part')) / Math.min(...pages('pages with a filter')),
            1.1,
            'times the filter',
          ),
        },
      ]
    } finally {
      await engine.close()
    }
  },
}
