import { okOf, type Rest } from './rest-calls.ts'

/** Fragments of a hit by field. */
export type Highlight = Readonly<Record<string, readonly string[]>>

/** Calls of tests of highlighting. */
export interface HighlightCalls {
  /** Makes the index `i` anew. */
  fill(mappings: object, documents: readonly object[], settings?: object): Promise<void>
  /** The highlights of the hits of a search, by id. */
  highlights(
    query: object,
    highlight: object,
    body?: object,
  ): Promise<Readonly<Record<string, Highlight | undefined>>>
  /** Status, type and reason of a search that its shards refuse. */
  shardFailure(body: object): Promise<unknown[]>
  /** That of the first document. */
  first(query: object, highlight: object): Promise<Highlight | undefined>
}

/** The calls over an API. */
export function highlightCalls(rest: () => Rest): HighlightCalls {
  const ok = okOf(rest)
  const highlights: HighlightCalls['highlights'] = async (query, highlight, body = {}) => {
    const { hits } = await ok('POST /i/_search', { size: 100, query, highlight, ...body })
    return Object.fromEntries(
      hits.hits.map((hit: { _id: string; highlight?: Highlight }) => [hit._id, hit.highlight]),
    )
  }
  return {
    async fill(mappings, documents, settings = {}) {
      await rest().call('DELETE /i')
      await ok('PUT /i', { settings: { refresh_interval: '-1', ...settings }, mappings })
      for (const [id, document] of documents.entries()) await ok(`PUT /i/_doc/${id}`, document)
      await ok('POST /i/_refresh')
    },
    highlights,
    async shardFailure(body) {
      const { status, json } = await rest().call('POST /i/_search', body)
      const [cause] = json.error.root_cause
      return [status, cause.type, cause.reason]
    },
    async first(query, highlight) {
      return (await highlights(query, highlight))['0']
    },
  }
}
