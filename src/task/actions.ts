/**
 * The names of all actions, as the real server has them: privileges are granted for them, tasks are
 * listed by them. Actions of `indices:` are checked where the indices of a call are resolved.
 */

/**
 * Action → whether a task of it can be cancelled, by the tasks API or by a client that leaves. A write
 * cannot: its caller could not tell how far it got.
 */
export const ACTIONS = {
  'cluster:admin/settings/update': { isCancellable: false },
  'cluster:admin/tasks/cancel': { isCancellable: false },
  // Waits for a state, for as long as its caller likes.
  'cluster:monitor/health': { isCancellable: true },
  'cluster:monitor/main': { isCancellable: false },
  'cluster:monitor/nodes/info': { isCancellable: false },
  'cluster:monitor/state': { isCancellable: false },
  'cluster:monitor/task/get': { isCancellable: true },
  'cluster:monitor/tasks/lists': { isCancellable: true },
  'cluster:monitor/tasks/lists[n]': { isCancellable: true },
  'indices:admin/analyze': { isCancellable: false },
  'indices:admin/auto_create': { isCancellable: false },
  'indices:admin/close': { isCancellable: false },
  'indices:admin/create': { isCancellable: false },
  'indices:admin/delete': { isCancellable: false },
  'indices:admin/flush': { isCancellable: false },
  'indices:admin/forcemerge': { isCancellable: false },
  'indices:admin/get': { isCancellable: false },
  'indices:admin/mapping/put': { isCancellable: false },
  'indices:admin/mappings/fields/get': { isCancellable: false },
  'indices:admin/mappings/get': { isCancellable: false },
  'indices:admin/open': { isCancellable: false },
  'indices:admin/refresh': { isCancellable: false },
  'indices:admin/settings/update': { isCancellable: false },
  'indices:data/read/get': { isCancellable: false },
  'indices:data/read/search': { isCancellable: true },
  'indices:data/write/bulk': { isCancellable: false },
  'indices:data/write/delete': { isCancellable: false },
  'indices:data/write/index': { isCancellable: false },
  'indices:data/write/update': { isCancellable: false },
  'indices:monitor/settings/get': { isCancellable: false },
  'indices:monitor/stats': { isCancellable: false },
} as const

/** A name of the table. */
export type Action = keyof typeof ACTIONS
