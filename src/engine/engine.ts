import { GROK_BANK } from '../pipeline/grok/grok-bank.ts'
import { PROCESSOR_NAMES } from '../pipeline/processors.ts'
import { nodeSettings, settingsOfNode } from '../schema/setting-registry.ts'
import { Settings } from '../schema/settings.ts'
import type { DataFolder } from '../store/data-folder.ts'
import type { CallContext } from '../task/call-context.ts'
import { jsonValueOf } from '../util/json/json-writer.ts'
import { analyzeText } from './analyze/analyze.ts'
import { reloadAnalyzers } from './analyze/reload-analyzers.ts'
import type { GetOutcome } from './api/documents.ts'
import type { EngineApi, EngineOptions, OpenEngine } from './api/engine-api.ts'
import { runBulk, writeDocuments } from './document/bulk.ts'
import { countedWrite } from './document/count-writes.ts'
import { deleteDocument, getDocument, indexDocument, multiGet } from './document/documents.ts'
import { documentRewriter } from './document/rewrite-script.ts'
import { updateDocument } from './document/update.ts'
import { describeDelete, describeIndex, describeUpdate } from './document/write-text.ts'
import { parseSearchTemplate } from './dsl/search-template-body.ts'
import { addBlock } from './index/add-block.ts'
import { updateAliases } from './index/alias-update.ts'
import { clusterStateOf } from './index/cluster-state.ts'
import { usageOf } from './index/cluster-usage.ts'
import { createDataStream, deleteDataStreams } from './index/data-streams.ts'
import { blockForDisk } from './index/disk-block.ts'
import { showFieldMappings } from './index/field-mappings.ts'
import {
  createIndex,
  deleteIndices,
  putClusterSettings,
  putMapping,
  showAliases,
  showIndices,
  viewClusterSettings,
} from './index/index-life.ts'
import { clearCaches, flush, forceMerge, refresh } from './index/maintenance.ts'
import { modifyDataStreams } from './index/modify-streams.ts'
import { allocatePrimary, restartPrimary } from './index/new-primary.ts'
import { identityOf, nodeInfoOf, nodeUseOf } from './index/node-info.ts'
import { closeIndices, openIndices } from './index/open-close.ts'
import { resizeIndex } from './index/resize.ts'
import { resolveIndex } from './index/resolve-index.ts'
import { rollOver } from './index/rollover.ts'
import { putIndexSettings } from './index/settings-update.ts'
import { statsOf } from './index/shard-stats.ts'
import { copiesOf, recoveriesOf, segmentsOf, storesOf } from './index/shard-views.ts'
import { dataStreamStats, showDataStreams } from './index/show-streams.ts'
import { clearVectors, vectorStatsOf, warmVectors } from './index/vector-memory.ts'
import { hasDamagedShard, healthOf } from './index/views.ts'
import { findWriteTarget } from './index/write-target.ts'
import { ingestStats } from './ingest/ingest-stats.ts'
import { deletePipelines, putPipeline, showPipelines } from './ingest/pipelines.ts'
import { simulatePipeline } from './ingest/simulate-pipeline.ts'
import { relationsOf } from './metadata/name-relations.ts'
import { checkBlocksFor } from './metadata/resolve-target.ts'
import { settingsOfFolder } from './node/folder-settings.ts'
import { sampleThreads } from './node/hot-threads.ts'
import { openKeptState } from './node/kept-state.ts'
import { Node } from './node/node.ts'
import { executeScript } from './script/execute-script.ts'
import { renderTemplate, renderText } from './script/render-template.ts'
import { shownContexts, shownLanguages } from './script/show-contexts.ts'
import { deleteScript, putScript } from './script/stored-scripts.ts'
import { count } from './search/count.ts'
import { explainOne } from './search/explain.ts'
import { fieldCaps } from './search/field-caps.ts'
import { multiSearch } from './search/multi-search.ts'
import { createPointInTime, deletePointsInTime, listPointsInTime } from './search/point-in-time.ts'
import { segmentsOfPoints } from './search/point-segments.ts'
import { allowedTypes, checkAllowedTypes } from './search/processor/allowed-processors.ts'
import {
  deleteSearchPipelines,
  putSearchPipeline,
  searchPipelineStats,
  showSearchPipelines,
} from './search/processor/search-pipelines.ts'
import { evaluateRankings } from './search/rank-eval/rank-eval.ts'
import { clearScrolls, nextPage } from './search/scroll.ts'
import { search } from './search/search.ts'
import { readSearch } from './search/search-call.ts'
import { searchShards } from './search/search-shards.ts'
import { multiSearchTemplate, searchTemplate } from './search/search-template.ts'
import { multiTermVectors, termVectors } from './search/term-vectors/term-vectors.ts'
import { validateQuery } from './search/validate-query.ts'
import { visibleSeqNo } from './search/visible-document.ts'
import { printGlobalState } from './snapshot/global-state.ts'
import { holdIndices, namesOf } from './snapshot/hold-indices.ts'
import { deleteRepositories, putRepository, repositoryFolder } from './snapshot/repositories.ts'
import { checkRestore, restoreIndices } from './snapshot/restore-indices.ts'
import {
  describeForceMerge,
  describeOpen,
  describePage,
  describeResize,
  describeSearch,
} from './task/descriptions.ts'
import { keepResultsIn } from './task/task-results.ts'
import { cancelTasks, detachTask, getTask, listTasks, runBeside } from './task/tasks.ts'
import { deleteComponentTemplates, putComponentTemplate } from './template/component-templates.ts'
import {
  deleteIndexTemplates,
  putIndexTemplate,
  simulateTemplate,
} from './template/index-templates.ts'
import { deleteLegacyTemplates, putLegacyTemplate } from './template/legacy-templates.ts'
import {
  showComponentTemplates,
  showIndexTemplates,
  showLegacyTemplates,
} from './template/show-templates.ts'

/** Opens an engine: a data folder, or one in memory. */
export const openEngine: OpenEngine = options => openEngineOver(options, null)

/** Opens an engine over a data folder of any kind; null makes the one that the options name. */
export async function openEngineOver(
  options: EngineOptions,
  folder: DataFolder | null,
): Promise<EngineApi> {
  checkAllowedTypes(settingsAtStart(options))
  const node = new Node(options, folder)
  for (const { analysis } of node.metadata.indices())
    if (analysis.scripts !== null) await node.scripts.load()
  node.tasks.store = keepResultsIn(node)
  await node.recover()
  await node.disks.start(isFull => blockForDisk(node, isFull))
  return engineOf(node)
}

/** The settings that the node will have, ahead of anything that it would have to give back. */
function settingsAtStart({ folder, settings }: EngineOptions): Settings {
  return settingsOfNode(settings, folder === null ? Settings.EMPTY : settingsOfFolder(folder))
}

/** The node as the layers above see it: each call stands in a file of its own kind. */
function engineOf(node: Node): EngineApi {
  const { tasks } = node
  return {
    documents: {
      index: (call, context) => {
        context.task.describe = () => describeIndex(call)
        return tasks.runWaiting(context, () =>
          countedWrite(node, indexDocument(node, call, context)),
        )
      },
      delete: (call, context) => {
        context.task.describe = () => describeDelete(call)
        return tasks.runWaiting(context, () =>
          countedWrite(node, deleteDocument(node, call, context)),
        )
      },
      update: (call, context) => {
        context.task.describe = () => describeUpdate(call)
        return tasks.runWaiting(context, () =>
          countedWrite(node, updateDocument(node, call, context)),
        )
      },
      get: (call, context) => {
        const get = (): Promise<GetOutcome> => getDocument(node, call, context, visibleSeqNo)
        return call.refresh ? tasks.runWaiting(context, get) : tasks.run(context, get)
      },
      multiGet: (calls, context) =>
        tasks.runWaiting(context, () => multiGet(node, calls, context, visibleSeqNo)),
      bulk: (call, context) => tasks.runWaiting(context, () => runBulk(node, call, context)),
      write: (call, context) =>
        tasks.runWaiting(context, () => writeDocuments(node, call, context)),
      writeIndex: (name, requireAlias, context) =>
        findWriteTarget(node, name, requireAlias, context),
      rewriter: (script, mayMove) => documentRewriter(node, script, mayMove),
    },
    indices: {
      create: (call, context) => tasks.runWaiting(context, () => createIndex(node, call, context)),
      show: async (target, context) => showIndices(node, target, context),
      fieldMappings: async (target, call, context) =>
        showFieldMappings(node, target, call, context),
      resolve: (target, context) => resolveIndex(node, target, context),
      delete: (target, context) =>
        tasks.runWaiting(context, () => deleteIndices(node, target, context)),
      close: (target, context) =>
        tasks.runWaiting(context, () => closeIndices(node, target, context)),
      open: (call, context) => {
        context.task.describe = () => describeOpen(call)
        return tasks.runWaiting(context, () => openIndices(node, call, context))
      },
      putMapping: (target, mapping, context) =>
        tasks.runWaiting(context, () => putMapping(node, target, mapping, context)),
      putSettings: (call, context) =>
        tasks.runWaiting(context, () => putIndexSettings(node, call, context)),
      addBlock: (target, block, context) =>
        tasks.runWaiting(context, () => addBlock(node, target, block, context)),
      resize: (call, context) => {
        context.task.describe = () => describeResize(call)
        return tasks.runWaiting(context, () => resizeIndex(node, call, context))
      },
      rollOver: (call, context) => tasks.runWaiting(context, () => rollOver(node, call, context)),
      refresh: (target, context) => tasks.runWaiting(context, () => refresh(node, target, context)),
      flush: (call, context) => tasks.runWaiting(context, () => flush(node, call, context)),
      forceMerge: (call, context) => {
        context.task.describe = () => describeForceMerge(call)
        return tasks.runWaiting(context, () => forceMerge(node, call, context))
      },
    },
    aliases: {
      update: (actions, context) =>
        tasks.runWaiting(context, () => updateAliases(node, actions, context)),
      show: async (target, context) => showAliases(node, target, context),
      relations: name => relationsOf(node.metadata, name),
    },
    dataStreams: {
      create: (name, context) =>
        tasks.runWaiting(context, () => createDataStream(node, name, context)),
      show: (names, context) => showDataStreams(node, names, context),
      delete: (names, context) =>
        tasks.runWaiting(context, () => deleteDataStreams(node, names, context)),
      stats: async (names, context) => dataStreamStats(node, names, context),
      modify: (actions, context) =>
        tasks.runWaiting(context, () => modifyDataStreams(node, actions, context)),
    },
    templates: {
      putComponent: (call, context) =>
        changing(node, context, () => putComponentTemplate(node, call, context)),
      showComponents: call => showComponentTemplates(node, call),
      deleteComponents: (names, context) =>
        changing(node, context, () => deleteComponentTemplates(node, names, context)),
      putIndex: (call, context) =>
        changing(node, context, () => putIndexTemplate(node, call, context)),
      showIndex: call => showIndexTemplates(node, call),
      deleteIndex: (names, context) =>
        changing(node, context, () => deleteIndexTemplates(node, names, context)),
      simulate: call => node.scripts.whenLoaded(() => simulateTemplate(node, call)),
      putLegacy: (call, context) =>
        changing(node, context, () => putLegacyTemplate(node, call, context)),
      showLegacy: call => showLegacyTemplates(node, call),
      deleteLegacy: (name, context) =>
        changing(node, context, () => deleteLegacyTemplates(node, name, context)),
    },
    scripts: {
      put: (call, context) => changing(node, context, () => putScript(node, call, context)),
      get: id => node.metadata.node.storedScripts.get(id) ?? null,
      delete: (id, context) => changing(node, context, () => deleteScript(node, id, context)),
      contexts: () => shownContexts(node.settings),
      languages: () => shownLanguages(node.settings),
      execute: (body, context) =>
        tasks.runWaiting(context, () => executeScript(node, body, context)),
      render: ({ id, body }) =>
        jsonValueOf(renderTemplate(node, parseSearchTemplate(body, id).template)),
      renderText: (source, params) => renderText(node, source, params),
    },
    pipelines: {
      put: (id, body, context) =>
        changing(node, context, () => putPipeline(node, id, body, context)),
      show: ids => showPipelines(node, ids),
      delete: (id, context) => changing(node, context, () => deletePipelines(node, id, context)),
      simulate: (call, context) => tasks.runWaiting(context, () => simulatePipeline(node, call)),
      processors: PROCESSOR_NAMES,
      grokPatterns: () => GROK_BANK,
      stats: () => ingestStats(node),
    },
    searchPipelines: {
      put: (id, body, context) =>
        changing(node, context, () => putSearchPipeline(node, id, body, context)),
      show: ids => showSearchPipelines(node, ids),
      delete: (id, context) =>
        changing(node, context, () => deleteSearchPipelines(node, id, context)),
      processors: allowedTypes(node.settings),
      stats: () => searchPipelineStats(node),
    },
    searches: {
      search: (call, context) => {
        context.task.describe = () => describeSearch(call)
        return tasks.run(context, () => search(node, call, context))
      },
      check: call => void readSearch(call),
      searchTemplate: (call, context) => {
        context.task.describe = () => describeSearch(call)
        return tasks.run(context, () => searchTemplate(node, call, context))
      },
      multiSearchTemplate: (call, context) =>
        tasks.runWaiting(context, () => multiSearchTemplate(node, call, context)),
      multiSearch: (call, context) =>
        tasks.runWaiting(context, () => multiSearch(node, call, context)),
      count: (call, context) => {
        context.task.describe = () => describeSearch(call)
        return tasks.run(context, () => count(node, call, context))
      },
      validate: (call, context) =>
        tasks.run(context, async () => validateQuery(node, call, context)),
      aggregationUse: () => node.aggregationUse.counts(),
      rankEval: (call, context) =>
        tasks.runWaiting(context, () => evaluateRankings(node, call, context)),
      fieldCaps: (call, context) => tasks.run(context, async () => fieldCaps(node, call, context)),
      shards: (call, context) => tasks.run(context, async () => searchShards(node, call, context)),
      explain: (call, context) => tasks.run(context, async () => explainOne(node, call, context)),
      termVectors: (call, context) =>
        tasks.runWaiting(context, () => termVectors(node, call, context)),
      multiTermVectors: (calls, context) =>
        tasks.runWaiting(context, () => multiTermVectors(node, calls, context)),
    },
    contexts: {
      nextPage: (call, context) => {
        context.task.describe = () => describePage(call)
        return tasks.run(context, () => nextPage(node, call, context))
      },
      clearScrolls: (call, context) =>
        tasks.run(context, async () => clearScrolls(node, call, context)),
      createPointInTime: (call, context) =>
        tasks.run(context, async () => createPointInTime(node, call, context)),
      segmentsOfPoints: (ids, context) =>
        tasks.run(context, async () => segmentsOfPoints(node, ids, context)),
      pointsInTime: context => tasks.run(context, async () => listPointsInTime(node, context)),
      deletePointsInTime: (ids, context) =>
        tasks.run(context, async () => deletePointsInTime(node, ids, context)),
    },
    analysis: {
      analyze: (call, context) => node.scripts.whenLoaded(() => analyzeText(node, call, context)),
      reload: (target, context) =>
        tasks.runWaiting(context, async () => reloadAnalyzers(node, target, context)),
    },
    cluster: {
      get identity() {
        return identityOf(node)
      },
      nodeInfo: () => nodeInfoOf(node),
      configFile: path => node.words(path),
      allowsExplicitIndex: nodeSettings.boolean(
        node.settings,
        'rest.action.multi.allow_explicit_index',
      ),
      nodeUse: () => nodeUseOf(node),
      machineUse: () => node.machine.use(),
      sampleThreads: (call, context) =>
        tasks.runWaiting(context, () => sampleThreads(node, call, context)),
      usage: () => usageOf(node),
      settings: () => viewClusterSettings(node),
      putSettings: (persistent, transient, context) =>
        tasks.runWaiting(context, () => putClusterSettings(node, persistent, transient, context)),
      health: (target, context) => healthOf(node, target, context),
      state: (target, context) => clusterStateOf(node, target, context),
      indexNames: () => node.metadata.names(),
      uuidOf: index => node.metadata.index(index)?.uuid ?? null,
      get isRed() {
        return hasDamagedShard(node)
      },
      get stateVersion() {
        return node.metadata.version
      },
      pendingChanges: () => node.changes.pending(),
      stateChanged: signal => node.metadata.nextChange(signal),
      stats: (target, forbidsClosed, context) => statsOf(node, target, forbidsClosed, context),
      executorCounts: () => Object.fromEntries(node.searcher.executorCounts),
      kernelCounts: () => ({ ...node.searcher.kernelCounts }),
    },
    shards: {
      segments: async (target, context) => segmentsOf(node, target, context),
      recoveries: (target, context) => recoveriesOf(node, target, context),
      copies: (target, context) => copiesOf(node, target, context),
      stores: async (target, context) => storesOf(node, target, context),
      allocatePrimary: (index, shard, from, context) =>
        tasks.runWaiting(context, () => allocatePrimary(node, index, shard, from, context)),
      restartPrimary: (index, shard, context) =>
        tasks.runWaiting(context, () => restartPrimary(node, index, shard, context)),
      clearCaches: (target, caches, context) =>
        tasks.runWaiting(context, () => clearCaches(node, target, caches, context)),
    },
    vectors: {
      warmUp: (target, context) =>
        tasks.runWaiting(context, () => warmVectors(node, target, context)),
      clear: (target, context) =>
        tasks.runWaiting(context, () => clearVectors(node, target, context)),
      stats: () => vectorStatsOf(node),
    },
    snapshots: {
      repositories: () => node.metadata.node.repositories,
      putRepository: (name, repository, check, context) =>
        changing(node, context, () => putRepository(node, name, repository, check, context)),
      deleteRepositories: (names, check, context) =>
        changing(node, context, () => deleteRepositories(node, names, check, context)),
      inTurn: (source, step, context) => node.changes.submit(source, 'NORMAL', step, context),
      repositoryFolder: location => repositoryFolder(node, location),
      names: (target, context) => namesOf(node, target, context),
      hold: (target, context) => holdIndices(node, target, context),
      globalState: () => printGlobalState(node.metadata.node),
      checkRestore: (call, context) => checkRestore(node, call, context),
      restore: (call, context) => restoreIndices(node, call, context),
      ensureOpen: () => node.ensureOpen(),
    },
    memory: {
      openBody: () => node.breakers.open('in_flight_requests', '<http_request>'),
      breakers: () => node.breakers.views(),
    },
    tasks: {
      serve: (parts, handle) => tasks.serve(parts, handle),
      step: (from, action, step) => {
        const context = from.child(action)
        return tasks.runWaiting(context, () => step(context))
      },
      detach: (from, step) => detachTask(node, from, step),
      runBeside: (from, step) => runBeside(node, from, step),
      list: (call, context) => tasks.runWaiting(context, () => listTasks(node, call, context)),
      get: (call, context) => tasks.runWaiting(context, () => getTask(node, call, context)),
      cancel: (call, context) => tasks.runWaiting(context, () => cancelTasks(node, call, context)),
    },
    keptState: service => openKeptState(node, service),
    log: line => node.log?.(line),
    beforeClose: stop => node.beforeClose(stop),
    writeAtClose: write => node.writeAtClose(write),
    close: () => node.close(),
  }
}

/** Runs a change of what belongs to no index, unless the cluster is blocked for such. */
function changing<T>(node: Node, context: CallContext, change: () => Promise<T>): Promise<T> {
  return node.tasks.runWaiting(context, async () => {
    checkBlocksFor(node.metadata, context.task.action, [])
    return await node.scripts.whenLoaded(change)
  })
}
