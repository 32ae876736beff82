import { indexSettings } from '../schema/setting-registry.ts'
import type { SettingChanges } from '../schema/settings.ts'
import type { DataFolder } from '../store/data-folder.ts'
import type { JsonNode } from '../util/json/json-tree.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { analyzeText } from './analyze/analyze.ts'
import type {
  AnalyzeCall,
  BulkCall,
  BulkOutcome,
  ClusterHealth,
  ClusterSettings,
  CountCall,
  CountOutcome,
  CreateIndex,
  CreateIndexOutcome,
  DeleteDocument,
  EngineApi,
  EngineOptions,
  FlushCall,
  ForceMergeCall,
  GetDocument,
  GetOutcome,
  IndexDocument,
  IndexStats,
  IndexView,
  KernelCounts,
  NodeIdentity,
  NodeInfo,
  OpenEngine,
  OpenIndices,
  PutIndexSettings,
  SearchCall,
  SearchOutcome,
  ShardCounts,
  Target,
  WriteOutcome,
} from './api/engine-api.ts'
import type { BreakerView, Charge } from './api/memory-charge.ts'
import { runBulk } from './document/bulk.ts'
import { deleteDocument, getDocument, indexDocument } from './document/documents.ts'
import {
  createIndex,
  deleteIndices,
  putClusterSettings,
  putMapping,
  viewClusterSettings,
  viewIndices,
} from './index/index-life.ts'
import { closeIndices, openIndices } from './index/open-close.ts'
import { putIndexSettings } from './index/settings-update.ts'
import { healthOf, identityOf, nodeInfoOf, statsOf } from './index/views.ts'
import { resolveOpen } from './metadata/index-names.ts'
import type { IndexService } from './node/index-service.ts'
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
  return new Engine(node)
}

/** What the layers above see of the node: each call stands in a file of its own kind. */
class Engine implements EngineApi {
  readonly #node: Node

  constructor(node: Node) {
    this.#node = node
  }

  get identity(): NodeIdentity {
    return identityOf(this.#node)
  }

  indexDocument(call: IndexDocument): Promise<WriteOutcome> {
    return indexDocument(this.#node, call)
  }

  deleteDocument(call: DeleteDocument): Promise<WriteOutcome> {
    return deleteDocument(this.#node, call)
  }

  getDocument(call: GetDocument): Promise<GetOutcome> {
    return getDocument(this.#node, call)
  }

  bulk(call: BulkCall): Promise<BulkOutcome> {
    return runBulk(this.#node, call)
  }

  createIndex(call: CreateIndex): Promise<CreateIndexOutcome> {
    return createIndex(this.#node, call)
  }

  async getIndices(target: Target): Promise<readonly IndexView[]> {
    return viewIndices(this.#node, target)
  }

  async deleteIndices(target: Target): Promise<void> {
    await deleteIndices(this.#node, target)
  }

  closeIndices(target: Target): Promise<readonly string[]> {
    return closeIndices(this.#node, target)
  }

  openIndices(call: OpenIndices): Promise<{ readonly shardsAcknowledged: boolean }> {
    return openIndices(this.#node, call)
  }

  async putMapping(target: Target, mapping: JsonNode): Promise<void> {
    await putMapping(this.#node, target, mapping)
  }

  async putIndexSettings(call: PutIndexSettings): Promise<void> {
    await putIndexSettings(this.#node, call)
  }

  refresh(target: Target): Promise<ShardCounts> {
    return this.#onShards(target, async index => {
      await Promise.all(index.shards.map(shard => shard.refresh()))
    })
  }

  flush(call: FlushCall): Promise<ShardCounts> {
    return this.#onShards(call.target, async index => {
      await Promise.all(index.shards.map(shard => shard.flush(call.force)))
    })
  }

  forceMerge(call: ForceMergeCall): Promise<ShardCounts> {
    return this.#onShards(call.target, async index => {
      for (const shard of index.shards) {
        await shard.forceMerge(call.maxSegmentCount, call.onlyExpungeDeletes)
        if (call.flush) await shard.flush()
        // Old segments go only when searches see the merged one.
        if (indexSettings.nanos(index.metadata.settings, 'index.refresh_interval') !== -1)
          await shard.refresh()
      }
    })
  }

  search(call: SearchCall): Promise<SearchOutcome> {
    return search(this.#node, call)
  }

  count(call: CountCall): Promise<CountOutcome> {
    return count(this.#node, call)
  }

  async analyze(call: AnalyzeCall): Promise<JsonValue> {
    return analyzeText(this.#node, call)
  }

  clusterSettings(): ClusterSettings {
    return viewClusterSettings(this.#node)
  }

  putClusterSettings(
    persistent: SettingChanges,
    transient: SettingChanges,
  ): Promise<ClusterSettings> {
    return putClusterSettings(this.#node, persistent, transient)
  }

  clusterHealth(target: Target): ClusterHealth {
    return healthOf(this.#node, target)
  }

  stateChanged(signal: AbortSignal): Promise<void> {
    return this.#node.metadata.nextChange(signal)
  }

  async stats(target: Target, forbidsClosed = true): Promise<readonly IndexStats[]> {
    return statsOf(this.#node, target, forbidsClosed)
  }

  nodeInfo(): NodeInfo {
    return nodeInfoOf(this.#node)
  }

  executorCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#node.searcher.executorCounts)
  }

  kernelCounts(): KernelCounts {
    return { ...this.#node.searcher.kernelCounts }
  }

  openBody(): Charge {
    return this.#node.breakers.open('in_flight_requests', '<http_request>')
  }

  breakers(): readonly BreakerView[] {
    return this.#node.breakers.views()
  }

  close(): Promise<void> {
    return this.#node.close()
  }

  /** Runs a step on each index of a target; counts copies as the real server does. */
  async #onShards(
    target: Target,
    step: (index: IndexService) => Promise<void>,
  ): Promise<ShardCounts> {
    this.#node.ensureOpen()
    let total = 0
    let successful = 0
    const steps: Promise<void>[] = []
    for (const { name } of resolveOpen(this.#node.metadata, target)) {
      const index = this.#node.index(name)
      if (index === null) continue
      const { numberOfShards, numberOfReplicas } = index.metadata
      total += numberOfShards * (1 + numberOfReplicas)
      successful += index.shards.length
      steps.push(step(index))
    }
    await Promise.all(steps)
    return { total, successful, failed: 0 }
  }
}
