/** Snapshots of an engine on a disk of tests, by calls that tests make in hundreds. */
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { openEngineOver } from '../../src/engine/engine.ts'
import { SnapshotService } from '../../src/service/snapshot/snapshot-service.ts'
import type { DataFolder } from '../../src/store/data-folder.ts'
import { trusted } from '../../src/task/call-context.ts'
import { bulk, search, targetOf } from './engine-calls.ts'

const SETTINGS = { 'lamella.threads.write': '1', 'lamella.threads.search': '1' }

/** Numbers by id: the documents of an index. */
export type Documents = ReadonlyMap<string, number>

/** An engine with its snapshots, and one repository called `r`. */
export class SnapshotEngine {
  readonly engine: EngineApi
  readonly service: SnapshotService

  private constructor(engine: EngineApi) {
    this.engine = engine
    this.service = new SnapshotService(engine)
  }

  static async open(disk: DataFolder, more: Record<string, string> = {}): Promise<SnapshotEngine> {
    const settings = new Map(Object.entries({ ...SETTINGS, ...more }))
    return new SnapshotEngine(await openEngineOver({ folder: null, settings }, disk))
  }

  /** Registers the repository. */
  register(settings: Record<string, string> = {}, type = 'fs'): Promise<void> {
    const place = type === 'fs' ? { location: 'r' } : {}
    const call = {
      name: 'r',
      type,
      settings: new Map(Object.entries({ ...place, ...settings })),
      verifies: true,
    }
    return this.service.putRepository(call, trusted('cluster:admin/repository/put'))
  }

  /** Takes a snapshot of one index. */
  async take(snapshot: string, index: string): Promise<void> {
    const call = {
      repository: 'r',
      snapshot,
      target: targetOf(index),
      includesGlobalState: true,
      allowsPartial: false,
      metadata: null,
    }
    const { done } = await this.service.create(call, trusted('cluster:admin/snapshot/create'))
    const { state } = await done
    if (state !== 'SUCCESS') throw new Error(`the snapshot ended as ${String(state)}`)
  }

  /** Copies a snapshot under another name. */
  clone(source: string, target: string): Promise<void> {
    const call = { repository: 'r', source, target, indices: ['*'], ignoresUnavailable: false }
    return this.service.clone(call)
  }

  /** Restores a snapshot of one index under another name. */
  async restore(snapshot: string, as: string): Promise<void> {
    const call = {
      repository: 'r',
      snapshot,
      indices: [],
      ignoresUnavailable: false,
      renaming: { pattern: '^.*$', replacement: as },
      aliasRenaming: null,
      includesAliases: true,
      includesGlobalState: false,
      allowsPartial: false,
      settings: new Map(),
      ignoredSettings: [],
    }
    const { done } = await this.service.restore(call, trusted('cluster:admin/snapshot/restore'))
    await done
  }

  /** Names of all snapshots, each of them read. */
  async names(): Promise<string[]> {
    const call = { repository: 'r', snapshots: [], ignoresUnavailable: false, isVerbose: true }
    return (await this.service.find(call)).map(({ snapshot }) => String(snapshot))
  }

  /** How a snapshot ended. */
  async state(name: string): Promise<string> {
    const call = { repository: 'r', snapshots: [name], ignoresUnavailable: false, isVerbose: false }
    return String((await this.service.find(call))[0]!['state'])
  }

  delete(...names: string[]): Promise<void> {
    return this.service.delete('r', names)
  }

  verify(): Promise<void> {
    return this.service.verify('r', trusted('cluster:admin/repository/verify'))
  }

  /** Puts documents; null deletes one. */
  async write(index: string, documents: ReadonlyMap<string, number | null>): Promise<void> {
    const lines = Array.from(documents, ([id, n]) =>
      n === null ? [{ delete: { _id: id } }] : [{ index: { _id: id } }, { n }],
    )
    await bulk(this.engine, index, lines.flat(), 'true')
  }

  /** All documents of an index. */
  async documents(index: string): Promise<Documents> {
    const { hits } = await search(this.engine, index, { size: 10_000 })
    const found: [string, number][] = hits.hits.map(
      (hit: { _id: string; _source: { n: number } }) => [hit._id, hit._source.n],
    )
    return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Names of all indices. */
  async indices(): Promise<string[]> {
    const shown = await this.engine.indices.show(targetOf('*'), trusted('indices:admin/get'))
    return shown.map(({ name }) => name)
  }

  async deleteIndex(name: string): Promise<void> {
    await this.engine.indices.delete(targetOf(name), trusted('indices:admin/delete'))
  }

  close(): Promise<void> {
    return this.engine.close()
  }
}

/** Documents in order of id. */
export function sorted(documents: Documents): Documents {
  return new Map([...documents].sort(([a], [b]) => (a < b ? -1 : 1)))
}
