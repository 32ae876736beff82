/** One index `i` behind the API, for tests of what its fields keep and find. */
import { expect } from 'vitest'
import { ndjson, openRest, type Rest } from './rest-calls.ts'

/** An index of a test's own. */
export interface FieldIndex {
  readonly rest: Rest
  /** Adds documents under the ids `0`, `1`, …, counted on from call to call; each must succeed. */
  add(...sources: readonly object[]): Promise<void>
  /** Ids of the documents that a query finds, ascending; the kernels and the iterators agree on them. */
  find(query: object): Promise<string[]>
  /** Innermost reason of the error that a search is answered with, and its status. */
  refusal(body: object): Promise<[status: number, reason: string]>
  /** Innermost reason of the error that a document is refused with, and its type. */
  refused(source: object | string): Promise<[type: string, reason: string]>
  /** Merges all segments into one. */
  merge(): Promise<void>
  /** Closes the engine and opens it over the same folder, which there must be. */
  restart(): Promise<void>
  close(): Promise<void>
}

/**
 * Creates the index.
 * @param folder of the engine, deleted by the test's file; null keeps everything in memory
 */
export async function fieldIndex(
  properties: object,
  folder: string | null = null,
  settings: object = {},
): Promise<FieldIndex> {
  let rest = await openRest({}, folder)
  const made = await rest.call('PUT /i', { settings, mappings: { properties } })
  expect([made.status, made.json.error]).toEqual([200, undefined])
  let next = 0
  return {
    get rest() {
      return rest
    },
    async add(...sources) {
      const lines = sources.flatMap(source => [{ index: { _id: `${next++}` } }, source])
      const { json } = await rest.call('POST /i/_bulk?refresh', ndjson(...lines))
      expect(
        json.items.flatMap((item: { index: { error?: unknown } }) => item.index.error ?? []),
      ).toEqual([])
    },
    async find(query) {
      const { json } = await rest.call('POST /i/_search?size=10000', { query })
      expect(json.error).toBeUndefined()
      const ids = json.hits.hits.map((hit: { _id: string }) => hit._id) as string[]
      expect(json.hits.total.value).toBe(ids.length)
      const profiled = await rest.call('POST /i/_search?size=10000', { query, profile: true })
      expect(profiled.json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(ids)
      const counted = await rest.call('POST /i/_count', { query })
      expect(counted.json.count).toBe(ids.length)
      return ids.sort((a, b) => Number(a) - Number(b))
    },
    async refusal(body) {
      const { status, json } = await rest.call('POST /i/_search', body)
      const error = json.error.root_cause?.[0] ?? json.error
      const failed = json.error.failed_shards?.[0]?.reason
      return [status, innermost(failed ?? error).reason]
    },
    async refused(source) {
      const { json } = await rest.call('PUT /i/_doc/refused', source)
      const { type, reason } = innermost(json.error)
      return [type, reason]
    },
    async merge() {
      const { json } = await rest.call('POST /i/_forcemerge?max_num_segments=1')
      expect(json._shards.failed).toBe(0)
      await rest.call('POST /i/_refresh')
    },
    async restart() {
      await rest.close()
      rest = await openRest({}, folder)
    },
    close: () => rest.close(),
  }
}

interface PrintedError {
  readonly type: string
  readonly reason: string
  readonly caused_by?: PrintedError
}

function innermost(error: PrintedError): PrintedError {
  return error.caused_by === undefined ? error : innermost(error.caused_by)
}
