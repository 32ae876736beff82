/** Copies what a query finds into another index, with its progress. */
import { IllegalArgumentError } from '../util/errors.ts'
import { checkOptions, checkText, type OptionKeys } from './arguments.ts'
import type { Backend } from './backend.ts'
import type { Clause } from './clause.ts'
import { LamellaError, lamellaError } from './lamella-error.ts'
import type { SourceSelection } from './search-body.ts'
import { readError } from './task-record.ts'
import { Tasks } from './tasks.ts'

/** Another server that documents are read from; `reindex.remote.allowlist` has to list it. */
export interface RemoteSource {
  /** `http://host:9200` or `https://host:9200`, with a path before the API's own if there is one. */
  readonly host: string
  readonly username?: string
  readonly password?: string
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** How a reindex runs. */
export interface ReindexOptions {
  /** Default: every document. */
  readonly query?: Clause
  /** The part of each document that is copied; default all. */
  readonly source?: SourceSelection
  /** Where the index is that documents are read from; default: in this database. */
  readonly remote?: RemoteSource
  /** Painless over `ctx._source`, `ctx.op`, …: a text, or an object with `source` and `params`. */
  readonly script?: string | { readonly source: string; readonly params?: object }
  /** An ingest pipeline that each document passes. */
  readonly pipeline?: string
  /** Leaves documents alone whose ids are there already: they are conflicts. */
  readonly create?: boolean
  /** Counts conflicts and goes on; default: the first ends the reindex. */
  readonly proceed?: boolean
  /** Parts that run at the same time; `auto` is one for each shard, max 20. Default 1. */
  readonly slices?: number | 'auto'
  /** Documents of a page; default 1000. */
  readonly batchSize?: number
  /** Ends behind so many documents. */
  readonly maxDocs?: number
  /** Documents a second; default: as many as there are. */
  readonly requestsPerSecond?: number
  /** Makes everything searchable at the end; default false. */
  readonly refresh?: boolean
  /** Cancels: what is written by then stays, and the reindex rejects with an `AbortError`. */
  readonly signal?: AbortSignal
}

/** How far a reindex is. */
export interface ReindexProgress {
  /** Documents that are to be copied; 0 until that is known. */
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  /** Documents that the script left out. */
  readonly noops: number
  readonly versionConflicts: number
  readonly batches: number
  /** Writes and searches that failed; in the last record. */
  readonly failures: readonly unknown[]
  /** True once, in the last record. */
  readonly isLast: boolean
}

const OPTIONS: OptionKeys<ReindexOptions> = {
  query: true,
  source: true,
  remote: true,
  script: true,
  pipeline: true,
  create: true,
  proceed: true,
  slices: true,
  batchSize: true,
  maxDocs: true,
  requestsPerSecond: true,
  refresh: true,
  signal: true,
}

/** From one record to the next. */
const EVERY_IN_MILLIS = 200

/**
 * A reindex that has not begun: iterating it runs it and gives records of how far it is, awaiting it runs it
 * to its end.
 */
export class Reindex implements AsyncIterable<ReindexProgress>, PromiseLike<ReindexProgress> {
  readonly #records: AsyncGenerator<ReindexProgress, void, undefined>
  #end: Promise<ReindexProgress> | null = null

  /** Made by `Index.reindexTo`. */
  constructor(records: AsyncGenerator<ReindexProgress, void, undefined>) {
    this.#records = records
  }

  [Symbol.asyncIterator](): AsyncGenerator<ReindexProgress, void, undefined> {
    return this.#records
  }

  /** Runs it to its end; resolves with the last record. */
  // biome-ignore lint/suspicious/noThenProperty: a reindex that is awaited must run
  then<A = ReindexProgress, B = never>(
    onEnd?: ((last: ReindexProgress) => A | PromiseLike<A>) | null,
    onFailure?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#end ??= this.#runToEnd()
    return this.#end.then(onEnd, onFailure)
  }

  async #runToEnd(): Promise<ReindexProgress> {
    let last: ReindexProgress | null = null
    for await (const record of this.#records) last = record
    if (last !== null) return last
    throw new LamellaError({
      type: 'illegal_state_exception',
      reason: 'the reindex has ended: its iteration was left or failed',
    })
  }
}

/**
 * Copies documents. A reindex that is left before its end is cancelled; documents that it wrote by then stay.
 * @throws {LamellaError} a mistake in the call, a source that there is none of, a script that fails
 * @throws {AbortError} its signal aborted
 */
export async function* reindexRecords(
  backend: Backend,
  from: string,
  to: string,
  options: ReindexOptions,
): AsyncGenerator<ReindexProgress, void, undefined> {
  const { query, body } = requestOf(from, to, options)
  const { signal } = options
  const tasks = new Tasks(backend)
  const id = await start(backend, query, body)
  let isOver = false
  try {
    const watched = { everyInMillis: EVERY_IN_MILLIS, ...(signal === undefined ? {} : { signal }) }
    for await (const { task, isCompleted, response, error } of tasks.watch(id, watched)) {
      isOver = isCompleted
      if (error !== null) throw error
      if (isCompleted) yield recordOf(response, true)
      else if (task.status !== null) yield recordOf(task.status, false)
    }
  } finally {
    // Ended meanwhile, it needs no cancellation.
    if (!isOver) await tasks.cancel(id).catch(() => {})
  }
}

async function start(
  backend: Backend,
  query: Readonly<Record<string, string>>,
  body: object,
): Promise<string> {
  const answer = await backend.request({
    method: 'POST',
    path: '/_reindex',
    query: { ...query, wait_for_completion: 'false' },
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  })
  const json = JSON.parse(Buffer.from(answer.body).toString()) as {
    readonly task: string
    readonly error?: unknown
  }
  if (answer.status >= 400) throw readError(json.error, answer.status)
  return json.task
}

function requestOf(
  from: string,
  to: string,
  options: ReindexOptions,
): { readonly query: Readonly<Record<string, string>>; readonly body: object } {
  try {
    checkText('target', to)
    if (to === '') throw new IllegalArgumentError('[target] must not be empty')
    checkOptions('option of a reindex', options, OPTIONS)
  } catch (error) {
    throw lamellaError(error)
  }
  const { slices, requestsPerSecond, refresh, maxDocs, create, proceed, pipeline } = options
  return {
    query: {
      ...(slices === undefined ? {} : { slices: String(slices) }),
      ...(requestsPerSecond === undefined
        ? {}
        : { requests_per_second: String(requestsPerSecond) }),
      ...(refresh === true ? { refresh: 'true' } : {}),
    },
    body: {
      source: {
        index: from,
        query: options.query,
        _source: options.source,
        remote: options.remote,
        size: options.batchSize,
      },
      dest: { index: to, op_type: create === true ? 'create' : undefined, pipeline },
      script: typeof options.script === 'string' ? { source: options.script } : options.script,
      max_docs: maxDocs,
      conflicts: proceed === true ? 'proceed' : undefined,
    },
  }
}

function recordOf(wire: unknown, isLast: boolean): ReindexProgress {
  const { total, created, updated, deleted, noops, version_conflicts, batches, failures } =
    wire as Readonly<Record<string, number>> & { readonly failures?: readonly unknown[] }
  return {
    total: total ?? 0,
    created: created ?? 0,
    updated: updated ?? 0,
    deleted: deleted ?? 0,
    noops: noops ?? 0,
    versionConflicts: version_conflicts ?? 0,
    batches: batches ?? 0,
    failures: failures ?? [],
    isLast,
  }
}
