/** Documents of a hidden index that a service alone writes: what it keeps, and what grows with its use. */
import type { BulkItem, WriteOutcome } from '../engine/api/documents.ts'
import type { EngineApi } from '../engine/api/engine-api.ts'
import type { CreateIndex } from '../engine/api/indices.ts'
import type { RefreshPolicy, Target } from '../engine/api/target.ts'
import { trusted } from '../task/call-context.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError } from '../util/errors.ts'
import { parseJsonTree } from '../util/json/json-tree.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { writeJson } from '../util/json/json-writer.ts'
import type { Long } from '../util/long.ts'

const WAIT_IN_MILLIS = 60_000
/** Documents that one search gives, at most. */
export const MAX_HITS = 10_000

/** Keys of a search whose hits tell their last writes. */
const STAMPED = { version: true, seq_no_primary_term: true }

/** How a system index is made, where that differs from a hidden one of one shard, without replicas. */
export interface SystemIndexOptions {
  /** Patterns of names find it, and its name may be that of an alias. */
  readonly isOpen?: boolean
  /** The index that is made where there is none, when the name is that of an alias. */
  readonly first?: () => Pick<CreateIndex, 'name' | 'settings' | 'aliases'>
}

interface Hit<T> {
  readonly _id: string
  readonly _source: T
  readonly _version: number
  readonly _seq_no: number
  readonly _primary_term: number
}

/** A document with its id; `T` is the shape that the service writes, which alone writes there. */
export interface Kept<T> {
  readonly id: string
  readonly source: T
}

/** A document with the marks of its last write. */
export interface Stamped<T> extends Kept<T> {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

/** The last write of a document, as a condition of the next one. */
export interface WriteStamp {
  readonly seqNo: Long
  readonly primaryTerm: Long
}

/** A document that is written, or deleted where there is no source. */
export interface Change<T> {
  readonly id: string
  readonly source: T | null
}

/** Documents that a search found. */
export interface Found<T> {
  readonly total: number
  readonly hits: readonly Kept<T>[]
}

/** A system index; it is made by the first write. */
export class SystemIndex<T> {
  readonly name: string
  readonly #engine: EngineApi
  readonly #mappings: object
  readonly #isOpen: boolean
  readonly #isAlias: boolean
  readonly #first: NonNullable<SystemIndexOptions['first']>

  constructor(
    engine: EngineApi,
    name: string,
    mappings: object,
    { isOpen = false, first }: SystemIndexOptions = {},
  ) {
    this.#engine = engine
    this.name = name
    this.#mappings = mappings
    this.#isOpen = isOpen
    this.#isAlias = first !== undefined
    this.#first =
      first ??
      (() => ({
        name,
        settings: new Map([
          ['index.number_of_shards', '1'],
          ['index.number_of_replicas', '0'],
          ['index.hidden', String(!isOpen)],
        ]),
        aliases: null,
      }))
  }

  /**
   * Writes a document; it is durable when this resolves, and found by searches as its refresh says.
   * @param id null: the engine makes one
   * @param stamp that the document must have; null: any
   * @throws {EngineError} `version_conflict_engine_exception`: `create`, and there is one of that id; another
   *   stamp
   */
  async put(
    id: string | null,
    source: T,
    opType: 'index' | 'create',
    stamp: WriteStamp | null = null,
    refresh: RefreshPolicy = 'true',
  ): Promise<WriteOutcome> {
    await this.#make()
    const common = { ...this.#write(), refresh, pipeline: '_none' }
    const condition =
      stamp === null ? {} : { ifSeqNo: stamp.seqNo, ifPrimaryTerm: stamp.primaryTerm }
    const bytes = writeJson(source as JsonValue)
    return this.#engine.documents.index(
      { ...common, ...condition, id, opType, source: bytes },
      trusted('indices:data/write/index'),
    )
  }

  /**
   * Writes new documents in one go; they are durable when this resolves. Their ids, in order.
   * @throws {EngineError} one of them was not written
   */
  async addAll(sources: readonly T[]): Promise<readonly string[]> {
    const items = await this.#bulk(linesOfNew(sources), 'false')
    return items.map(item => outcomeOf(item).id)
  }

  /**
   * Writes new documents in one go, as many as can be; those are durable when this resolves.
   * @returns what became of each, in order: null where it was written
   * @throws {EngineError} none was
   */
  async offerAll(sources: readonly T[]): Promise<readonly (EngineError | null)[]> {
    const items = await this.#bulk(linesOfNew(sources), 'false')
    return items.map(item => {
      if (!('error' in item)) return null
      if (item.error instanceof EngineError) return item.error
      throw item.error
    })
  }

  /** Writes and deletes documents in one go; durable when this resolves. */
  async apply(changes: readonly Change<T>[], refresh: 'true' | 'false'): Promise<void> {
    const lines = changes.flatMap(({ id, source }) => {
      const action = source === null ? 'delete' : 'index'
      const head = encodeUtf8(`${JSON.stringify({ [action]: { _id: id } })}\n`)
      return source === null ? [head] : [head, writeJson(source as JsonValue), encodeUtf8('\n')]
    })
    for (const item of await this.#bulk(lines, refresh)) outcomeOf(item)
  }

  async #bulk(
    lines: readonly Uint8Array[],
    refresh: 'true' | 'false',
  ): Promise<readonly BulkItem[]> {
    await this.#make()
    const { items } = await this.#engine.documents.bulk(
      {
        body: Buffer.concat(lines),
        index: this.name,
        routing: null,
        refresh,
        requireAlias: this.#isAlias,
        pipeline: '_none',
        source: null,
        waitForActiveShards: null,
        timeoutInMillis: WAIT_IN_MILLIS,
      },
      trusted('indices:data/write/bulk'),
    )
    return items
  }

  /** A document, the newest; null where there is none. */
  async get(id: string): Promise<T | null> {
    if (!this.exists()) return null
    const { source } = await this.#engine.documents.get(
      {
        index: this.name,
        id,
        routing: null,
        realtime: true,
        refresh: false,
        version: null,
        versionType: 'internal',
        source: { enabled: true, includes: [], excludes: [] },
        storedFields: null,
      },
      trusted('indices:data/read/get'),
    )
    return source === null ? null : (JSON.parse(Buffer.from(source).toString()) as T)
  }

  /** Deletes a document; that there was none is an outcome too. Null: there is not even the index. */
  async delete(id: string, refresh: 'true' | 'false'): Promise<WriteOutcome | null> {
    if (!this.exists()) return null
    return await this.#engine.documents.delete(
      { ...this.#write(), refresh, id },
      trusted('indices:data/write/delete'),
    )
  }

  /** The same; an index is made for the outcome to name where there is none. */
  async deleteFound(id: string): Promise<WriteOutcome> {
    await this.#make()
    return await this.#engine.documents.delete(
      { ...this.#write(), refresh: 'true', id },
      trusted('indices:data/write/delete'),
    )
  }

  /**
   * Searches.
   * @param body of a search, without its totals
   * @throws {EngineError} as a search does
   */
  async search(body: object): Promise<Found<T> & { readonly hits: readonly Stamped<T>[] }> {
    if (!this.exists()) return { total: 0, hits: [] }
    const outcome = await this.#engine.searches.search(
      {
        target: this.#target(),
        body: parseJsonTree(
          encodeUtf8(JSON.stringify({ ...body, ...STAMPED, track_total_hits: true })),
        ),
        options: {},
        human: false,
      },
      trusted('indices:data/read/search'),
    )
    const { hits } = JSON.parse(Buffer.from(writeJson(outcome.body)).toString())
    return {
      total: hits.total.value,
      hits: hits.hits.map((hit: Hit<T>) => ({
        id: hit._id,
        source: hit._source,
        version: hit._version,
        seqNo: hit._seq_no,
        primaryTerm: hit._primary_term,
      })),
    }
  }

  /** Whether anything was ever written. */
  exists(): boolean {
    const { indices, aliases } = this.#engine.indices.resolve(
      { ...this.#target(), expandHidden: true },
      trusted('indices:admin/resolve/index'),
    )
    return indices.length > 0 || aliases.length > 0
  }

  async #make(): Promise<void> {
    if (this.exists()) return
    try {
      await this.#engine.indices.create(
        {
          ...this.#first(),
          mappings: parseJsonTree(encodeUtf8(JSON.stringify(this.#mappings))),
          waitForActiveShards: 1,
        },
        trusted('indices:admin/create'),
      )
    } catch (error) {
      // Another call was faster.
      if (error instanceof EngineError && error.type === 'resource_already_exists_exception') return
      throw error
    }
  }

  #target(): Target {
    return {
      names: [this.name],
      ignoreUnavailable: true,
      allowNoIndices: true,
      expandOpen: true,
      expandClosed: false,
      expandHidden: true,
      allowAliases: this.#isOpen,
      allowDataStreams: false,
    }
  }

  #write(): {
    readonly index: string
    readonly routing: null
    readonly ifSeqNo: null
    readonly ifPrimaryTerm: null
    readonly version: null
    readonly versionType: 'internal'
    readonly requireAlias: false
    readonly waitForActiveShards: null
    readonly timeoutInMillis: number
  } {
    return {
      index: this.name,
      routing: null,
      ifSeqNo: null,
      ifPrimaryTerm: null,
      version: null,
      versionType: 'internal',
      requireAlias: false,
      waitForActiveShards: null,
      timeoutInMillis: WAIT_IN_MILLIS,
    }
  }
}

function linesOfNew<T>(sources: readonly T[]): readonly Uint8Array[] {
  return sources.flatMap(source => [
    encodeUtf8('{"create":{}}\n'),
    writeJson(source as JsonValue),
    encodeUtf8('\n'),
  ])
}

/** @throws {EngineError} it failed */
function outcomeOf(item: BulkItem): WriteOutcome {
  if ('error' in item) throw item.error
  return item.outcome
}
