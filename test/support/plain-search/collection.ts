/**
 * Random collections for searches: fields of every type that queries, sorts and options read, over
 * several shards and segments, with deleted documents that statistics still count.
 */
import { expect } from 'vitest'
import type { Random } from '../../../src/util/random.ts'
import type { PlainDocument } from '../plain-leaf.ts'
import { ndjson, type Rest } from '../rest-calls.ts'
import { kept, type PlainShape } from '../shapes/plain-shapes.ts'
import type { Corner, Rings } from '../shapes/random-rings.ts'
import { PlainShard } from './plain-shard.ts'
import { randomComponents } from './vector-kinds.ts'

/** Words by falling frequency. */
export const WORDS = ['the', 'sea', 'ship', 'sail', 'wind', 'gull', 'rope', 'oar', 'reef', 'kelp']

/** A day in milliseconds. */
export const DAY = 86_400_000
/** The first day that documents have. */
export const EPOCH = 1_600_000_000_000 - (1_600_000_000_000 % DAY)

/** Degrees that doc values keep exactly. */
export interface PlainPlace {
  readonly lat: number
  readonly lon: number
}

/** The source of a document. */
export interface PlainSource {
  readonly body?: string
  readonly title?: string
  readonly tag?: readonly string[]
  /** One of the tags' kind, for groups. */
  readonly shelf?: string
  readonly num?: readonly number[]
  readonly first?: number
  readonly need?: number
  readonly day?: number
  readonly flag?: boolean
  readonly at?: readonly PlainPlace[]
  /** A triangle's closed ring, or a point. */
  readonly zone?: { readonly type: 'Polygon' | 'Point'; readonly coordinates: readonly unknown[] }
  readonly vec?: readonly number[]
  readonly pop?: number
  readonly marks?: Readonly<Record<string, number>>
  readonly items?: readonly { readonly k: readonly string[]; readonly n?: number }[]
  readonly rel?: { readonly name: 'p' } | { readonly name: 'c'; readonly parent: string }
  /** The shelf again, within an object. */
  readonly flat?: { readonly a: string }
  /** An address that ends in `first`. */
  readonly addr?: string
}

/** The types of numbers that `first` has beside its own, as fields below it. */
export const NUMBER_TYPES = [
  'long',
  'short',
  'byte',
  'unsigned_long',
  'double',
  'float',
  'half_float',
  'scaled_float',
] as const

const MAPPINGS = {
  properties: {
    body: {
      type: 'text',
      analyzer: 'whitespace',
      fields: { count: { type: 'token_count', analyzer: 'whitespace' } },
    },
    title: { type: 'text', analyzer: 'whitespace' },
    tag: { type: 'keyword' },
    shelf: {
      type: 'keyword',
      store: true,
      fields: {
        wild: { type: 'wildcard' },
        text: { type: 'text', analyzer: 'whitespace', fielddata: true },
      },
    },
    num: { type: 'long' },
    first: {
      type: 'integer',
      store: true,
      fields: Object.fromEntries(
        NUMBER_TYPES.map(type => [
          type,
          { type, ...(type === 'scaled_float' ? { scaling_factor: 10 } : {}) },
        ]),
      ),
    },
    need: { type: 'integer' },
    day: { type: 'date', fields: { nanos: { type: 'date_nanos' } } },
    flat: { type: 'flat_object' },
    addr: { type: 'ip' },
    same: { type: 'constant_keyword', value: 'x' },
    flag: { type: 'boolean' },
    at: { type: 'geo_point' },
    zone: { type: 'geo_shape' },
    vec: { type: 'knn_vector', dimension: 3 },
    pop: { type: 'rank_feature' },
    marks: { type: 'rank_features' },
    items: { type: 'nested', properties: { k: { type: 'keyword' }, n: { type: 'integer' } } },
    rel: { type: 'join', relations: { p: 'c' } },
  },
}

interface MappedType {
  readonly type: string
  readonly fields?: Readonly<Record<string, MappedType>>
  readonly properties?: Readonly<Record<string, MappedType>>
}

/** The type of a field of the collection; that of a metadata field is its name, and null: there is none. */
export function typeOfField(name: string): string | null {
  if (name.startsWith('_')) return name
  let field: MappedType | undefined = { type: 'object', ...MAPPINGS }
  for (const part of name.split('.')) {
    // What stands in a flat object is in no mapping.
    if (field?.type === 'flat_object') break
    field = { ...field?.fields, ...field?.properties }[part]
  }
  return field?.type ?? null
}

/** How large a collection is and how it is cut. */
export interface CollectionShape {
  readonly documents: number
  readonly shards: number
  readonly segments: number
  /** Whether it has neither nested objects nor deleted documents. */
  readonly isFlat?: boolean
  /** Whether some documents are deleted; absent: unless it is flat. */
  readonly hasDeletes?: boolean
}

/** Values of `_routing`: `r0` and on. */
export const ROUTES = 8

/** Makes the index `i` anew, with a random collection in it; a list of its shards. */
export async function randomCollection(
  rest: Rest,
  random: Random,
  { documents, shards, segments, isFlat = false, hasDeletes = !isFlat }: CollectionShape,
): Promise<readonly PlainShard[]> {
  const call = async (line: string, body?: object | string): Promise<Json> => {
    const { status, text, json } = await rest.call(line, body)
    expect(status, `${line}: ${text}`).toBe(200)
    return json
  }
  if ((await rest.call('HEAD /i')).status === 200) await call('DELETE /i')
  await call('PUT /i', {
    settings: {
      number_of_shards: shards,
      'index.refresh_interval': '-1',
      'index.knn': true,
      'index.requests.cache.enable': false,
      // A merge would forget deleted documents, and scores with them.
      'index.merge.policy.segments_per_tier': 100,
      'index.merge.policy.deletes_pct_allowed': 50,
    },
    mappings: MAPPINGS,
  })
  const shardOf = new Map<string, number>()
  for (let i = 0; i < ROUTES; i++) {
    const { shards: found } = await call(`GET /i/_search_shards?routing=r${i}`)
    shardOf.set(`r${i}`, found[0][0].shard)
  }
  const all: (Written & { isLive: boolean })[] = []
  const parents: Written[] = []
  for (let segment = 0; segment < segments; segment++) {
    const lines: object[] = []
    const size = segment === 0 ? documents / 2 : documents / 2 / (segments - 1)
    for (let i = 0; i < size; i++) {
      const drawn = randomDocument(random, `d${all.length}`, parents)
      const { items, ...flat } = drawn.source
      // Of documents without a text Lucene reads lengths that are not theirs where spans are masked.
      const written = isFlat ? { ...drawn, source: { body: '', ...flat } } : drawn
      if (written.source.rel?.name === 'p') parents.push(written)
      all.push({ ...written, isLive: true })
      const { id, routing, source } = written
      lines.push({ index: { _index: 'i', _id: id, routing } }, source)
    }
    await call('POST /_bulk', ndjson(...lines))
    await call('POST /i/_refresh')
  }
  const gone = hasDeletes ? all.filter(() => random.below(14) === 0) : []
  for (const each of gone) each.isLive = false
  const deletes = gone.map(({ id, routing }) => ({ delete: { _index: 'i', _id: id, routing } }))
  if (deletes.length > 0) await call('POST /_bulk', ndjson(...deletes))
  await call('POST /i/_refresh')
  return Array.from({ length: shards }, (_, shard) => {
    const mine = all.filter(({ routing }) => shardOf.get(routing) === shard)
    const documents = mine.map(each => ({ ...plainDocument(each), isLive: each.isLive }))
    const routes = [...shardOf].filter(([, found]) => found === shard).map(([route]) => route)
    return new PlainShard(documents, routes)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
type Json = any

interface Written {
  readonly id: string
  readonly routing: string
  readonly source: PlainSource
}

/** A word, rather one of the front of the list. */
export function randomWord(random: Random): string {
  return WORDS[Math.floor(random.next() ** 2 * WORDS.length)]!
}

function randomDocument(random: Random, id: string, parents: readonly Written[]): Written {
  const list = <T>(end: number, make: () => T): T[] =>
    Array.from({ length: random.below(end) }, make)
  const maybe = <T extends object>(make: () => T): T | object =>
    random.below(5) === 0 ? {} : make()
  const words = (count: number): string =>
    Array.from({ length: count }, () => randomWord(random)).join(' ')
  const parent = parents[random.below(Math.max(1, parents.length))]
  const relation = random.below(3)
  const isChild = relation > 0 && parent !== undefined
  const source: PlainSource = {
    ...maybe(() => ({ body: words(random.below(4) === 0 ? random.below(40) : random.below(8)) })),
    ...maybe(() => ({ title: words(1 + random.below(3)) })),
    ...maybe(() => ({ tag: list(4, () => `t${random.below(12)}`) })),
    ...maybe(() => ({ shelf: `s${random.below(9)}` })),
    ...maybe(() => ({ num: list(3, () => random.below(40) - 20) })),
    ...maybe(() => ({ first: random.below(12) })),
    ...maybe(() => ({ need: 1 + random.below(3) })),
    ...maybe(() => ({ day: EPOCH + random.below(40) * DAY + random.below(4) * 3_600_000 })),
    ...maybe(() => ({ flag: random.below(2) === 0 })),
    ...maybe(() => ({
      at: list(3, () => ({
        lat: ((random.below(161) - 80) * 180) / 2 ** 10,
        lon: ((random.below(161) - 80) * 360) / 2 ** 10,
      })),
    })),
    ...maybe(() => ({ zone: randomZone(random) })),
    ...maybe(() => ({ vec: randomComponents(random) })),
    ...maybe(() => ({ pop: (1 + random.below(400)) / 8 })),
    ...maybe(() => ({ marks: { a: 1 + random.below(9), ...maybe(() => ({ b: 0.5 })) } })),
    ...maybe(() => ({
      items: list(4, () => ({
        k: [...new Set(list(3, () => `k${random.below(5)}`))],
        ...maybe(() => ({ n: random.below(9) })),
      })),
    })),
    ...(relation === 0
      ? { rel: { name: 'p' as const } }
      : isChild
        ? { rel: { name: 'c' as const, parent: parent.id } }
        : {}),
  }
  const { shelf, first } = source
  const copied: PlainSource = {
    ...(shelf === undefined ? {} : { flat: { a: shelf } }),
    ...(first === undefined ? {} : { addr: `10.0.0.${first}` }),
  }
  const routing = isChild ? parent.routing : `r${random.below(ROUTES)}`
  return { id, routing, source: { ...source, ...copied } }
}

function randomZone(random: Random): NonNullable<PlainSource['zone']> {
  if (random.below(3) === 0)
    return { type: 'Point', coordinates: [random.next() * 40 - 20, random.next() * 20 - 10] }
  return { type: 'Polygon', coordinates: [randomTriangle(random, 1 + random.next() * 5)] }
}

/** The closed ring of a triangle, so many degrees wide at the most. */
export function randomTriangle(random: Random, size: number): Corner[] {
  const [lon, lat] = [random.next() * 40 - 20, random.next() * 20 - 10]
  const ring = Array.from({ length: 3 }, (_, i): Corner => {
    const angle = ((i + random.next() * 0.8) / 3) * 2 * Math.PI
    return [lon + size * Math.cos(angle), lat + size * Math.sin(angle)]
  })
  return [...ring, ring[0]!]
}

function plainZone({ type, coordinates }: NonNullable<PlainSource['zone']>): PlainShape {
  const given =
    type === 'Point'
      ? { points: [coordinates as unknown as Corner], polygons: [] }
      : { points: [], polygons: [coordinates as Rings] }
  return kept({ ...given, lines: [] })
}

/** A document as the oracle sees it. */
export interface SearchedDocument extends PlainDocument {
  readonly source: PlainSource
  readonly objects: ReadonlyMap<string, readonly PlainDocument[]>
}

function plainDocument({ id, source }: Written): SearchedDocument {
  const { body, title, tag, shelf, num, first, need, day, flag, at, rel, items } = source
  const { pop, marks, zone, vec } = source
  const split = (text: string): string[] => text.split(' ').filter(word => word !== '')
  const given = <T>(entries: readonly (readonly [string, T | undefined])[]): Map<string, T> =>
    new Map(entries.filter((entry): entry is [string, T] => entry[1] !== undefined))
  const one = (value: number | undefined): bigint[] | undefined =>
    value === undefined ? undefined : [BigInt(value)]
  const parentId = rel?.name === 'c' ? rel.parent : rel?.name === 'p' ? id : undefined
  return {
    id,
    source,
    isLive: true,
    text: given([
      ['body', body === undefined ? undefined : split(body)],
      ['title', title === undefined ? undefined : split(title)],
    ]),
    keywords: given([
      ['tag', tag],
      ['shelf', shelf === undefined ? undefined : [shelf]],
      ['flag', flag === undefined ? undefined : [flag ? 'T' : 'F']],
      ['rel', rel === undefined ? undefined : [rel.name]],
      // The names of features are terms.
      ['pop', pop === undefined ? undefined : ['pop']],
      ['marks', marks === undefined ? undefined : Object.keys(marks)],
      ['rel#p', parentId === undefined ? undefined : [parentId]],
    ]),
    numbers: given([
      ['num', num?.map(BigInt).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))],
      ['first', one(first)],
      ['need', one(need)],
      ['day', one(day)],
    ]),
    places: given([['at', at]]),
    shapes: given([['zone', zone === undefined ? undefined : plainZone(zone)]]),
    vectors: given([['vec', vec]]),
    features: given([
      ['pop', pop === undefined ? undefined : { pop }],
      ['marks', marks],
    ]),
    objects: new Map([
      [
        'items',
        (items ?? []).map(({ k, n }) => ({
          id,
          isLive: true,
          text: new Map(),
          keywords: given([['items.k', k]]),
          numbers: given([['items.n', one(n)]]),
        })),
      ],
    ]),
  }
}
