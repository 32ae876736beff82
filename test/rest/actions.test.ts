import { expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/rest/routes.ts'
import { ACTIONS } from '../../src/task/actions.ts'

it('has an action in the table for every endpoint', () => {
  expect(ENDPOINTS.length).toBeGreaterThan(20)
  const unknown = ENDPOINTS.filter(({ action }) => !Object.hasOwn(ACTIONS, action))
  expect(unknown.map(({ routes }) => routes)).toEqual([])
})

it('never lets a write be cancelled that could have been done in part', () => {
  const writes = Object.entries(ACTIONS).filter(
    ([name]) => /^indices:(admin|data\/write)/.test(name) && name !== 'indices:admin/resize',
  )
  expect(writes.length).toBeGreaterThan(5)
  expect(writes.filter(([, { isCancellable }]) => isCancellable)).toEqual([])
})

it('gives actions of the cluster to what concerns no index', () => {
  const isOfCluster = (path: string): boolean =>
    /^\/($|_cluster|_nodes|_tasks|_component_template|_scripts|_script_|_ingest)/.test(path)
  // Tables show indices and the cluster alike.
  const others = ENDPOINTS.filter(({ routes: [first] }) => !first![1].startsWith('/_cat'))
  const wrong = others.filter(
    ({ routes: [first], action }) => isOfCluster(first![1]) !== action.startsWith('cluster:'),
  )
  expect(wrong.map(({ routes: [first], action }) => [action, first])).toEqual([])
})
