import { expect, it } from 'vitest'
import { ENDPOINTS, Routes } from '../../src/rest/routes.ts'
import { ACTIONS, type Action, endsWithClient } from '../../src/task/actions.ts'

it('has an action in the table for every endpoint', () => {
  expect(ENDPOINTS.length).toBeGreaterThan(20)
  const unknown = ENDPOINTS.filter(({ action }) => !Object.hasOwn(ACTIONS, action))
  expect(unknown.map(({ routes }) => routes)).toEqual([])
})

it('starts with no endpoint without an action', () => {
  const [first] = ENDPOINTS
  for (const action of [undefined, '', 'indices:data/read/unknown', 'toString'])
    expect(() => new Routes([{ ...first!, action: action as Action }])).toThrow(/has no action/)
  expect(() => new Routes([first!])).not.toThrow()
})

it('never lets a write be cancelled that could have been done in part, unless its answer tells', () => {
  // A merge changes no document.
  const tells = ['indices:admin/resize', 'indices:admin/forcemerge', 'indices:data/write/reindex']
  const writes = Object.entries(ACTIONS).filter(
    ([name]) =>
      /^indices:(admin|data\/write)/.test(name) && !tells.includes(name) && !/byquery$/.test(name),
  )
  expect(writes.length).toBeGreaterThan(5)
  expect(writes.filter(([, { isCancellable }]) => isCancellable)).toEqual([])
})

it('gives actions of the cluster to what concerns no index', () => {
  const isOfCluster = (path: string): boolean =>
    /^\/($|_cluster|_nodes|_tasks|_component_template|_scripts|_script_|_ingest|_remote|_snapshot|_search\/pipeline|_reindex\/{|_plugins)/.test(
      path,
    )
  // Tables show indices and the cluster alike; one plug-in reads analyzers of indices.
  const others = ENDPOINTS.filter(
    ({ routes: [first] }) => !/^\/_(cat|list|plugins\/_refresh)/.test(first![1]),
  )
  const wrong = others.filter(
    ({ routes: [first], action }) => isOfCluster(first![1]) !== /^(cluster|restapi):/.test(action),
  )
  expect(wrong.map(({ routes: [first], action }) => [action, first])).toEqual([])
})

it('lets no client that leaves cancel a change', () => {
  const cancelled = (Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]).filter(endsWithClient)
  expect(cancelled).toContain('indices:data/read/search')
  expect(cancelled.filter(name => /admin|write/.test(name))).toEqual([])
})
