/** One index through a field's life: two segments, one merged segment, and both read again from disk. */
import { expect } from 'vitest'
import { openRest, type Rest } from './rest-calls.ts'
import { tempFolder } from './temp-folder.ts'

/** Asks the index `i`. */
export interface FieldIndex {
  readonly rest: Rest
  /** IDs of the documents that a query finds, in order of the ID. */
  ids(query: object): Promise<string[]>
  /** IDs in the order of a sort. */
  sorted(sort: unknown): Promise<string[]>
}

/** A definition of properties, documents as JSON text or objects, and other settings of the index. */
export interface FieldExample {
  readonly properties: object
  readonly documents: Readonly<Record<string, string | object>>
  readonly settings?: object
}

/**
 * Indexes documents into two segments and holds a check against the index as it is, merged, and after
 * a restart; the mapping prints alike each time.
 */
export async function throughLife(
  { properties, documents, settings = {} }: FieldExample,
  check: (index: FieldIndex) => Promise<void>,
): Promise<void> {
  const folder = tempFolder('field')
  let rest = await openRest({}, folder)
  try {
    const created = await rest.call('PUT /i', { settings, mappings: { properties } })
    expect(created.text).toContain('"acknowledged":true')
    const ids = Object.keys(documents)
    for (const [i, id] of ids.entries()) {
      const isLast = i === ids.length - 1 || i === Math.floor(ids.length / 2) - 1
      const put = await rest.call(`PUT /i/_doc/${id}${isLast ? '?refresh' : ''}`, documents[id])
      expect(put.text).toContain('"result":"created"')
    }
    const mapping = (await rest.call('GET /i/_mapping')).text
    await check(indexOf(rest))
    await rest.call('POST /i/_forcemerge?max_num_segments=1')
    await rest.call('POST /i/_refresh')
    await check(indexOf(rest))
    await rest.close()
    rest = await openRest({}, folder)
    expect((await rest.call('GET /i/_mapping')).text).toBe(mapping)
    await check(indexOf(rest))
  } finally {
    await rest.close()
  }
}

/** The calls over an index `i` that stands. */
export function indexOf(rest: Rest): FieldIndex {
  const hits = async (body: object): Promise<string[]> => {
    const { json, text } = await rest.call('POST /i/_search', { size: 100, ...body })
    if (json.hits === undefined || json._shards.failed > 0) throw new Error(text)
    return json.hits.hits.map((hit: { _id: string }) => hit._id)
  }
  return {
    rest,
    ids: async query => (await hits({ query })).sort(),
    sorted: sort => hits({ sort }),
  }
}

/** The innermost reason of a refusal, behind its status. */
export async function refusal(rest: Rest, line: string, body?: object | string): Promise<string> {
  const { status, json } = await rest.call(line, body)
  let error = json.error
  while (error.caused_by !== undefined || error.root_cause !== undefined) {
    const inner = error.caused_by ?? error.failed_shards?.[0]?.reason ?? error.root_cause[0]
    if (inner.reason === error.reason && inner.caused_by === undefined) break
    error = inner
  }
  return `${status} ${error.type}: ${error.reason}`
}
