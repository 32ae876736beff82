/** The parts of the table of kinds: each draws requests, and answers them over rows. */
import type { Random } from '../../../src/util/random.ts'
import type { Path, Row } from './row.ts'

/** Printed JSON. */
export type Printed = Readonly<Record<string, unknown>>

/** A request's aggregations by name. */
export type Aggs = Readonly<Record<string, Agg>>

/** One of them: the body of its kind, its children and its note. */
export interface Agg {
  readonly kind: string
  readonly body: object
  readonly children: Aggs
  readonly meta?: object
}

/** Where an aggregation is drawn. */
export interface Spot {
  readonly random: Random
  /** The path of the rows it sees. */
  readonly path: Path
  /** The aggregation around it; null: it stands at the top. */
  readonly parent: Pick<Agg, 'kind' | 'body'> | null
  /** Levels below the top. */
  readonly level: number
  /** Whether shards may leave out buckets: those of rounded dates are finer than the answer's. */
  readonly mayCut: boolean
}

/** How the buckets of an aggregation are answered. */
export interface Below {
  /** All documents. */
  readonly all: readonly Row[]
  /** Shards that have answered, also those of whose documents none is seen. */
  readonly shards: readonly number[]
  /** Prints the number of documents and the children of a bucket. */
  bucket(rows: readonly Row[]): Printed
}

/** A kind of aggregation that sees documents. */
export interface PlainKind<B extends object = object> {
  /** How many buckets it has; `none`: it is a metric. */
  readonly buckets: 'none' | 'one' | 'several'
  /** Whether values make its buckets, so that shards give those alone that they have documents in. */
  readonly isByValue?: boolean
  /** Whether it may stand there; absent: anywhere. */
  fits?(spot: Spot): boolean
  draw(spot: Spot): B
  /** The body with an order by children; absent: the body as it is. */
  ordered?(body: B, children: Aggs, random: Random): B
  /** The path of the rows in its buckets; absent: that of its own. */
  pathBelow?(body: B, path: Path): Path
  answer(body: B, rows: readonly Row[], below: Below): Printed
  /** The text of a bucket's key, as pipelines tell it; absent: its text, or its key as it is. */
  nameOf?(bucket: Printed, body: B, index: number): string
}

/** A bucket as pipelines see it. */
export interface NamedBucket {
  readonly name: string
  readonly printed: Printed
}

/** A pipeline beside an aggregation of several buckets. */
export interface PlainSibling<B extends object = object> {
  readonly stands: 'beside'
  draw(random: Random): B
  /** @param values of the buckets that have one @param names of the same buckets */
  answer(body: B, values: readonly number[], names: readonly string[]): Printed
}

/** A pipeline in an aggregation of several buckets. */
export interface PlainParent<B extends object = object> {
  readonly stands: 'within'
  /** Whether it needs a histogram around it, without a min count. */
  readonly needsHistogram: boolean
  /** @param paths that it may read */
  draw(random: Random, paths: readonly string[]): B
  /** The buckets with its results under its name. */
  apply(body: B, name: string, buckets: readonly NamedBucket[]): readonly NamedBucket[]
}

/** A kind of pipeline. */
export type PlainPipeline = PlainSibling | PlainParent

/** The buckets of a printed answer with their names; objects are by name. */
export function namedBuckets(
  { buckets }: Printed,
  nameOf: (bucket: Printed, index: number) => string,
): readonly NamedBucket[] {
  if (Array.isArray(buckets))
    return buckets.map((printed: Printed, i) => ({ name: nameOf(printed, i), printed }))
  return Object.entries(buckets as Printed).map(([name, printed]) => ({
    name,
    printed: printed as Printed,
  }))
}

/** One of several choices. */
export function oneOf<const T>(random: Random, choices: readonly T[]): T {
  return choices[random.below(choices.length)]!
}

/** A part of a body that is there once in `times`. */
export function sometimes<const T extends object>(
  random: Random,
  times: number,
  part: T,
): Partial<T> {
  return random.below(times) === 0 ? part : {}
}
