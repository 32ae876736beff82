/** The table of sorts that are drawn: each says what a match stands by, and how that prints. */
import { compareBytes, encodeUtf8 } from '../../../src/util/bytes.ts'
import { arcDistance } from '../../../src/util/geo-distance.ts'
import { floatText } from '../../../src/util/json/float-text.ts'
import type { Random } from '../../../src/util/random.ts'
import { NUMBER_TYPES, type PlainSource } from './collection.ts'
import { objectQuery } from './joined-kinds.ts'
import { oneOf } from './kind.ts'
import { randomPlace } from './place-kinds.ts'
import type { PlainShard, ShardMatch } from './plain-shard.ts'

/** A match with its shard. */
export interface Match extends ShardMatch {
  readonly ord: number
  readonly shard: PlainShard
}

/** What matches are compared by; null is behind or ahead of all values. */
export type SortKeyValue = number | string | null

/** A drawn level. */
export interface DrawnSort {
  readonly name: string
  readonly dsl: object | string
  /** Whether larger values come first. */
  readonly descending: boolean
  /** Whether null comes first. */
  readonly nullsFirst?: boolean
  /** Whether it reads scores. */
  readonly readsScores?: boolean
  /** Whether the values are only told apart within a shard, so that they are not compared. */
  readonly isPlace?: boolean
  value(match: Match): SortKeyValue
  /** As the answer has it; absent: the value. */
  print?(value: SortKeyValue): unknown
}

/** A level without its name. */
type Level = Omit<DrawnSort, 'name'>

const MAX_LONG = 2 ** 63

function order(random: Random): { readonly order: 'asc' | 'desc'; readonly descending: boolean } {
  const descending = random.below(2) === 0
  return { order: descending ? 'desc' : 'asc', descending }
}

/** Several values as one, as the sort of whole numbers takes them. */
function chosen(values: readonly number[], mode: string): number {
  const sorted = [...values].sort((a, b) => a - b)
  const sum = sorted.reduce((total, value) => total + value, 0)
  const middle = sorted.length >> 1
  switch (mode) {
    case 'min':
      return sorted[0]!
    case 'max':
      return sorted.at(-1)!
    case 'sum':
      return sum
    case 'avg':
      return Math.floor(sum / sorted.length + 0.5)
    default:
      return sorted.length % 2 === 1
        ? sorted[middle]!
        : Math.floor((sorted[middle - 1]! + sorted[middle]!) / 2 + 0.5)
  }
}

/** A number beside those of documents: what stands for none. */
function missingNumber(
  random: Random,
  descending: boolean,
  numbers: readonly number[] = [0, -3, 7],
): { readonly dsl: object; readonly value: number } {
  const choice = random.below(4)
  if (choice === 0) {
    const value = oneOf(random, numbers)
    return { dsl: { missing: value }, value }
  }
  const isFirst = choice === 1
  const isHigh = isFirst === descending
  return { dsl: isFirst ? { missing: '_first' } : {}, value: isHigh ? MAX_LONG : -MAX_LONG }
}

function byScore(random: Random): Level {
  const { order: way, descending } = order(random)
  return {
    dsl: { _score: { order: way } },
    descending,
    readsScores: true,
    value: ({ score }) => score,
    print: value => Number(floatText(value as number)),
  }
}

function byDocument(): Level {
  return { dsl: '_doc', descending: false, isPlace: true, value: ({ place }) => place }
}

function byNumber(random: Random): Level {
  const { order: way, descending } = order(random)
  const mode = oneOf(random, [null, 'min', 'max', 'sum', 'avg', 'median'])
  const missing = missingNumber(random, descending)
  const used = mode ?? (descending ? 'max' : 'min')
  return {
    dsl: { num: { order: way, ...(mode === null ? {} : { mode }), ...missing.dsl } },
    descending,
    value({ document }) {
      const values = document.numbers.get('num') ?? []
      return values.length === 0 ? missing.value : chosen(values.map(Number), used)
    },
  }
}

function byConverted(random: Random): Level {
  const { order: way, descending } = order(random)
  const far = descending ? -Infinity : Infinity
  return {
    dsl: { first: { order: way, numeric_type: 'double' } },
    descending,
    value: ({ document }) => document.source.first ?? far,
    print: value => (Number.isFinite(value) ? value : `${value}`),
  }
}

function byDate(random: Random): Level {
  const { order: way, descending } = order(random)
  const far = descending ? -MAX_LONG : MAX_LONG
  const isNanos = random.below(3) === 0
  return {
    dsl: { day: { order: way, ...(isNanos ? { numeric_type: 'date_nanos' } : {}) } },
    descending,
    value({ document }) {
      const { day } = document.source
      return day === undefined ? far : isNanos ? Number(BigInt(day) * 1_000_000n) : day
    },
  }
}

function byFlag(random: Random): Level {
  const { order: way, descending } = order(random)
  const far = descending ? -MAX_LONG : MAX_LONG
  return {
    dsl: { flag: { order: way } },
    descending,
    value({ document }) {
      const { flag } = document.source
      return flag === undefined ? far : Number(flag)
    },
  }
}

/** Whether null stands first; a text in its place. */
function missingText(random: Random): { readonly dsl: object; readonly text: string | null } {
  return random.below(4) === 0 ? { dsl: { missing: 't5' }, text: 't5' } : { dsl: {}, text: null }
}

function byKeyword(random: Random): Level {
  const { order: way, descending } = order(random)
  const mode = oneOf(random, [null, 'min', 'max'])
  const isFirst = random.below(4) === 0
  const missing = isFirst ? { dsl: { missing: '_first' }, text: null } : missingText(random)
  const isMax = mode === null ? descending : mode === 'max'
  return {
    dsl: { tag: { order: way, ...(mode === null ? {} : { mode }), ...missing.dsl } },
    descending,
    nullsFirst: isFirst,
    value({ document }) {
      const terms = [...(document.keywords.get('tag') ?? [])].sort()
      return terms.length === 0 ? missing.text : isMax ? terms.at(-1)! : terms[0]!
    },
  }
}

function byId(random: Random): Level {
  const { order: way, descending } = order(random)
  return { dsl: { _id: { order: way } }, descending, value: ({ document }) => document.id }
}

/** Documents have numbers in the order in which their shard took them. */
function bySequenceNumber(random: Random): Level {
  const { order: way, descending } = order(random)
  return {
    dsl: { _seq_no: { order: way } },
    descending,
    value: ({ document, shard }) => shard.documents.indexOf(document),
  }
}

function byDistance(random: Random, name: string = '_geo_distance'): Level {
  const { order: way, descending } = order(random)
  const mode = oneOf(random, [null, 'min', 'max', 'avg'])
  const place = randomPlace(random)
  const used = mode ?? (descending ? 'max' : 'min')
  const unit = oneOf(random, ['m', 'km'])
  return {
    dsl: {
      [name]: { at: place, order: way, unit, ...(mode === null ? {} : { mode }) },
    },
    descending,
    value({ document }) {
      const all = (document.source.at ?? [])
        .map(each => arcDistance(place, each) / (unit === 'km' ? 1000 : 1))
        .sort((a, b) => a - b)
      const sum = all.reduce((total, each) => total + each, 0)
      if (all.length === 0) return Infinity
      return { min: all[0]!, max: all.at(-1)!, avg: sum / all.length }[used]
    },
    print: value => (Number.isFinite(value) ? value : 'Infinity'),
  }
}

function byScript(random: Random): Level {
  const { order: way, descending } = order(random)
  const n = 1 + random.below(5)
  const source = "doc['num'].size() * params.n + (doc['first'].size() > 0 ? 0.5 : 0)"
  return {
    dsl: { _script: { type: 'number', script: { source, params: { n } }, order: way } },
    descending,
    value({ document: { numbers, source: of } }) {
      return (numbers.get('num') ?? []).length * n + (of.first === undefined ? 0 : 0.5)
    },
  }
}

function byScriptText(random: Random): Level {
  const { order: way, descending } = order(random)
  const source = "doc['shelf'].size() > 0 ? doc['shelf'].value + 'x' : 's4'"
  return {
    dsl: { _script: { type: 'string', script: { source }, order: way } },
    descending,
    value: ({ document: { source: of } }) => (of.shelf === undefined ? 's4' : `${of.shelf}x`),
  }
}

interface PlainObject {
  readonly k: readonly string[]
  readonly n?: number
}

/** The nested objects of a match that a level reads, in order. */
function objectsOf(
  random: Random,
  hasValue: (object: PlainObject) => boolean,
): { readonly dsl: object; of(match: Match): readonly PlainObject[] } {
  const isOldForm = random.below(2) === 0
  const filter = isOldForm || random.below(2) === 0 ? objectQuery({ random }) : null
  const maxChildren = !isOldForm && random.below(4) === 0 ? 1 : null
  const nested = {
    path: 'items',
    ...(filter === null ? {} : { filter: filter.dsl }),
    ...(maxChildren === null ? {} : { max_children: maxChildren }),
  }
  const old = { nested_path: 'items', nested_filter: filter?.dsl }
  return {
    dsl: isOldForm ? old : { nested },
    of({ document, shard }) {
      const objects = document.objects.get('items')!
      const query = filter?.on(shard) ?? null
      return (
        (document.source.items ?? [])
          .filter((_, i) => query === null || shard.oracle.score(query, objects[i]!) !== null)
          .filter(hasValue)
          // Those without a value are not counted.
          .slice(0, maxChildren ?? undefined)
      )
    },
  }
}

function byNestedNumber(random: Random): Level {
  const { order: way, descending } = order(random)
  const mode = oneOf(random, [null, 'min', 'max', 'sum', 'avg'])
  const used = mode ?? (descending ? 'max' : 'min')
  const far = descending ? -MAX_LONG : MAX_LONG
  const { dsl, of } = objectsOf(random, ({ n }) => n !== undefined)
  return {
    dsl: { 'items.n': { order: way, ...dsl, ...(mode === null ? {} : { mode }) } },
    descending,
    value(match) {
      const values = of(match).map(({ n }) => n!)
      return values.length === 0 ? far : chosen(values, used)
    },
  }
}

function byNestedKeyword(random: Random): Level {
  const { order: way, descending } = order(random)
  const { dsl, of } = objectsOf(random, ({ k }) => k.length > 0)
  return {
    dsl: { 'items.k': { order: way, ...dsl } },
    descending,
    value(match) {
      const terms = of(match)
        .flatMap(({ k }) => k)
        .sort()
      return terms.length === 0 ? null : descending ? terms.at(-1)! : terms[0]!
    },
  }
}

type NumberType = (typeof NUMBER_TYPES)[number]

/** What stands behind all numbers of a type, ahead of them, and how it prints. */
function farOf(type: NumberType, isHigh: boolean): number {
  switch (type) {
    case 'double':
    case 'float':
    case 'half_float':
    case 'scaled_float':
      return isHigh ? Infinity : -Infinity
    case 'unsigned_long':
      return isHigh ? 2 ** 64 : 0
    default:
      return isHigh ? MAX_LONG : -MAX_LONG
  }
}

/** By a number that another type keeps as well. */
function byNumberOf(type: NumberType): (random: Random) => Level {
  return random => {
    const { order: way, descending } = order(random)
    const choice = random.below(4)
    const isFirst = choice === 1
    const given = choice === 0 ? oneOf(random, [0, 3, 40]) : null
    const missing = given ?? farOf(type, isFirst === descending)
    const option = given === null ? (isFirst ? { missing: '_first' } : {}) : { missing: given }
    return {
      dsl: { [`first.${type}`]: { order: way, ...option } },
      descending,
      value: ({ document }) => document.source.first ?? missing,
      print: value => (Number.isFinite(value) ? value : `${value}`),
    }
  }
}

function byNanos(random: Random): Level {
  const { order: way, descending } = order(random)
  const far = descending ? -MAX_LONG : MAX_LONG
  const isMillis = random.below(3) === 0
  return {
    dsl: { 'day.nanos': { order: way, ...(isMillis ? { numeric_type: 'date' } : {}) } },
    descending,
    value({ document }) {
      const { day } = document.source
      return day === undefined ? far : isMillis ? day : Number(BigInt(day) * 1_000_000n)
    },
  }
}

function byTokenCount(random: Random): Level {
  const { order: way, descending } = order(random)
  const far = descending ? -MAX_LONG : MAX_LONG
  return {
    dsl: { 'body.count': { order: way } },
    descending,
    value: ({ document: { source, text } }) =>
      source.body === undefined ? far : text.get('body')!.length,
  }
}

/** By a field of one text, or none. */
function byTextOf(
  field: string,
  textOf: (source: PlainSource) => string | undefined,
): (random: Random) => Level {
  return random => {
    const { order: way, descending } = order(random)
    const nullsFirst = random.below(3) === 0
    return {
      dsl: { [field]: { order: way, ...(nullsFirst ? { missing: '_first' } : {}) } },
      descending,
      nullsFirst,
      value: ({ document }) => textOf(document.source) ?? null,
    }
  }
}

function byAddress(random: Random): Level {
  const { order: way, descending } = order(random)
  return {
    dsl: { addr: { order: way } },
    descending,
    value: ({ document }) => document.source.first ?? null,
    print: value => (value === null ? null : `10.0.0.${value}`),
  }
}

function byUnmapped(random: Random): Level {
  const { order: way, descending } = order(random)
  const isText = random.below(2) === 0
  const far = descending ? -MAX_LONG : MAX_LONG
  return {
    dsl: { nowhere: { order: way, unmapped_type: isText ? 'keyword' : 'long' } },
    descending,
    value: () => (isText ? null : far),
  }
}

/** Every kind of level; `_shard_doc` is drawn with a point in time. */
export const SORT_KINDS: Readonly<Record<string, (random: Random) => Level>> = {
  score: byScore,
  doc: byDocument,
  number: byNumber,
  numeric_type: byConverted,
  date: byDate,
  boolean: byFlag,
  keyword: byKeyword,
  id: byId,
  seq_no: bySequenceNumber,
  geo_distance: byDistance,
  geo_distance_old: random => byDistance(random, '_geoDistance'),
  script_number: byScript,
  script_string: byScriptText,
  nested_number: byNestedNumber,
  nested_keyword: byNestedKeyword,
  unmapped: byUnmapped,
  ...Object.fromEntries(NUMBER_TYPES.map(type => [type, byNumberOf(type)])),
  date_nanos: byNanos,
  token_count: byTokenCount,
  ip: byAddress,
  wildcard: byTextOf('shelf.wild', ({ shelf }) => shelf),
  text: byTextOf('shelf.text', ({ shelf }) => shelf),
  flat_object: byTextOf('flat.a', ({ flat }) => flat?.a),
  join: byTextOf('rel', ({ rel }) => rel?.name),
  constant_keyword: byTextOf('same', () => 'x'),
  index: byTextOf('_index', () => 'i'),
  ignored: byTextOf('_ignored', () => undefined),
}

/** A level of a kind. */
export function drawSort(random: Random, name: string): DrawnSort {
  return { name, ...SORT_KINDS[name]!(random) }
}

/** Compares values of a level. */
export function compareValues(a: SortKeyValue, b: SortKeyValue, sort: DrawnSort): number {
  if (a === null || b === null) {
    if (a === b) return 0
    return (a === null) === (sort.nullsFirst ?? false) ? -1 : 1
  }
  const way = sort.descending ? -1 : 1
  if (typeof a === 'string') return way * compareBytes(encodeUtf8(a), encodeUtf8(b as string))
  return way * (a < (b as number) ? -1 : a > (b as number) ? 1 : 0)
}
