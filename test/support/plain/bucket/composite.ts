import type { Random } from '../../../../src/util/random.ts'
import { oneOf, type PlainKind, type Printed, sometimes } from '../kind.ts'
import { type Field, fieldsOf, type Path, type Row, typeOf, type Value, valuesOf } from '../row.ts'
import { doubleText } from '../text.ts'
import { groupsOf } from './cut-terms.ts'
import { combinations, compareTuples, compareValues } from './terms.ts'

const DAY = 86_400_000

/** The keys of any source. */
interface SourceBody {
  readonly field: Field
  readonly order?: 'asc' | 'desc'
  readonly missing_bucket?: boolean
  readonly missing_order?: 'first' | 'last'
  /** Of histograms. */
  readonly interval?: number
  readonly fixed_interval?: '30d'
}

type Source = Readonly<Record<'terms' | 'histogram' | 'date_histogram', SourceBody>>

interface Body {
  readonly sources: readonly Readonly<Record<string, Partial<Source>>>[]
  readonly size: number
  readonly after?: Readonly<Record<string, Value | null>>
}

type Key = readonly (Value | null)[]

/** Parents that a composite aggregation may stand in. */
const AROUND = ['filter', 'nested', 'reverse_nested']

function randomSource(random: Random, path: Path): Partial<Source> {
  const hasNull = random.below(3) === 0
  const common = {
    ...sometimes(random, 2, { order: oneOf(random, ['asc', 'desc']) }),
    ...(hasNull ? { missing_bucket: true } : {}),
    ...(hasNull ? sometimes(random, 2, { missing_order: oneOf(random, ['first', 'last']) }) : {}),
  }
  const choice = random.below(5)
  if (choice === 0)
    return {
      histogram: { field: oneOf(random, fieldsOf(path, 'long')), interval: 2.5, ...common },
    }
  if (choice === 1 && path === '')
    return { date_histogram: { field: 't', fixed_interval: '30d', ...common } }
  const fields = fieldsOf(path, 'text', 'ip', 'long', 'double', 'boolean', 'date')
  return { terms: { field: oneOf(random, fields), ...common } }
}

/** A value that may follow another in pages. */
function randomAfter(random: Random, body: SourceBody): Value | null {
  if (body.missing_bucket === true && random.below(3) === 0) return null
  switch (typeOf(body.field)) {
    case 'text':
      return `${body.field === 'k' ? 'k' : 'x'}${random.below(9)}`
    case 'ip':
      return `10.0.0.${random.below(12)}`
    case 'boolean':
      return random.below(2) === 0
    case 'date':
      return 1_700_000_000_000 + random.below(3_000_000) * 1000
    default:
      return random.below(6)
  }
}

function bodyOf(source: Partial<Source>): SourceBody {
  return (source.terms ?? source.histogram ?? source.date_histogram)!
}

function bucketOf(body: SourceBody, value: Value): Value {
  const interval = body.interval ?? (body.fixed_interval === undefined ? null : 30 * DAY)
  return interval === null ? value : Math.floor(Number(value) / interval) * interval
}

function valuesIn(row: Row, body: SourceBody): readonly (Value | null)[] {
  const values = new Set(valuesOf(row, body.field).map(value => bucketOf(body, value)))
  return values.size === 0 && body.missing_bucket === true ? [null] : [...values]
}

/** Compares values of a source; null stands where it is asked for, or first in ascending order. */
function compareIn(body: SourceBody, a: Value | null, b: Value | null): number {
  const isDescending = body.order === 'desc'
  if (a === null || b === null) {
    if (a === b) return 0
    const nullsFirst = (body.missing_order ?? (isDescending ? 'last' : 'first')) === 'first'
    return (a === null) === nullsFirst ? -1 : 1
  }
  const order = compareValues(typeOf(body.field), a, b)
  return isDescending ? -order : order
}

/** `composite`. */
export const composite: PlainKind<Body> = {
  buckets: 'several',
  isByValue: true,
  fits: ({ parent }) => parent === null || AROUND.includes(parent.kind),
  draw({ random, path }) {
    const sources = Array.from({ length: 1 + random.below(3) }, (_, i) => ({
      [`s${i}`]: randomSource(random, path),
    }))
    const after = Object.fromEntries(
      sources.map((source, i) => [`s${i}`, randomAfter(random, bodyOf(source[`s${i}`]!))]),
    )
    return {
      sources,
      size: oneOf(random, [1, 3, 10, 200]),
      ...sometimes(random, 3, { after }),
    }
  },
  answer({ sources, size, after }, rows, below) {
    const names = sources.map(source => Object.keys(source)[0]!)
    const bodies = sources.map((source, i) => bodyOf(source[names[i]!]!))
    const compare = (a: Key, b: Key): number =>
      compareTuples(a, b, (place, x, y) => compareIn(bodies[place]!, x, y))
    const groups = groupsOf<Key>(rows, {
      keysOf: row => combinations(bodies.map(body => valuesIn(row, body))),
      id: JSON.stringify,
    })
    const found = [...groups.values()]
      .filter(
        ({ key }) =>
          after === undefined ||
          compare(
            key,
            names.map(name => after[name]!),
          ) > 0,
      )
      .sort((a, b) => compare(a.key, b.key))
      .slice(0, size)
    const printed = (key: Key): Printed =>
      Object.fromEntries(names.map((name, i) => [name, key[i]]))
    const last = found.at(-1)
    return {
      ...(last === undefined ? {} : { after_key: printed(last.key) }),
      buckets: found.map(group => ({ key: printed(group.key), ...below.bucket(group.rows) })),
    }
  },
  nameOf({ key }, { sources }) {
    const parts = Object.entries(key as Printed).map(([name, value], i) => {
      const body = bodyOf(sources[i]![name]!)
      const isDouble = body.interval !== undefined || typeOf(body.field) === 'double'
      const text = isDouble && value !== null ? doubleText(Number(value)) : String(value)
      return `${name}=${text}`
    })
    return `{${parts.join(', ')}}`
  },
}
