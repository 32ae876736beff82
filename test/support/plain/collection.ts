/**
 * Random collections of documents with fields of every type that aggregations read: plain objects,
 * and their way into an index of several shards and segments with deleted documents.
 */
import { expect } from 'vitest'
import type { Random } from '../../../src/util/random.ts'
import { ndjson, type Rest } from '../rest-calls.ts'

/** A nested object of a nested object. */
export interface PlainInner {
  readonly z?: number
}

/** A nested object. */
export interface PlainObject {
  readonly x?: string
  readonly y?: number
  readonly c: readonly PlainInner[]
}

/** Degrees that doc values keep exactly. */
export interface PlainPoint {
  readonly lat: number
  readonly lon: number
}

/** The source of a document. */
export interface PlainSource {
  /** Unique; texts stand in the order of documents. */
  readonly id: string
  readonly k: readonly string[]
  readonly n: readonly number[]
  /** Multiples of 1/8. */
  readonly d?: number
  /** Doubles of very different sizes. */
  readonly e: readonly number[]
  /** 1…4. */
  readonly w?: number
  readonly b?: boolean
  /** Milliseconds since 1970. */
  readonly t?: number
  /** Intervals of integers, both ends included. */
  readonly r: readonly { readonly gte: number; readonly lte: number }[]
  /** Addresses as answers print them. */
  readonly ip: readonly string[]
  readonly at: readonly PlainPoint[]
  readonly a: readonly PlainObject[]
  readonly _doc_count?: number
}

/** A document that a search may find. */
export interface LiveDocument {
  readonly source: PlainSource
  readonly shard: number
}

/** How large a collection is and how it is cut. */
export interface Shape {
  readonly documents: number
  readonly shards: number
  /** Documents of a segment, of all shards together. */
  readonly batch: number
}

const MAPPINGS = {
  properties: {
    id: { type: 'keyword' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    e: { type: 'double' },
    w: { type: 'integer' },
    b: { type: 'boolean' },
    t: { type: 'date' },
    r: { type: 'integer_range' },
    ip: { type: 'ip' },
    at: { type: 'geo_point' },
    a: {
      type: 'nested',
      properties: {
        x: { type: 'keyword' },
        y: { type: 'integer' },
        c: { type: 'nested', properties: { z: { type: 'integer' } } },
      },
    },
  },
}

/** Seconds that the dates of a collection spread over. */
const SPANS = [90, 7_200, 300_000, 3_000_000, 40_000_000, 900_000_000]

/** Makes the index `i` anew, with a random collection in it. */
export async function randomCollection(
  rest: Rest,
  random: Random,
  { documents, shards, batch }: Shape,
): Promise<readonly LiveDocument[]> {
  const call = async (line: string, body?: object | string): Promise<void> => {
    const { status, text } = await rest.call(line, body)
    expect(status, `${line}: ${text}`).toBe(200)
  }
  if ((await rest.call('HEAD /i')).status === 200) await call('DELETE /i')
  await call('PUT /i', {
    settings: {
      number_of_shards: shards,
      'index.refresh_interval': '-1',
      'index.requests.cache.enable': false,
    },
    mappings: MAPPINGS,
  })
  const span = SPANS[random.below(SPANS.length)]!
  const isSparse = random.below(4) === 0
  const live = new Map<string, PlainSource>()
  for (let at = 0; at < documents; at += batch) {
    const lines: object[] = []
    for (let i = at; i < Math.min(documents, at + batch); i++) {
      // Some documents come again, so that their first versions are deleted ones.
      const number = i > 0 && random.below(20) === 0 ? random.below(i) : i
      const source = randomSource(random, String(100_000 + number), span, isSparse)
      lines.push({ index: { _index: 'i', _id: source.id } }, source)
      live.set(source.id, source)
    }
    await call('POST /_bulk', ndjson(...lines))
    await call('POST /i/_refresh')
  }
  const gone = [...live.keys()].filter(() => random.below(12) === 0)
  for (const id of gone) live.delete(id)
  if (gone.length > 0)
    await call('POST /_bulk', ndjson(...gone.map(id => ({ delete: { _index: 'i', _id: id } }))))
  await call('POST /i/_refresh')
  return withShards(rest, shards, live)
}

async function withShards(
  rest: Rest,
  shards: number,
  live: ReadonlyMap<string, PlainSource>,
): Promise<readonly LiveDocument[]> {
  const found: LiveDocument[] = []
  for (let shard = 0; shard < shards; shard++) {
    const { json } = await rest.call(`GET /i/_search?preference=_shards:${shard}`, {
      size: 10_000,
      _source: false,
    })
    for (const { _id } of json.hits.hits) found.push({ source: live.get(_id)!, shard })
  }
  expect(found.length).toBe(live.size)
  return found
}

function randomSource(random: Random, id: string, span: number, isSparse: boolean): PlainSource {
  const some = <T>(end: number, make: () => T): T[] =>
    Array.from({ length: random.below(isSparse ? 2 : end) }, make)
  const maybe = <T extends object>(make: () => T): T | object =>
    random.below(isSparse ? 2 : 5) === 0 ? {} : make()
  return {
    id,
    k: some(4, () => `k${Math.floor(random.next() ** 2 * 9)}`),
    n: some(3, () => random.below(10) - 1),
    ...maybe(() => ({ d: (random.below(80) - 8) / 8 })),
    e: some(3, () => (random.next() - 0.5) * 10 ** (random.below(60) - 30)),
    ...maybe(() => ({ w: 1 + random.below(4) })),
    ...maybe(() => ({ b: random.below(2) === 0 })),
    ...maybe(() => ({ t: 1_700_000_000_000 + Math.floor(random.next() * span * 1000) })),
    r: some(3, () => {
      const gte = random.below(30) - 5
      return { gte, lte: gte + random.below(12) }
    }),
    ip: some(3, () =>
      random.below(4) === 0 ? `2001:db8::${1 + random.below(6)}` : `10.0.0.${random.below(12)}`,
    ),
    at: some(3, () => ({
      lat: ((random.below(161) - 80) * 180) / 2 ** 10,
      lon: ((random.below(161) - 80) * 360) / 2 ** 10,
    })),
    a: some(3, () => ({
      ...maybe(() => ({ x: `x${random.below(4)}` })),
      ...maybe(() => ({ y: random.below(8) })),
      c: some(3, () => maybe(() => ({ z: random.below(5) }))),
    })),
    ...(random.below(9) === 0 ? { _doc_count: 2 + random.below(3) } : {}),
  }
}
