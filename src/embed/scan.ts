/** Every match of a query, from the snapshots of one point in time. */
import type { Target } from '../engine/api/target.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { type JsonRecord, type JsonValue, RawJson } from '../util/json/json-value.ts'
import type { OptionKeys } from './arguments.ts'
import type { Backend } from './backend.ts'
import type { Clause } from './clause.ts'
import { jsonTree } from './json-body.ts'
import type { SourceSelection } from './search-body.ts'
import { engineOptions } from './search-options.ts'
import { type VectorFields, withVectors } from './vector-sources.ts'

/** How a scan runs. */
export interface ScanOptions {
  /** The part of each document that is read; default all, false reads none of it. */
  readonly source?: SourceSelection
  /** Hits that are fetched at a time, from 1 to 10,000; default 2,000. */
  readonly batchSize?: number
  /** One of `max` parts, which together are all matches: for several scans side by side. */
  readonly slice?: { readonly id: number; readonly max: number }
  /** As of a search: only the shards that documents of these routings are in. */
  readonly routing?: string | readonly string[]
  /** As of a search: `_shards:0,2` scans only shards of these numbers. */
  readonly preference?: string
  /** Ends the scan: its next step rejects with an `AbortError`. */
  readonly signal?: AbortSignal
}

/** A match of a scan. */
export interface ScannedHit<T> {
  readonly index: string
  readonly id: string
  readonly routing: string | null
  /** Null where none was asked for, or kept. */
  readonly source: T | null
}

/** The options, for checks of their names. */
export const SCAN_OPTIONS: OptionKeys<ScanOptions> = {
  source: true,
  batchSize: true,
  slice: true,
  routing: true,
  preference: true,
  signal: true,
}

/** Hits that live no longer than a young generation of V8: of 10,000, collections copy most, a fifth of a scan's time. */
const USUAL_BATCH = 2000
/** From one batch to the next: a consumer may take its time over one. */
const KEEP_ALIVE_IN_MILLIS = 10 * 60_000

/** Calls a step of a scan, as the handle of the index runs its own. */
type Run = <R>(step: () => Promise<R>) => Promise<R>

/**
 * The matches of a query, in the order of shards and documents, batch by batch. The point in time is
 * given back when the iteration ends, however it ends.
 */
export async function* scanBatches<T>(
  backend: Backend,
  target: Target,
  query: Clause | undefined,
  options: ScanOptions,
  run: Run,
  vectors: VectorFields,
): AsyncGenerator<readonly ScannedHit<T>[], void, undefined> {
  const { source = true, batchSize = USUAL_BATCH, slice, signal } = options
  const pit = await run(() => {
    if (!(Number.isSafeInteger(batchSize) && batchSize >= 1))
      throw new IllegalArgumentError(
        `[batchSize] must be a whole number from 1, found [${batchSize}]`,
      )
    const { routing, preference } = engineOptions(options)
    return backend.openPoint({
      target,
      keepAliveInMillis: KEEP_ALIVE_IN_MILLIS,
      allowsPartial: false,
      routing,
      preference,
    })
  })
  try {
    let after: JsonValue | undefined
    for (;;) {
      const body = {
        ...(query === undefined ? {} : { query }),
        pit: { id: pit },
        size: batchSize,
        sort: ['_shard_doc'],
        track_total_hits: false,
        _source: source,
        ...(after === undefined ? {} : { search_after: after }),
        ...(slice === undefined ? {} : { slice }),
      }
      const tree = jsonTree(body, 'a scan')
      const call = { target: EVERYTHING, body: tree, options: WHOLE, human: false }
      const { body: answer } = await run(() => backend.search(call, signal))
      const hits = (answer['hits'] as JsonRecord)['hits'] as readonly JsonRecord[]
      if (hits.length > 0) yield hits.map(hit => readHit<T>(hit, vectors))
      if (hits.length < batchSize) return
      after = hits.at(-1)!['sort']
    }
  } finally {
    await backend.closePoint(pit)
  }
}

/** A scan that lacks a shard would be taken for a whole one. */
const WHOLE = { allowPartialSearchResults: false } as const

/** The point in time names the indices. */
const EVERYTHING: Target = {
  names: [],
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  allowAliases: true,
  allowDataStreams: true,
}

function readHit<T>(hit: JsonRecord, vectors: VectorFields): ScannedHit<T> {
  const source = hit['_source']
  return {
    index: hit['_index'] as string,
    id: hit['_id'] as string,
    routing: (hit['_routing'] as string | undefined) ?? null,
    source:
      source === undefined || source === null ? null : withVectors(readSource<T>(source), vectors),
  }
}

/** Sources leave the engine as they were stored. */
function readSource<T>(source: JsonValue): T {
  if (source instanceof RawJson) return JSON.parse(decodeUtf8(source.bytes)) as T
  throw new EngineError({ type: 'illegal_state_exception', reason: 'a source is no JSON' })
}
