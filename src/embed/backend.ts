import type { AliasAction, ShownAliases } from '../engine/api/aliases.ts'
import type { NodeIdentity } from '../engine/api/cluster.ts'
import type {
  BulkCall,
  BulkOutcome,
  DeleteDocument,
  GetDocument,
  GetOutcome,
  IndexDocument,
  WriteOutcome,
} from '../engine/api/documents.ts'
import type { CreateIndex, PutIndexSettings } from '../engine/api/indices.ts'
import type { CreatePointInTime } from '../engine/api/search-contexts.ts'
import type { CountCall, CountOutcome, SearchCall, SearchOutcome } from '../engine/api/searches.ts'
import type { KernelCounts } from '../engine/api/stats.ts'
import type { Target } from '../engine/api/target.ts'
import type { RestRequest } from '../rest/dispatch.ts'
import type { RestResponse } from '../rest/response.ts'
import type { JsonNode } from '../util/json/json-tree.ts'
import type { RunningServer, ServeOptions } from './running-server.ts'

/**
 * The calls that a database and its handles are made of; only a backend knows where the engine runs.
 * Calls that take a signal stop when it aborts. All of them reject with an `EngineError` for a mistake of
 * the caller.
 */
export interface Backend {
  search(call: SearchCall, signal?: AbortSignal): Promise<SearchOutcome>
  count(call: CountCall, signal?: AbortSignal): Promise<CountOutcome>
  /**
   * Holds the snapshots of now.
   * @returns the id of the point in time
   */
  openPoint(call: CreatePointInTime): Promise<string>
  /** Ends a point in time; one that is gone is no error. */
  closePoint(id: string): Promise<void>
  get(call: GetDocument): Promise<GetOutcome>
  put(call: IndexDocument): Promise<WriteOutcome>
  delete(call: DeleteDocument): Promise<WriteOutcome>
  bulk(call: BulkCall): Promise<BulkOutcome>

  createIndex(call: CreateIndex): Promise<void>
  putMapping(target: Target, mapping: JsonNode): Promise<void>
  /** Names of the indices of a target, sorted. */
  indexNames(target: Target): Promise<readonly string[]>
  deleteIndices(target: Target): Promise<void>
  updateAliases(actions: readonly AliasAction[]): Promise<void>
  showAliases(target: Target): Promise<readonly ShownAliases[]>
  refresh(target: Target): Promise<void>
  flush(target: Target): Promise<void>
  changeSettings(
    persistent: PutIndexSettings['changes'],
    transient: PutIndexSettings['changes'],
  ): Promise<void>

  readonly identity: NodeIdentity
  /** Slices searched since the start, by executor: `kernels`, or why the iterators ran them. */
  executorCounts(): Readonly<Record<string, number>>
  /** Counters of the kernels since the start. */
  kernelCounts(): KernelCounts

  /** Answers a request of the HTTP API; never rejects, every failure is a response. */
  request(request: RestRequest): Promise<RestResponse>
  /**
   * Serves the HTTP API.
   * @param onClosed called once, when the server has closed
   */
  serve(options: ServeOptions, onClosed: () => void): Promise<RunningServer>
  /** Finishes running calls, commits, frees threads and memory. Idempotent. */
  close(): Promise<void>
}
