import type { DataFolder } from '../store/data-folder.ts'
import { analyzeText } from './analyze/analyze.ts'
import type { EngineApi, EngineOptions, OpenEngine } from './api/engine-api.ts'
import { runBulk } from './document/bulk.ts'
import { deleteDocument, getDocument, indexDocument } from './document/documents.ts'
import {
  createIndex,
  deleteIndices,
  putClusterSettings,
  putMapping,
  showIndices,
  viewClusterSettings,
} from './index/index-life.ts'
import { flush, forceMerge, refresh } from './index/maintenance.ts'
import { closeIndices, openIndices } from './index/open-close.ts'
import { putIndexSettings } from './index/settings-update.ts'
import { healthOf, identityOf, nodeInfoOf, statsOf } from './index/views.ts'
import { Node } from './node/node.ts'
import { count, search } from './search/search.ts'

/** Opens an engine: a data folder, or one in memory. */
export const openEngine: OpenEngine = options => openEngineOver(options, null)

/** Opens an engine over a data folder of any kind; null makes the one that the options name. */
export async function openEngineOver(
  options: EngineOptions,
  folder: DataFolder | null,
): Promise<EngineApi> {
  const node = new Node(options, folder)
  await node.recover()
  return engineOf(node)
}

/** What the layers above see of the node: each call stands in a file of its own kind. */
function engineOf(node: Node): EngineApi {
  return {
    documents: {
      index: call => indexDocument(node, call),
      delete: call => deleteDocument(node, call),
      get: call => getDocument(node, call),
      bulk: call => runBulk(node, call),
    },
    indices: {
      create: call => createIndex(node, call),
      show: async target => showIndices(node, target),
      delete: target => deleteIndices(node, target),
      close: target => closeIndices(node, target),
      open: call => openIndices(node, call),
      putMapping: (target, mapping) => putMapping(node, target, mapping),
      putSettings: call => putIndexSettings(node, call),
      refresh: target => refresh(node, target),
      flush: call => flush(node, call),
      forceMerge: call => forceMerge(node, call),
    },
    searches: {
      search: call => search(node, call),
      count: call => count(node, call),
    },
    analysis: {
      analyze: async call => analyzeText(node, call),
    },
    cluster: {
      get identity() {
        return identityOf(node)
      },
      nodeInfo: () => nodeInfoOf(node),
      settings: () => viewClusterSettings(node),
      putSettings: (persistent, transient) => putClusterSettings(node, persistent, transient),
      health: target => healthOf(node, target),
      stateChanged: signal => node.metadata.nextChange(signal),
      stats: async (target, forbidsClosed = true) => statsOf(node, target, forbidsClosed),
      executorCounts: () => Object.fromEntries(node.searcher.executorCounts),
      kernelCounts: () => ({ ...node.searcher.kernelCounts }),
    },
    memory: {
      openBody: () => node.breakers.open('in_flight_requests', '<http_request>'),
      breakers: () => node.breakers.views(),
    },
    close: () => node.close(),
  }
}
