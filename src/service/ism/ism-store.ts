/** Policies and managed indices: documents of a hidden index, and in memory as they were written last. */
import type { WriteOutcome } from '../../engine/api/documents.ts'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { RefreshPolicy } from '../../engine/api/target.ts'
import type { KeptCaller } from '../../task/kept-caller.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { MAX_HITS, type Stamped, SystemIndex, type WriteStamp } from '../system-index.ts'
import type { ChangePolicy, ManagedIndex } from './managed-index.ts'
import { type Policy, parsePolicy, printPolicy } from './policy/policy.ts'
import type { Progress } from './progress.ts'

const INDEX = '.opendistro-ism-config'

/** A policy with the marks of its last write. */
export interface StoredPolicy {
  readonly policy: Policy
  /** Its author; null: the program itself. */
  readonly caller: KeptCaller | null
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

/** A page of a list, in an order, of those that a query finds. */
export interface IsmPage {
  readonly from: number
  readonly size: number
  readonly sortField: string
  readonly sortOrder: 'asc' | 'desc'
  readonly query: string
}

/** The two kinds of document. */
interface IsmDocument {
  readonly policy?: JsonRecord
  readonly caller?: KeptCaller | null
  readonly managed_index?: ManagedDocument
}

interface ManagedDocument {
  readonly name: string
  readonly index: string
  readonly index_uuid: string
  readonly enabled: boolean
  readonly start_time: number
  readonly policy_id: string
  readonly policy_seq_no: number
  readonly policy_primary_term: number
  readonly policy: JsonRecord
  readonly caller?: KeptCaller | null
  readonly change_policy: ChangePolicy | null
  readonly progress: Progress | null
}

const text = { type: 'keyword', fields: { keyword: { type: 'keyword' } } }
const MAPPINGS = {
  dynamic: false,
  properties: {
    policy: {
      properties: {
        policy_id: text,
        description: { type: 'text', fields: { keyword: { type: 'keyword' } } },
        last_updated_time: { type: 'date', format: 'epoch_millis' },
      },
    },
    managed_index: {
      properties: {
        name: text,
        index: text,
        index_uuid: text,
        policy_id: text,
        enabled: { type: 'boolean' },
        start_time: { type: 'date', format: 'epoch_millis' },
      },
    },
  },
}
const POLICY_ID = 'policy.policy_id.keyword'
const UUID = 'managed_index.index_uuid'

/** Keeps both. */
export class IsmStore {
  readonly #index: SystemIndex<IsmDocument>
  readonly #policies = new Map<string, StoredPolicy>()
  readonly #managed = new Map<string, ManagedIndex>()
  /** Policies that managed indices follow, by id and version: many follow the same one. */
  readonly #followed = new Map<string, Policy>()
  /** Uuids of indices that memory is ahead of the disk with. */
  readonly #unwritten = new Set<string>()

  constructor(engine: EngineApi) {
    this.#index = new SystemIndex(engine, INDEX, MAPPINGS)
  }

  /** By id. */
  get policies(): ReadonlyMap<string, StoredPolicy> {
    return this.#policies
  }

  /** By the uuid of the index. */
  get managed(): ReadonlyMap<string, ManagedIndex> {
    return this.#managed
  }

  /**
   * Reads what an earlier process left; to be awaited before the first use.
   * @throws {EngineError} the hidden index cannot be read
   */
  async load(): Promise<void> {
    await this.#each(POLICY_ID, hit => this.#readPolicy(hit))
    await this.#each(UUID, ({ source: { managed_index: managed } }) => {
      if (managed !== undefined) this.#managed.set(managed.index_uuid, this.#readManaged(managed))
    })
    this.#followed.clear()
  }

  /** Every document that has a field, in order of its value. */
  async #each(field: string, read: (hit: Stamped<IsmDocument>) => void): Promise<void> {
    for (let after: string | null = null; ; ) {
      const bound = after === null ? { exists: { field } } : { range: { [field]: { gt: after } } }
      const { hits } = await this.#index.search({ query: bound, sort: [field], size: PAGE })
      for (const hit of hits) read(hit)
      const last = hits.at(-1)
      if (last === undefined || hits.length < PAGE) return
      after = field === POLICY_ID ? last.id : last.source.managed_index!.index_uuid
    }
  }

  #readPolicy({ id, source, version, seqNo, primaryTerm }: Stamped<IsmDocument>): void {
    const policy = policyOf(source.policy!, id)
    const { caller = null } = source
    this.#policies.set(id, { policy, caller, version, seqNo, primaryTerm })
  }

  #readManaged(managed: ManagedDocument): ManagedIndex {
    const { policy_id: id, policy_seq_no: seqNo, policy_primary_term: primaryTerm } = managed
    const key = `${seqNo}:${primaryTerm}:${id}`
    const policy = this.#followed.get(key) ?? policyOf(managed.policy, id)
    this.#followed.set(key, policy)
    return {
      index: managed.index,
      uuid: managed.index_uuid,
      isEnabled: managed.enabled,
      startTime: managed.start_time,
      policyId: id,
      policy,
      policySeqNo: seqNo,
      policyPrimaryTerm: primaryTerm,
      caller: managed.caller ?? null,
      changePolicy: managed.change_policy,
      progress: managed.progress,
    }
  }

  /**
   * Writes a policy; durable when it resolves.
   * @param stamp of the policy that it replaces; null: there must be none of that id
   * @throws {EngineError} `version_conflict_engine_exception`
   */
  async putPolicy(
    policy: Policy,
    caller: KeptCaller | null,
    stamp: WriteStamp | null,
    refresh: RefreshPolicy,
  ): Promise<WriteOutcome> {
    const source = { policy: printPolicy(policy), caller }
    const opType = stamp === null ? 'create' : 'index'
    const outcome = await this.#index.put(policy.id, source, opType, stamp, refresh)
    const { seqNo, primaryTerm } = outcome
    const version = Number(outcome.version)
    this.#policies.set(policy.id, { policy, caller, version, seqNo, primaryTerm })
    return outcome
  }

  /** Deletes a policy; indices that follow it keep it as it was. Durable when it resolves. */
  async deletePolicy(id: string): Promise<WriteOutcome> {
    const outcome = await this.#index.deleteFound(id)
    this.#policies.delete(id)
    return outcome
  }

  /**
   * Policies, a page of those whose id a query finds.
   * @throws {EngineError} the error of a query or a sort
   */
  async findPolicies(
    page: IsmPage,
  ): Promise<{ readonly total: number; readonly policies: readonly StoredPolicy[] }> {
    const { total, hits } = await this.#find(page, POLICY_ID, [])
    return { total, policies: hits.flatMap(({ id }) => this.#policies.get(id) ?? []) }
  }

  /**
   * Managed indices, a page of those whose name a query finds.
   * @param policyId that they follow; null: any
   * @throws {EngineError} the error of a query or a sort
   */
  async findManaged(
    page: IsmPage,
    policyId: string | null,
  ): Promise<{ readonly total: number; readonly managed: readonly ManagedIndex[] }> {
    const filters = policyId === null ? [] : [{ term: { 'managed_index.policy_id': policyId } }]
    const { total, hits } = await this.#find(page, 'managed_index.name.keyword', filters)
    const uuids = hits.flatMap(({ source }) => source.managed_index?.index_uuid ?? [])
    return { total, managed: uuids.flatMap(uuid => this.#managed.get(uuid) ?? []) }
  }

  #find(
    { from, size, sortField, sortOrder, query }: IsmPage,
    field: string,
    filters: readonly object[],
  ): Promise<{ readonly total: number; readonly hits: readonly Stamped<IsmDocument>[] }> {
    return this.#index.search({
      query: {
        bool: {
          must: [{ query_string: { query, fields: [field], default_operator: 'and' } }],
          filter: [{ exists: { field } }, ...filters],
        },
      },
      from,
      size,
      sort: [{ [sortField]: { order: sortOrder } }],
    })
  }

  /**
   * Writes managed indices, found by lists; durable when it resolves, and what is in memory follows then.
   * @param gone uuids of those that are not managed any more
   */
  async change(changed: readonly ManagedIndex[], gone: readonly string[]): Promise<void> {
    if (changed.length === 0 && gone.length === 0) return
    await this.#index.apply(changesOf(changed, gone), 'true')
    for (const managed of changed) this.#managed.set(managed.uuid, managed)
    for (const uuid of gone) this.#managed.delete(uuid)
  }

  /** Replaces a managed index in memory alone: what a repetition of its step does not need. */
  show(managed: ManagedIndex): void {
    this.#managed.set(managed.uuid, managed)
  }

  /** Forgets one in memory, before `write` does on disk. */
  forget(uuid: string): void {
    this.#managed.delete(uuid)
  }

  /**
   * Writes down what is shown in memory; durable when it resolves. What could not be written goes with the
   * next write: a full disk blocks the hidden index too.
   * @throws {EngineError} `cluster_block_exception` and the like
   */
  async write(shown: readonly ManagedIndex[], gone: readonly string[]): Promise<void> {
    for (const { uuid } of shown) this.#unwritten.add(uuid)
    for (const uuid of gone) this.#unwritten.add(uuid)
    if (this.#unwritten.size === 0) return
    const uuids = [...this.#unwritten]
    const left = uuids.flatMap(uuid => this.#managed.get(uuid) ?? [])
    const lost = uuids.filter(uuid => !this.#managed.has(uuid))
    // Lists ask the index which there are, and memory how far they have come.
    await this.#index.apply(changesOf(left, lost), lost.length > 0 ? 'true' : 'false')
    for (const managed of left)
      if (this.#managed.get(managed.uuid) === managed) this.#unwritten.delete(managed.uuid)
    for (const uuid of lost) this.#unwritten.delete(uuid)
  }
}

/** Documents that one search reads. */
const PAGE = Math.min(1000, MAX_HITS)

/** The id of the document of a managed index: no policy can have it. */
function idOf(uuid: string): string {
  return `${uuid}#managed`
}

function changesOf(
  changed: readonly ManagedIndex[],
  gone: readonly string[],
): { readonly id: string; readonly source: IsmDocument | null }[] {
  return [
    ...changed.map(managed => ({
      id: idOf(managed.uuid),
      source: { managed_index: documentOf(managed) },
    })),
    ...gone.map(uuid => ({ id: idOf(uuid), source: null })),
  ]
}

function documentOf(managed: ManagedIndex): ManagedDocument {
  return {
    name: managed.index,
    index: managed.index,
    index_uuid: managed.uuid,
    enabled: managed.isEnabled,
    start_time: managed.startTime,
    policy_id: managed.policyId,
    policy_seq_no: managed.policySeqNo,
    policy_primary_term: managed.policyPrimaryTerm,
    policy: printPolicy(managed.policy),
    caller: managed.caller,
    change_policy: managed.changePolicy,
    progress: managed.progress,
  }
}

function policyOf(document: JsonRecord, id: string): Policy {
  return parsePolicy(parseJsonTree(encodeUtf8(JSON.stringify(document))), id, 0)
}
