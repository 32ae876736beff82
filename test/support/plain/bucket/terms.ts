/** terms, rare_terms and multi_terms: buckets of equal values. */
import { oneOf, type PlainKind, type Printed, type Spot, sometimes } from '../kind.ts'
import {
  type Field,
  fieldsOf,
  filledValues,
  type Row,
  typeOf,
  type Value,
  type ValueType,
  valuesOf,
} from '../row.ts'
import { dateText, doubleText } from '../text.ts'
import { addressBytes } from './address.ts'
import { randomOrder } from './bucket-order.ts'
import { type CutBody, cutBuckets, groupsOf } from './cut-terms.ts'

/** Of `shard_size` where no shard shall cut anything. */
const ALL = 100_000

/** Compares values of a field as its buckets are sorted. */
export function compareValues(type: ValueType, a: Value, b: Value): number {
  const [x, y] = type === 'ip' ? [addressBytes(String(a)), addressBytes(String(b))] : [a, b]
  return x < y ? -1 : x > y ? 1 : 0
}

/** A value as a key of a bucket, with a text for dates and booleans. */
function printKey(type: ValueType, value: Value): Printed {
  if (type === 'boolean') return { key: Number(value), key_as_string: String(value) }
  if (type === 'date') return { key: value, key_as_string: dateText(Number(value)) }
  return { key: value }
}

function keyName(type: ValueType, { key, key_as_string: text }: Printed): string {
  if (text !== undefined) return String(text)
  return type === 'double' ? doubleText(Number(key)) : String(key)
}

function cutBody({ random, level, mayCut }: Spot): CutBody {
  const isCut = mayCut && random.below(3) === 0
  return {
    size: level > 1 || random.below(2) === 0 ? 1 + random.below(4) : ALL,
    ...(isCut ? sometimes(random, 2, { shard_size: 1 + random.below(3) }) : { shard_size: ALL }),
    ...sometimes(random, 4, { min_doc_count: 2 }),
    ...sometimes(random, 4, { show_term_doc_count_error: true }),
  }
}

interface TermsBody extends CutBody {
  readonly field: Field
  readonly missing?: Value
  readonly include?: string | readonly Value[]
  readonly exclude?: string | readonly Value[]
  readonly execution_hint?: string
  readonly collect_mode?: string
}

/** Whether `include` and `exclude` let a value through; patterns are plain to expressions. */
function isIncluded({ include, exclude = [] }: TermsBody, value: Value): boolean {
  const isOf = (set: string | readonly Value[]): boolean =>
    typeof set === 'string' ? new RegExp(`^(${set})$`).test(String(value)) : set.includes(value)
  return (include === undefined || isOf(include)) && !isOf(exclude)
}

function keysOf(body: TermsBody, row: Row): readonly Value[] {
  const own = valuesOf(row, body.field)
  if (own.length === 0) return body.missing === undefined ? [] : [body.missing]
  return [...new Set(own)].filter(value => isIncluded(body, value))
}

const ANY: readonly ValueType[] = ['text', 'ip', 'long', 'double', 'boolean', 'date']

/** `terms`. */
export const terms: PlainKind<TermsBody> = {
  buckets: 'several',
  isByValue: true,
  draw(spot) {
    const { random, path } = spot
    const field = random.below(30) === 0 ? 'u' : oneOf(random, fieldsOf(path, ...ANY))
    const isText = typeOf(field) === 'text'
    const isNumber = typeOf(field) === 'long' && field !== 'u'
    return {
      field,
      ...cutBody(spot),
      ...(isText ? sometimes(random, 4, { missing: 'none' }) : {}),
      ...(isText ? sometimes(random, 4, { include: '[kx][0-5].*', exclude: 'k1|k4|x2' }) : {}),
      ...(isText
        ? sometimes(random, 4, { include: ['k1', 'k2', 'k3', 'x1'], exclude: ['k1'] })
        : {}),
      ...(isNumber ? sometimes(random, 4, { include: [1, 2, 5] }) : {}),
      ...(isNumber ? sometimes(random, 4, { exclude: [2, 3] }) : {}),
      ...sometimes(random, 4, { execution_hint: oneOf(random, ['map', 'global_ordinals']) }),
      ...sometimes(random, 2, { collect_mode: oneOf(random, ['breadth_first', 'depth_first']) }),
    }
  },
  ordered(body, children, random) {
    const order = randomOrder(random, children)
    return order === null ? body : { ...body, order }
  },
  answer(body, rows, below) {
    const type = typeOf(body.field)
    return cutBuckets<Value>(
      body,
      rows,
      {
        keysOf: row => keysOf(body, row),
        id: String,
        compare: (a, b) => compareValues(type, a, b),
        print: value => printKey(type, value),
      },
      below,
    )
  },
  nameOf: (bucket, { field }) => keyName(typeOf(field), bucket),
}

interface RareBody {
  readonly field: Field
  readonly max_doc_count: number
}

/** `rare_terms`. */
export const rareTerms: PlainKind<RareBody> = {
  buckets: 'several',
  isByValue: true,
  draw: ({ random, path, level }) => ({
    field: oneOf(random, fieldsOf(path, 'text', 'ip', 'long', 'date')),
    max_doc_count: level > 1 ? 1 + random.below(3) : oneOf(random, [1, 5, 40, 100]),
  }),
  answer({ field, max_doc_count: max }, rows, below) {
    const groups = groupsOf(rows, { keysOf: row => [...new Set(valuesOf(row, field))], id: String })
    const buckets = [...groups.values()]
      .map(({ key, rows: own }) => ({ key, content: below.bucket(own) }))
      .filter(({ content }) => Number(content['doc_count']) <= max)
      .sort(
        (a, b) =>
          Number(a.content['doc_count']) - Number(b.content['doc_count']) ||
          compareValues(typeOf(field), a.key, b.key),
      )
    return {
      buckets: buckets.map(({ key, content }) => ({
        ...printKey(typeOf(field), key),
        ...content,
      })),
    }
  },
  nameOf: (bucket, { field }) => keyName(typeOf(field), bucket),
}

interface MultiBody extends CutBody {
  readonly collect_mode?: string
  readonly terms: readonly { readonly field: Field; readonly missing?: Value }[]
}

/** The combinations of one of each list. */
export function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (all, list) => all.flatMap(tuple => list.map(value => [...tuple, value])),
    [[]],
  )
}

/** Compares tuples, the first fields first. */
export function compareTuples<T>(
  a: readonly T[],
  b: readonly T[],
  compareAt: (place: number, a: T, b: T) => number,
): number {
  for (const [place, value] of a.entries()) {
    const order = compareAt(place, value, b[place]!)
    if (order !== 0) return order
  }
  return 0
}

function partText(type: ValueType, value: Value): string {
  if (type === 'double') return doubleText(Number(value))
  return type === 'date' ? dateText(Number(value)) : String(value)
}

/** `multi_terms`. */
export const multiTerms: PlainKind<MultiBody> = {
  buckets: 'several',
  isByValue: true,
  draw(spot) {
    const { random, path } = spot
    const fields = fieldsOf(path, ...ANY)
    const count = 2 + random.below(2)
    return {
      terms: Array.from({ length: count }, () => {
        const field = oneOf(random, fields)
        return {
          field,
          ...(typeOf(field) === 'text' ? sometimes(random, 3, { missing: 'no' }) : {}),
        }
      }),
      ...cutBody(spot),
      ...sometimes(random, 3, { collect_mode: 'breadth_first' }),
    }
  },
  ordered(body, children, random) {
    const order = randomOrder(random, children)
    return order === null ? body : { ...body, order }
  },
  answer(body, rows, below) {
    const types = body.terms.map(({ field }) => typeOf(field))
    return cutBuckets<readonly Value[]>(
      body,
      rows,
      {
        keysOf: row =>
          combinations(body.terms.map(source => [...new Set(filledValues(row, source))])),
        id: JSON.stringify,
        compare: (a, b) => compareTuples(a, b, (place, x, y) => compareValues(types[place]!, x, y)),
        print: key => ({
          key: key.map((value, i) => (types[i] === 'date' ? dateText(Number(value)) : value)),
          key_as_string: key.map((value, i) => partText(types[i]!, value)).join('|'),
        }),
      },
      below,
    )
  },
}
