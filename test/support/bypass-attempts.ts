/** Attempts to reach what a user may not, made of the table of routes. */

import type { Endpoint, Method } from '../../src/rest/endpoint.ts'
import { ENDPOINTS } from '../../src/rest/routes.ts'
import { type Action, scopeOf } from '../../src/task/actions.ts'

/** One attempt. */
export interface Attempt {
  readonly action: Action
  readonly method: string
  /** The route, as the table has it. */
  readonly route: string
  /** Still escaped, with a query. */
  readonly path: string
  readonly body: string
}

/** The index that no restricted user may see, and the one that some may. */
export const SECRET = 'secret-1'
export const SHOWN = 'open-1'
/** In documents, fields, aliases and settings of the secret index, and nowhere else. */
export const CANARY = 'canary7f3a'

/** Names by which a request may mean the secret index, among others or alone. */
export const DISGUISES: readonly string[] = [
  SECRET,
  '%73ecret-1',
  'secret-%31',
  `${SHOWN},${SECRET}`,
  `${SECRET},${SHOWN}`,
  'secret-*',
  's*1',
  '*-1',
  '*,-nothing*',
  '_all',
  '*',
  `alias-${CANARY}`,
  `alias-*,${SHOWN}`,
  '%3Csecret-1%3E',
  '%3Csecret-%7Bnow%2Fd%7B%7D%7D%3E',
  `${SECRET}?ignore_unavailable=true`,
  `secret-*?expand_wildcards=all`,
  `${SECRET}?allow_no_indices=false`,
]

/** Values of the other parts of paths. */
const PARTS: Readonly<Record<string, string>> = {
  id: '1',
  fields: '*',
  block: 'write',
  new_index: 'open-9',
  target: 'open-8',
  metric: '_all',
  node_id: '_all',
  index_metric: '_all',
  task_id: 'node:1',
  repository: 'repo',
  snapshot: 'snap',
  target_snapshot: 'snap2',
  thread_pool_patterns: 'search',
  scroll_id: 'x',
  context: 'score',
  username: 'admin',
  name: 'some-name',
}

/** Routes whose `name` is a name of indices, aliases or data streams. */
const NAMES_INDICES = /^\/(_resolve\/index|_data_stream|_alias|_aliases|_cat\/aliases)\//

/** Bodies that a request gets past its reading with, by a part of the action. */
const BODIES: readonly (readonly [RegExp, (index: string) => object | string])[] = [
  [/data\/write\/bulk/, index => lines({ index: { _index: index, _id: 'x' } }, { n: 1 })],
  [/msearch\/template/, index => lines({ index }, { source: { query: { match_all: {} } } })],
  [/msearch/, index => lines({ index }, { query: { match_all: {} } })],
  [/mget/, index => ({ docs: [{ _index: index, _id: '1' }] })],
  [/mtv/, index => ({ docs: [{ _index: index, _id: '1' }] })],
  [/data\/write\/reindex/, index => ({ source: { index }, dest: { index: 'open-7' } })],
  [/byquery/, () => ({ query: { match_all: {} } })],
  [/data\/write\/update$/, () => ({ doc: { n: 2 } })],
  [/data\/write\/index/, () => ({ n: 2 })],
  [/read\/search\/template/, () => ({ source: '{"query":{"match_all":{}}}' })],
  [/rank_eval/, () => RANK_EVAL],
  [/read\/explain/, () => ({ query: { match_all: {} } })],
  [/mapping\/put/, () => ({ properties: { added: { type: 'keyword' } } })],
  [/settings\/update/, () => ({ 'index.refresh_interval': '7s' })],
  [/admin\/analyze/, () => ({ analyzer: 'standard', text: 'a' })],
  [/admin\/aliases$/, index => ({ actions: [{ add: { index, alias: 'open-alias' } }] })],
  [
    /data_stream\/modify/,
    () => ({ actions: [{ remove_backing_index: { data_stream: 's', index: SECRET } }] }),
  ],
  [/pipeline\/put/, () => ({ processors: [] })],
  [/script\/put/, () => ({ script: { lang: 'mustache', source: '{}' } })],
  [/pipeline\/simulate/, () => ({ pipeline: { processors: [] }, docs: [{ _source: {} }] })],
  [/template\/put/, () => ({ index_patterns: ['bypass-*'], template: {} })],
  [/repository\/put/, () => ({ type: 'fs', settings: { location: 'bypass' } })],
  [/scripts\/painless/, () => ({ script: { source: '1' } })],
  [/restapi:admin\/rolesmapping/, () => ({ users: ['nobody', 'reader', 'writer', 'operator'] })],
  [/restapi:admin\/internalusers/, () => ({ password: 'Correct-Horse-9876!' })],
  [/restapi:admin\/actiongroups/, () => ({ allowed_actions: ['*'] })],
  [/restapi:admin\/roles/, () => ({ cluster_permissions: ['*'] })],
  [/restapi:admin\/tenants/, () => ({ description: 'x' })],
  [/snapshot\/clone/, () => ({ indices: '*' })],
]

const RANK_EVAL = {
  requests: [
    {
      id: 'r',
      request: { query: { match_all: {} } },
      ratings: [{ _index: SECRET, _id: '1', rating: 1 }],
    },
  ],
  metric: { precision: { k: 5 } },
}

/** Every route with every name of the secret index; routes without a place for one come once. */
export function allAttempts(): readonly Attempt[] {
  return ENDPOINTS.flatMap(({ action, routes, body }) =>
    routes.flatMap(([method, route]) => {
      const hasIndex = route.includes('{index}') || NAMES_INDICES.test(route)
      // An alias is none of the names that are deleted with their indices: the other one would be.
      const isDeletion = method === 'DELETE' && route === '/{index}'
      const meant = DISGUISES.filter(name => !isDeletion || !name.startsWith('alias-*'))
      const names = hasIndex ? meant : [SECRET]
      return names.map(name => attemptOf({ action, body }, method, route, name))
    }),
  )
}

function attemptOf(
  { action, body }: Pick<Endpoint, 'action' | 'body'>,
  method: Method,
  route: string,
  name: string,
): Attempt {
  const path = pathOf(route, name)
  return { action, method, route, path, body: body === 'none' ? '' : bodyOf(action, route) }
}

/** Names of the index that some restricted users may see. */
const SHOWN_NAMES: readonly string[] = [SHOWN, 'open-*', '%6Fpen-1', `${SHOWN},${SHOWN}`]

/** What a user may read, by every route that reads: none of it may be refused. */
export function allowedReads({ cluster, indices }: RestrictedUser): readonly Attempt[] {
  return ENDPOINTS.flatMap(endpoint =>
    endpoint.routes.flatMap(([method, route]) => {
      const { action } = endpoint
      const isRead = method === 'GET' || method === 'HEAD' || action.startsWith('indices:data/read')
      const hasIndex = route.includes('{index}')
      const scope = scopeOf(action)
      const isAllowed =
        scope === 'caller' ||
        (scope === 'cluster' && cluster?.test(action) === true) ||
        (scope === 'index' && hasIndex && indices?.test(action) === true)
      if (!isRead || !isAllowed) return []
      const names = hasIndex ? SHOWN_NAMES : [SHOWN]
      return names.map(name => attemptOf(endpoint, method, route, name))
    }),
  )
}

function pathOf(route: string, name: string): string {
  const [index = '', query = ''] = name.split('?')
  const path = route.replace(/\{(\w+)\}/g, (_, part: string) =>
    part === 'index' || (part === 'name' && NAMES_INDICES.test(route))
      ? index
      : (PARTS[part] ?? 'x'),
  )
  // A request that names no fields is refused before anything else.
  const fields = route.endsWith('/_field_caps') ? 'fields=*' : ''
  const params = [query, fields].filter(one => one !== '').join('&')
  return params === '' ? path : `${path}?${params}`
}

function bodyOf(action: Action, route: string): string {
  const found = BODIES.find(([pattern]) => pattern.test(action))
  // Of an alias that the path names the body has its object alone.
  if (action === 'indices:admin/aliases' && route !== '/_aliases')
    return route === '/_alias' ? JSON.stringify({ index: SECRET, alias: 'open-alias' }) : '{}'
  if (action === 'cluster:admin/settings/update') return '{"persistent":{"search.max_buckets":"9"}}'
  const body = found?.[1](SECRET) ?? {}
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function lines(...values: readonly object[]): string {
  return values.map(value => `${JSON.stringify(value)}\n`).join('')
}

/** The permissions of a kind of user, told anew: what judges the server may not be the server's. */
export interface RestrictedUser {
  readonly name: string
  readonly cluster: RegExp | null
  /** On `open-*` alone. */
  readonly indices: RegExp | null
}

/** Requests of several parts. */
const COMPOSITE = /^indices:data\/(read\/(mget|msearch|mtv|scroll)$|write\/(bulk|reindex)$)/

/** Kinds of users that may not see the secret index. */
export const RESTRICTED: readonly RestrictedUser[] = [
  { name: 'nobody', cluster: null, indices: null },
  { name: 'reader', cluster: COMPOSITE, indices: /^indices:data\/read/ },
  { name: 'writer', cluster: COMPOSITE, indices: /^indices:/ },
  { name: 'operator', cluster: /^cluster:monitor\//, indices: null },
]

/** Answers that are lists of outcomes: what is refused stands within. */
const IN_PARTS =
  /^indices:data\/(read\/(mget|msearch|msearch\/template|mtv|rank_eval)|write\/bulk)$/

/**
 * What is wrong with the answer to an attempt of a restricted user; null: nothing.
 * @param text of the answer, and of its headers
 */
export function leakOf(
  { name, cluster, indices }: RestrictedUser,
  { action, route, path }: Attempt,
  status: number,
  text: string,
): string | null {
  // Whoever monitors a cluster sees the names of what is in it, never a document.
  const isMonitoring = cluster?.test(action) === true && action.startsWith('cluster:monitor/')
  if (text.includes(CANARY) && !path.includes(CANARY) && !isMonitoring)
    return `${name} was told the secret`
  if (status >= 300) return null
  const scope = scopeOf(action)
  if (scope === 'caller' || isMonitoring) return null
  if (scope === 'administration') return `${name} was let into the security API`
  const isAllowedOnCluster = cluster?.test(action) === true
  if (scope === 'cluster' && !isAllowedOnCluster) return `${name} has no permission on the cluster`
  if (IN_PARTS.test(action)) {
    const hasDone = /"(found|result|hits|term_vectors)":(true|"|\{|\[\{)/.test(text)
    return hasDone ? `${name} was served a part` : null
  }
  if (scope === 'cluster') return null
  if (indices?.test(action) !== true) return `${name} has no permission on any index`
  const meansSecret = route.includes('{index}') || NAMES_INDICES.test(route)
  if (scope === 'index' && (meansSecret || /^\/_[a-z]/.test(route)))
    return isOnShownAlone(route) ? null : `${name} was served the secret index`
  return meansSecret && scope === 'somewhere' ? `${name} was served the secret index` : null
}

/** Routes that make what is called in the path, which is none of the secret. */
function isOnShownAlone(route: string): boolean {
  return route === '/_data_stream/{name}'
}
