/** The classes of requests that admission tells apart, by the action of their endpoint. */
import type { Action } from '../task/actions.ts'

/**
 * - search, write: limited by the load of their own kind, so that slow searches do not keep writes out
 * - other: everything else
 * - free: never refused, and not counted
 */
export type AdmissionClass = 'search' | 'write' | 'other' | 'free'

/**
 * Actions that are never refused: those that tell how a node is, that end work, or that free what is held;
 * and those that wait for work done at its own pace, whose time says nothing about the load.
 */
const FREE: readonly Action[] = [
  'cluster:admin/reindex/rethrottle',
  'cluster:admin/snapshot/create',
  'cluster:admin/snapshot/restore',
  'cluster:admin/tasks/cancel',
  'cluster:monitor/health',
  'cluster:monitor/main',
  'cluster:monitor/task/get',
  'cluster:monitor/tasks/lists',
  'indices:admin/forcemerge',
  'indices:admin/open',
  'indices:admin/resize',
  'indices:data/read/point_in_time/delete',
  'indices:data/read/scroll/clear',
  'indices:data/write/delete/byquery',
  'indices:data/write/reindex',
  'indices:data/write/update/byquery',
]

/** Writes that wait for the next refresh of their index: up to a second in which they cost nothing. */
const WAITS_FOR_REFRESH = /[?&]refresh=wait_for(&|$)/

/**
 * The class of a request.
 * @param action of its endpoint; null where there is none
 * @param target path and query, as they came
 */
export function admissionClass(action: Action | null, target: string): AdmissionClass {
  if (action === null) return 'other'
  if (FREE.includes(action)) return 'free'
  if (action.startsWith('indices:data/read/')) return 'search'
  if (!action.startsWith('indices:data/write/')) return 'other'
  return WAITS_FOR_REFRESH.test(target) ? 'free' : 'write'
}
