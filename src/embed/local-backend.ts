import type { EngineApi } from '../engine/api/engine-api.ts'
import type { Dispatcher } from '../rest/dispatch.ts'
import { linkAbort } from '../task/abort-link.ts'
import type { Action } from '../task/actions.ts'
import { type CallContext, trusted } from '../task/call-context.ts'
import { parseSize } from '../util/units.ts'
import type { Backend } from './backend.ts'

const DEFAULT_MAX_CONTENT = '100mb'

/**
 * A backend over an engine on this thread: its calls are the engine's own, in the name of the program.
 * @param onDefect told of defects of ours behind a 500, which the response only names
 */
export function localBackend(
  engine: EngineApi,
  onDefect: (error: unknown) => void = warnOfDefect,
): Backend {
  const { aliases, documents, indices, searches, contexts, cluster } = engine
  const { settings } = cluster.nodeInfo()
  const limit = settings.get('http.max_content_length') ?? DEFAULT_MAX_CONTENT
  const maxContentLength = parseSize(String(limit), 'http.max_content_length')
  // The REST layer is loaded by its first use: most programs that embed the engine need none of it.
  let loading: Promise<Dispatcher> | null = null
  const rest = (): Promise<Dispatcher> => {
    loading ??= Promise.all([import('../rest/dispatch.ts'), import('../service/services.ts')]).then(
      ([{ Dispatcher }, { openServices }]) =>
        new Dispatcher(engine, openServices(engine), { maxContentLength, onDefect }),
    )
    return loading
  }
  return {
    search: (call, signal) =>
      under('indices:data/read/search', signal, context => searches.search(call, context)),
    count: (call, signal) =>
      under('indices:data/read/search', signal, context => searches.count(call, context)),
    async openPoint(call) {
      const context = trusted('indices:data/read/point_in_time/create')
      return (await contexts.createPointInTime(call, context)).id
    },
    async closePoint(id) {
      await contexts.deletePointsInTime([id], trusted('indices:data/read/point_in_time/delete'))
    },
    get: call => documents.get(call, trusted('indices:data/read/get')),
    put: call => documents.index(call, trusted('indices:data/write/index')),
    delete: call => documents.delete(call, trusted('indices:data/write/delete')),
    bulk: call => documents.bulk(call, trusted('indices:data/write/bulk')),

    async createIndex(call) {
      await indices.create(call, trusted('indices:admin/create'))
    },
    async putMapping(target, mapping) {
      await indices.putMapping(target, mapping, trusted('indices:admin/mapping/put'))
    },
    async indexNames(target) {
      return (await indices.show(target, trusted('indices:admin/get'))).map(({ name }) => name)
    },
    updateAliases: actions => aliases.update(actions, trusted('indices:admin/aliases')),
    showAliases: target => aliases.show(target, trusted('indices:admin/aliases/get')),
    deleteIndices: target => indices.delete(target, trusted('indices:admin/delete')),
    async refresh(target) {
      await indices.refresh(target, trusted('indices:admin/refresh'))
    },
    async flush(target) {
      const call = { target, force: false, waitIfOngoing: true }
      await indices.flush(call, trusted('indices:admin/flush'))
    },
    async changeSettings(persistent, transient) {
      const context = trusted('cluster:admin/settings/update')
      await cluster.putSettings(persistent, transient, context)
    },

    get identity() {
      return cluster.identity
    },
    executorCounts: () => cluster.executorCounts(),
    kernelCounts: () => cluster.kernelCounts(),

    async request(request) {
      return (await rest()).dispatch(request)
    },
    async serve(options, onClosed) {
      const { startServer } = await import('./running-server.ts')
      return startServer(await rest(), settings, options, onClosed)
    },
    close: () => engine.close(),
  }
}

/** Makes a call that the caller's signal cancels. */
function under<T>(
  action: Action,
  signal: AbortSignal | undefined,
  call: (context: CallContext) => Promise<T>,
): Promise<T> {
  const context = trusted(action)
  if (signal === undefined) return call(context)
  const unlink = linkAbort(signal, context.task)
  return call(context).finally(unlink)
}

function warnOfDefect(error: unknown): void {
  const detail = error instanceof Error ? error.stack : undefined
  process.emitWarning(`a defect of Lamella was answered with status 500: ${error}`, {
    type: 'LamellaWarning',
    code: 'LAMELLA_DEFECT',
    ...(detail === undefined ? {} : { detail }),
  })
}
