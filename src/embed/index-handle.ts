import type {
  WriteOptions as EngineWriteOptions,
  VersionType,
  WriteOutcome,
} from '../engine/api/documents.ts'
import type { Target } from '../engine/api/target.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import { EngineError } from '../util/errors.ts'
import { fairTurn } from '../util/fair-turn.ts'
import { writeJson } from '../util/json/json-writer.ts'
import { underSignal } from './abort-error.ts'
import { checkOptions, checkText, type OptionKeys } from './arguments.ts'
import type { Backend } from './backend.ts'
import {
  BulkLoad,
  type BulkOperation,
  type BulkOptions,
  type BulkProgress,
  loadBulk,
} from './bulk-load.ts'
import type { Clause } from './clause.ts'
import { embedDocument, embeddedOperations } from './embedded-documents.ts'
import { embedQuery } from './embedded-query.ts'
import type { Embedder } from './embedding.ts'
import { type JsonInput, jsonBytes, jsonTree } from './json-body.ts'
import { rethrown } from './lamella-error.ts'
import { Reindex, type ReindexOptions, reindexRecords } from './reindex.ts'
import { SCAN_OPTIONS, type ScannedHit, type ScanOptions, scanBatches } from './scan.ts'
import { type SearchRequest, searchBody } from './search-body.ts'
import {
  COUNT_OPTIONS,
  type CountOptions,
  engineOptions,
  SEARCH_OPTIONS,
  type SearchOptions,
  searchCallOptions,
} from './search-options.ts'
import { type SearchResult, searchResult } from './search-result.ts'
import type { SuggestionRequests } from './suggest-body.ts'
import type { Suggestions } from './suggest-result.ts'
import { type VectorFields, withVectors } from './vector-sources.ts'

/** Options of a write. */
export interface WriteOptions {
  readonly routing?: string
  /** True makes the write searchable before the call resolves; `wait_for` awaits the next refresh. */
  readonly refresh?: boolean | 'wait_for'
  /** Writes only if the document is still at this sequence number; needs `ifPrimaryTerm`. */
  readonly ifSeqNo?: number | bigint
  readonly ifPrimaryTerm?: number | bigint
  /** A version of the caller's own, up to 2⁶³ − 1; needs an external `versionType`. */
  readonly version?: number | bigint
  readonly versionType?: VersionType
}

/** Further options of a put. */
export interface PutOptions extends WriteOptions {
  /** Refuses an id that is there already. */
  readonly create?: boolean
}

/** The outcome of a write. */
export interface Written {
  readonly id: string
  readonly result: WriteOutcome['result']
  /** A bigint from 2⁵³ on. */
  readonly version: number | bigint
  readonly seqNo: number
  readonly primaryTerm: number
}

/** Options of a get. */
export interface GetOptions {
  readonly routing?: string
  /** Default true: sees writes that no refresh has made searchable yet. */
  readonly realtime?: boolean
}

/** A document with its version. */
export interface Document<T> {
  readonly id: string
  /** A bigint from 2⁵³ on. */
  readonly version: number | bigint
  readonly seqNo: number
  readonly primaryTerm: number
  readonly routing: string | null
  readonly source: T
}

const WRITE_OPTIONS: OptionKeys<WriteOptions> = {
  routing: true,
  refresh: true,
  ifSeqNo: true,
  ifPrimaryTerm: true,
  version: true,
  versionType: true,
}
const PUT_OPTIONS: OptionKeys<PutOptions> = { ...WRITE_OPTIONS, create: true }
const GET_OPTIONS: OptionKeys<GetOptions> = { routing: true, realtime: true }

/**
 * One index of a database. Methods may be called at the same time; writes of one document take
 * effect in the order of their calls. Every method rejects with a `LamellaError` for what the caller
 * did wrong: an argument of the wrong type and an unknown option are of type
 * `illegal_argument_exception`.
 */
export class Index<T extends object = Record<string, unknown>> implements AsyncDisposable {
  /** The name of the index. */
  readonly name: string
  readonly #backend: Backend
  readonly #target: Target
  readonly #vectors: VectorFields
  readonly #embedders: readonly Embedder[]
  /** Settles when the last write that was called has begun, where writes may wait for a model. */
  #begun: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /**
   * Made by `Database.index`.
   * @param vectors   fields whose values in sources become typed arrays
   * @param embedders models that make vectors of texts
   */
  constructor(
    backend: Backend,
    name: string,
    vectors: VectorFields = [],
    embedders: readonly Embedder[] = [],
  ) {
    this.#backend = backend
    this.name = name
    this.#vectors = vectors
    this.#embedders = embedders
    this.#target = {
      names: [name],
      ignoreUnavailable: false,
      allowNoIndices: false,
      expandOpen: false,
      expandClosed: false,
      expandHidden: false,
      allowAliases: true,
      allowDataStreams: true,
    }
  }

  /**
   * Writes a document, replacing the one with that id.
   * @param id null: the engine makes one of 20 url-safe characters
   * @param source an object, or its JSON bytes, which are stored as they stand
   */
  put(id: string | null, source: T | Uint8Array, options: PutOptions = {}): Promise<Written> {
    return this.#run(async () => {
      if (id !== null) checkText('id', id, ', or null for one that the engine makes')
      checkOptions('option of put', options, PUT_OPTIONS)
      const call = {
        ...this.#writeOptions(options),
        id,
        opType: options.create === true ? ('create' as const) : ('index' as const),
      }
      const outcome = await this.#inOrder(
        () => embedDocument(source, this.#embedders),
        made => this.#backend.put({ ...call, source: jsonBytes(made ?? source, 'a document') }),
      )
      return written(outcome)
    })
  }

  /** The document with an id, or null. */
  get(id: string, options: GetOptions = {}): Promise<Document<T> | null> {
    return this.#run(async () => {
      checkText('id', id)
      checkOptions('option of get', options, GET_OPTIONS)
      checkRouting(options)
      const found = await this.#backend.get({
        index: this.name,
        id,
        routing: options.routing ?? null,
        realtime: options.realtime ?? true,
        refresh: false,
        version: null,
        versionType: 'internal',
        source: { enabled: true, includes: [], excludes: [] },
        storedFields: null,
      })
      const { version, seqNo, primaryTerm, routing, source } = found
      if (!found.found || source === null) return null
      return {
        id: found.id,
        version: version ?? 0,
        seqNo: seqNo ?? 0,
        primaryTerm: primaryTerm ?? 0,
        routing,
        source: withVectors(JSON.parse(decodeUtf8(source)) as T, this.#vectors),
      }
    })
  }

  /** Deletes a document; its `result` is `not_found` when there is none. */
  delete(id: string, options: WriteOptions = {}): Promise<Written> {
    return this.#run(async () => {
      checkText('id', id)
      checkOptions('option of delete', options, WRITE_OPTIONS)
      const call = { ...this.#writeOptions(options), id }
      return written(await this.#inOrder(nothing, () => this.#backend.delete(call)))
    })
  }

  /**
   * Writes many documents while it is iterated: one progress record per answered request, the last
   * one marked. Awaited instead, it runs to its end and gives the last record. A document that is
   * refused is counted and reported; the others go on.
   */
  bulk(
    source: AsyncIterable<BulkOperation<T>> | Iterable<BulkOperation<T>>,
    options: BulkOptions = {},
  ): BulkLoad {
    return new BulkLoad(this.#bulk(source, options))
  }

  async *#bulk(
    source: AsyncIterable<BulkOperation<T>> | Iterable<BulkOperation<T>>,
    options: BulkOptions,
  ): AsyncGenerator<BulkProgress, void, undefined> {
    const isEmbedded = this.#embedders.length > 0
    const operations = isEmbedded ? embeddedOperations(source, this.#embedders) : source
    const records = loadBulk(this.name, operations, options, call =>
      this.#run(() => this.#backend.bulk(call)),
    )
    for await (const progress of records) {
      if (progress.isLast && options.refresh === true) await this.refresh()
      yield progress
    }
  }

  /**
   * Searches the index as it was at its last refresh. Answers to `aggs` have the types that the request
   * tells: `result.aggs.years.buckets[0].key` is a number below a histogram.
   */
  search<const R extends SearchRequest = SearchRequest>(
    request: R = {} as R,
    options: SearchOptions = {},
  ): Promise<SearchResult<T, R['aggs']>> {
    return this.#runUnder(options, SEARCH_OPTIONS, async () => {
      const body = searchBody(request)
      // A search that needs no model begins in the turn of its call.
      const made = this.#embedders.length === 0 ? body : await embedQuery(body, this.#embedders)
      const bytes = await this.#search(made, options)
      return searchResult<T, R['aggs']>(decodeUtf8(bytes), this.#vectors)
    })
  }

  /**
   * Copies documents into another index, made when it is missing: of this index, or with `remote` of the index
   * of this name on another server.
   * @param target name of the other index
   */
  reindexTo(target: string, options: ReindexOptions = {}): Reindex {
    return new Reindex(reindexRecords(this.#backend, this.name, target, options))
  }

  /**
   * Completes inputs, finds terms similar to words and corrects phrases.
   * @param requests by names that the answer has too
   */
  async suggest(requests: SuggestionRequests, options: CountOptions = {}): Promise<Suggestions<T>> {
    const { suggest } = await this.search({ suggest: requests }, options)
    return suggest ?? {}
  }

  /**
   * Searches with a body in the API's own form (an object, or its JSON bytes) and gives the
   * response's exact bytes.
   */
  searchRaw(body: JsonInput = {}, options: SearchOptions = {}): Promise<Uint8Array> {
    return this.#runUnder(options, SEARCH_OPTIONS, () => this.#search(body, options))
  }

  /**
   * Every document that matches, in no order that means anything: all of them without a query. They are
   * those of the last refresh before the first step, whatever is written meanwhile.
   */
  async *scan(
    query?: Clause,
    options: ScanOptions = {},
  ): AsyncGenerator<ScannedHit<T>, void, undefined> {
    const asked = query === undefined ? undefined : await this.#run(() => this.#embedded(query))
    const batches = scanBatches<T>(
      this.#backend,
      this.#target,
      asked,
      options,
      step => this.#runUnder(options, SCAN_OPTIONS, step),
      this.#vectors,
    )
    for await (const batch of batches) for (const hit of batch) yield hit
  }

  /** How many documents match; without a query, all. */
  count(query?: Clause, options: CountOptions = {}): Promise<number> {
    return this.#runUnder(options, COUNT_OPTIONS, async () => {
      const made = query === undefined ? null : await this.#embedded({ query })
      const body = made === null ? null : jsonTree(made, 'a query')
      const call = { target: this.#target, body, options: engineOptions(options) }
      const outcome = await this.#backend.count(call, options.signal)
      return outcome.count
    })
  }

  /** Makes everything written before searchable. */
  refresh(): Promise<void> {
    return this.#run(() => this.#backend.refresh(this.#target))
  }

  /** Commits everything written before: it survives the process from here on. */
  flush(): Promise<void> {
    return this.#run(() => this.#backend.flush(this.#target))
  }

  /** Commits, then refuses further calls through this handle; the index itself stays. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.flush()
    this.#isClosed = true
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #search(body: JsonInput, options: SearchOptions): Promise<Uint8Array> {
    const asked = searchCallOptions(options)
    const call = { target: this.#target, body: jsonTree(body, 'a search'), human: false, ...asked }
    const outcome = await this.#backend.search(call, options.signal)
    return writeJson(outcome.body)
  }

  /** A body whose texts in `knn` have become vectors. */
  async #embedded<B extends object>(body: B): Promise<B> {
    return this.#embedders.length === 0 ? body : embedQuery(body, this.#embedders)
  }

  /**
   * Begins a write when what it needs is made and the writes called before it have begun.
   * @param prepare left out where nothing waits for a model
   */
  async #inOrder<P, R>(
    prepare: () => Promise<P>,
    write: (made: P | undefined) => Promise<R>,
  ): Promise<R> {
    if (this.#embedders.length === 0) return write(undefined)
    const before = this.#begun
    const begin = async (): Promise<{ readonly outcome: Promise<R> }> => {
      const [made] = await Promise.all([prepare(), before])
      // In a record: a promise would be awaited.
      return { outcome: write(made) }
    }
    const begun = begin()
    this.#begun = begun.catch(() => {})
    const { outcome } = await begun
    return outcome
  }

  #writeOptions(options: WriteOptions): EngineWriteOptions {
    const { refresh = false } = options
    checkRouting(options)
    return {
      index: this.name,
      routing: options.routing ?? null,
      refresh: refresh === true ? 'true' : refresh === false ? 'false' : refresh,
      ifSeqNo: options.ifSeqNo ?? null,
      ifPrimaryTerm: options.ifPrimaryTerm ?? null,
      version: options.version ?? null,
      versionType: options.versionType ?? 'internal',
      requireAlias: false,
      waitForActiveShards: null,
      timeoutInMillis: 60_000,
    }
  }

  /** Runs what a signal may cancel. */
  #runUnder<Options extends { readonly signal?: AbortSignal }, R>(
    options: Options,
    known: OptionKeys<Options>,
    step: () => Promise<R>,
  ): Promise<R> {
    const run = (): Promise<R> =>
      this.#run(() => {
        checkOptions('option of a search', options, known)
        return step()
      })
    const signal = options?.signal
    return signal === undefined ? run() : underSignal(signal, run)
  }

  #run<R>(step: () => Promise<R>): Promise<R> {
    return rethrown(async () => {
      if (this.#isClosed)
        throw new EngineError({
          type: 'illegal_state_exception',
          reason: `this handle of index [${this.name}] is closed: take a new one from the database`,
        })
      const result = await step()
      // Afterwards, so that writes begin in the order of their calls.
      await fairTurn()
      return result
    })
  }
}

async function nothing(): Promise<void> {}

function checkRouting({ routing }: { readonly routing?: string }): void {
  if (routing !== undefined) checkText('routing', routing)
}

function written({ id, result, version, seqNo, primaryTerm }: WriteOutcome): Written {
  return { id, result, version, seqNo, primaryTerm }
}
