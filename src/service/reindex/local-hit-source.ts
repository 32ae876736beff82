import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { CallContext } from '../../task/call-context.ts'
import { type ErrorType, statusOf } from '../../util/errors.ts'
import type { JsonEntry, JsonObjectNode } from '../../util/json/json-tree.ts'
import { type JsonRecord, RawJson } from '../../util/json/json-value.ts'
import type { Long } from '../../util/long.ts'
import type { ByScrollCall } from './by-scroll-call.ts'
import type { FoundHit, HitPage, HitSource, SearchFailure } from './hit-source.ts'

/** A part of all matches. */
export interface Slice {
  readonly id: number
  readonly max: number
}

/** Matches of a search on this node, as a scroll gives them. */
export class LocalHitSource implements HitSource {
  readonly #engine: EngineApi
  readonly #call: ByScrollCall
  readonly #slice: Slice | null
  readonly #readsSource: boolean
  readonly #context: CallContext
  #scrollId: string | null = null

  /** @param slice null: all matches */
  constructor(
    engine: EngineApi,
    call: ByScrollCall,
    slice: Slice | null,
    readsSource: boolean,
    context: CallContext,
  ) {
    this.#engine = engine
    this.#call = call
    this.#slice = slice
    this.#readsSource = readsSource
    this.#context = context
  }

  async first(): Promise<HitPage> {
    const { source, batchSize, scrollInMillis } = this.#call
    const { options } = source
    const { body } = await this.#engine.searches.search(
      {
        target: source.target,
        body: withSlice(source.body, this.#slice),
        options: {
          ...options,
          ...(hasSort(source.body) || options.sort !== undefined ? {} : IN_INDEX_ORDER),
          ...(this.#readsSource ? {} : { source: NO_SOURCE }),
          size: batchSize,
          scrollInMillis,
          version: true,
          seqNoPrimaryTerm: true,
          trackTotalHits: true,
        },
        human: false,
      },
      this.#context.child('indices:data/read/search'),
    )
    this.#scrollId = body['_scroll_id'] as string
    return pageOf(body)
  }

  async next(waitInMillis: number): Promise<HitPage> {
    const call = {
      scrollId: this.#scrollId,
      keepAliveInMillis: this.#call.scrollInMillis + waitInMillis,
      totalAsInt: false,
    }
    const context = this.#context.child('indices:data/read/scroll')
    return pageOf((await this.#engine.contexts.nextPage(call, context)).body)
  }

  async close(): Promise<void> {
    const id = this.#scrollId
    if (id === null) return
    this.#scrollId = null
    const context = this.#context.child('indices:data/read/scroll/clear')
    await this.#engine.contexts.clearScrolls({ ids: [id] }, context)
  }
}

/** The order in which pages are read without skipping anything. */
const IN_INDEX_ORDER = { sort: [{ field: '_doc', order: null }] } as const
const NO_SOURCE = { enabled: false, includes: [], excludes: [] } as const

function hasSort({ entries }: JsonObjectNode): boolean {
  return entries.some(({ key }) => key === 'sort')
}

function withSlice(body: JsonObjectNode, slice: Slice | null): JsonObjectNode {
  if (slice === null) return body
  const at = { line: body.line, col: body.col }
  const number = (key: string, value: number): JsonEntry => ({
    ...at,
    key,
    value: { ...at, kind: 'number', text: String(value), value },
  })
  const entries = [number('id', slice.id), number('max', slice.max)]
  const entry: JsonEntry = { ...at, key: 'slice', value: { ...at, kind: 'object', entries } }
  return { ...body, entries: [...body.entries, entry] }
}

/** The answer of a search in wire form, as far as it is read here. */
interface WireAnswer {
  readonly timed_out: boolean
  readonly _shards: { readonly failures?: readonly WireFailure[] }
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly WireHit[] }
}

interface WireFailure {
  readonly shard: number
  readonly index: string
  readonly node: string
  readonly reason: JsonRecord
}

interface WireHit {
  readonly _index: string
  readonly _id: string
  readonly _routing?: string
  readonly _version: Long
  readonly _seq_no: Long
  readonly _primary_term: Long
  readonly _source?: RawJson
}

function pageOf(body: JsonRecord): HitPage {
  const { timed_out, _shards, hits } = body as unknown as WireAnswer
  return {
    total: hits.total.value,
    isTimedOut: timed_out,
    failures: (_shards.failures ?? []).map(failureOf),
    hits: hits.hits.map(hitOf),
  }
}

function failureOf({ shard, index, node, reason }: WireFailure): SearchFailure {
  const type = reason['type'] as ErrorType
  return { shard, index, node, reason, status: statusOf({ type, reason: '' }) }
}

function hitOf(hit: WireHit): FoundHit {
  const { _source } = hit
  return {
    index: hit._index,
    id: hit._id,
    routing: hit._routing ?? null,
    version: hit._version,
    seqNo: hit._seq_no,
    primaryTerm: hit._primary_term,
    source: _source instanceof RawJson ? _source.bytes : null,
  }
}
