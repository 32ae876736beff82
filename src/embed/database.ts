import type { NodeIdentity } from '../engine/api/cluster.ts'
import type { LogLine } from '../engine/api/log-line.ts'
import type { KernelCounts } from '../engine/api/stats.ts'
import type { Target } from '../engine/api/target.ts'
import { decodeUtf8, encodeUtf8 } from '../util/bytes.ts'
import { EngineError } from '../util/errors.ts'
import { underSignal } from './abort-error.ts'
import { type AliasChange, type AliasOptions, aliasAction, aliasesOf } from './alias-changes.ts'
import { checkOptions, checkText, type OptionKeys } from './arguments.ts'
import type { Backend } from './backend.ts'
import { type Embeddings, embeddersOf } from './embedding.ts'
import { Index } from './index-handle.ts'
import { type JsonInput, jsonBytes, jsonTree } from './json-body.ts'
import { rethrown } from './lamella-error.ts'
import { Reindex, type ReindexOptions, reindexRecords } from './reindex.ts'
import type { RunningServer, ServeOptions } from './running-server.ts'
import { type SettingInputs, settingChanges } from './setting-values.ts'
import { Snapshots } from './snapshots.ts'
import { Tasks } from './tasks.ts'
import { type Mapping, TypedMapping } from './typed-mapping.ts'

/** Settings and mappings for creating an index; an index that is there already keeps its settings. */
export interface IndexOptions {
  /** With or without `index.` before each key. */
  readonly settings?: SettingInputs
  /** Models that make vectors of texts, by the fields that the vectors are for; they hold for the handle. */
  readonly embed?: Embeddings
}

/** How settings are changed. */
export interface SettingsOptions {
  /** Default false: until the database is closed. */
  readonly persistent?: boolean
}

/** A request of the HTTP API, without a socket. */
export interface ApiRequest {
  readonly method: string
  /** As in a URL, escaped; may carry a query string. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, text and bytes as they stand; their default type is JSON too. */
  readonly body?: object | string | Uint8Array
  /** Cancels a search, a count or a wait, never a write; the call then rejects with an `AbortError`. */
  readonly signal?: AbortSignal
}

const INDEX_OPTIONS: OptionKeys<IndexOptions> = { settings: true, embed: true }
const SETTINGS_OPTIONS: OptionKeys<SettingsOptions> = { persistent: true }
const API_REQUEST: OptionKeys<ApiRequest> = {
  method: true,
  path: true,
  query: true,
  headers: true,
  body: true,
  signal: true,
}

/** Its answer: the bytes that a socket would carry. */
export interface ApiResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body as JSON. */
  json(): unknown
}

/** How a database tells what its caller cannot see. */
export interface DatabaseOptions {
  /**
   * Told of defects of ours behind a 500, which the response only names. Default: a warning of the
   * process, with the stack as its detail and the code `LAMELLA_DEFECT`.
   */
  readonly onDefect?: (error: unknown) => void
  /**
   * Takes the lines of the log, among them those of the slow logs that indices keep
   * (`index.search.slowlog.threshold.query.warn` and the like). Default: there is no log.
   */
  readonly onLog?: (line: LogLine) => void
}

/**
 * An open database: indices of documents, in a folder or in memory. One process holds a folder at a
 * time. Close it when done (`await using` does): what was written since the last commit is then
 * committed. Every method rejects with a `LamellaError` for what the caller did wrong: an argument of
 * the wrong type and an unknown option are of type `illegal_argument_exception`.
 */
export class Database implements AsyncDisposable {
  readonly #backend: Backend
  readonly #servers = new Set<RunningServer>()
  /** Tasks that run, and the results of those that nobody waited for. */
  readonly tasks: Tasks
  /** Copies of indices in folders: taken, listed, restored, deleted. */
  readonly snapshots: Snapshots

  /** Made by `open`. */
  constructor(backend: Backend) {
    this.#backend = backend
    this.tasks = new Tasks(backend)
    this.snapshots = new Snapshots(backend)
  }

  /**
   * Copies documents of an index into another one, made when it is missing.
   * @param source name of the index, here or with `remote` on another server
   */
  reindex(source: string, target: string, options: ReindexOptions = {}): Reindex {
    return new Reindex(reindexRecords(this.#backend, source, target, options))
  }

  /** Names and ids of the node, as the API shows them. */
  get identity(): NodeIdentity {
    return this.#backend.identity
  }

  /**
   * How many slices were searched since the database was opened, by what ran them: `kernels` for the
   * shapes of query that run whole in SIMD, otherwise the reason why the slower iterators ran them,
   * such as `profile`, `sort` or `nested_bool`.
   */
  get executorCounts(): Readonly<Record<string, number>> {
    return this.#backend.executorCounts()
  }

  /** Counts of the kernels since the database was opened, over all searches that they ran. */
  get kernelCounts(): KernelCounts {
    return this.#backend.kernelCounts()
  }

  /**
   * An index by name, created when there is none. A mapping is merged into that of an index that is
   * there already; one that contradicts it is refused. A mapping that `t.index` made gives the handle the
   * type of its documents, whose vectors are typed arrays then.
   */
  index<T extends object>(
    name: string,
    mapping: TypedMapping<T>,
    options?: IndexOptions,
  ): Promise<Index<T>>
  index<T extends object = Record<string, unknown>>(
    name: string,
    mapping?: Mapping,
    options?: IndexOptions,
  ): Promise<Index<T>>
  index<T extends object>(
    name: string,
    given?: Mapping | TypedMapping<T>,
    options: IndexOptions = {},
  ): Promise<Index<T>> {
    return rethrown(async () => {
      checkText('name', name)
      checkOptions('option of an index', options, INDEX_OPTIONS)
      const embedders = embeddersOf(options.embed ?? {})
      const isTyped = given instanceof TypedMapping
      const mapping = isTyped ? given.mapping : given
      const vectors = isTyped ? given.vectors : []
      const mappings = mapping === undefined ? null : jsonTree(mapping, 'a mapping')
      const usual = vectors.length > 0 ? { 'index.knn': true } : {}
      const settings = settingChanges({ ...usual, ...options.settings }, 'index.')
      try {
        await this.#backend.createIndex({
          name,
          settings,
          mappings,
          aliases: null,
          waitForActiveShards: null,
        })
      } catch (error) {
        const isThere =
          error instanceof EngineError && error.type === 'resource_already_exists_exception'
        if (!isThere) throw error
        if (mappings !== null) await this.#backend.putMapping(targetOf([name]), mappings)
      }
      return new Index<T>(this.#backend, name, vectors, embedders)
    })
  }

  /** A handle of an index that is there; rejects when there is none. */
  existing<T extends object = Record<string, unknown>>(name: string): Promise<Index<T>> {
    return rethrown(async () => {
      checkText('name', name)
      await this.#backend.indexNames(targetOf([name]))
      return new Index<T>(this.#backend, name)
    })
  }

  /** Names of all indices, sorted. */
  indices(): Promise<readonly string[]> {
    return rethrown(async () => {
      return await this.#backend.indexNames(everyIndex())
    })
  }

  /** Deletes an index with all its documents. */
  deleteIndex(name: string): Promise<void> {
    return rethrown(async () => {
      checkText('name', name)
      await this.#backend.deleteIndices(targetOf([name]))
    })
  }

  /**
   * Gives indices aliases, takes them away and deletes indices: all changes or, if one of them is refused,
   * none. `index` reaches an alias as it does an index.
   */
  changeAliases(changes: readonly AliasChange[]): Promise<void> {
    return rethrown(() => this.#backend.updateAliases(changes.map(aliasAction)))
  }

  /** The aliases of all indices that have some, by index and name. */
  aliases(): Promise<Readonly<Record<string, Readonly<Record<string, AliasOptions>>>>> {
    return rethrown(async () => {
      const shown = await this.#backend.showAliases(everyIndex())
      const named = shown.filter(({ aliases }) => aliases.size > 0)
      return Object.fromEntries(named.map(each => [each.index, aliasesOf(each)]))
    })
  }

  /** Changes dynamic cluster settings; unless `persistent`, until the database is closed. */
  changeSettings(changes: SettingInputs, options: SettingsOptions = {}): Promise<void> {
    return rethrown(async () => {
      checkOptions('option of changeSettings', options, SETTINGS_OPTIONS)
      const { persistent = false } = options
      const given = settingChanges(changes, '')
      const none = new Map()
      await this.#backend.changeSettings(persistent ? given : none, persistent ? none : given)
    })
  }

  /**
   * Answers a request of the HTTP API with the bytes that a socket would carry.
   * @throws {AbortError} its signal aborted, with the signal's reason as the cause
   */
  request(request: ApiRequest): Promise<ApiResponse> {
    return rethrown(() => {
      checkOptions('key of a request', request, API_REQUEST)
      checkText('method', request.method)
      checkText('path', request.path)
      return underSignal(request.signal, () => this.#request(request))
    })
  }

  async #request(request: ApiRequest): Promise<ApiResponse> {
    const { body: given, headers = {} } = request
    const body = bodyBytes(given)
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const {
      status,
      headers: answered,
      body: bytes,
    } = await this.#backend.request({
      method: request.method.toUpperCase(),
      path: request.path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(names),
      },
      ...(request.query === undefined ? {} : { query: request.query }),
      ...(body === undefined ? {} : { body }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    })
    const json = (): unknown => JSON.parse(decodeUtf8(bytes))
    return { status, headers: answered, body: bytes, json }
  }

  /**
   * Serves this database over HTTP until the server or the database is closed. Without options on
   * the node's `http.host` and `http.port`, 127.0.0.1:9200 by default.
   */
  serve(options: ServeOptions = {}): Promise<RunningServer> {
    return rethrown(async () => {
      const server = await this.#backend.serve(options, () => {
        this.#servers.delete(server)
      })
      this.#servers.add(server)
      return server
    })
  }

  /** Ends its servers, finishes what runs, commits and frees the folder. Idempotent. */
  close(): Promise<void> {
    return rethrown(async () => {
      await Promise.all([...this.#servers].map(server => server.close()))
      await this.#backend.close()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function bodyBytes(body: JsonInput | string | undefined): Uint8Array | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? encodeUtf8(body) : jsonBytes(body, 'a body')
}

/** All open indices. */
function everyIndex(): Target {
  return { ...targetOf([]), allowNoIndices: true, expandOpen: true, expandHidden: true }
}

/** Indices by their very names. */
function targetOf(names: readonly string[]): Target {
  return {
    names,
    ignoreUnavailable: false,
    allowNoIndices: false,
    expandOpen: false,
    expandClosed: false,
    expandHidden: false,
    allowAliases: true,
    allowDataStreams: true,
  }
}
