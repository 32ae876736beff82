/** Random trees of aggregations of all kinds of the table. */
import type { Random } from '../../../src/util/random.ts'
import { numberPaths } from './bucket/bucket-order.ts'
import { type Agg, type Aggs, oneOf, type PlainParent, type Spot, sometimes } from './kind.ts'
import { KINDS, PIPELINES } from './kinds.ts'

const METRICS = Object.keys(KINDS).filter(name => KINDS[name]!.buckets === 'none')
const BUCKETS = Object.keys(KINDS).filter(name => KINDS[name]!.buckets !== 'none')

/** Kinds that few places have room for, with how much likelier they are there than others; else 1. */
const WEIGHTS: Readonly<Record<string, number>> = {
  reverse_nested: 9,
  composite: 4,
  global: 2,
  nested: 2,
  histogram: 3,
  date_histogram: 3,
  auto_date_histogram: 2,
  derivative: 5,
  cumulative_sum: 5,
  serial_diff: 5,
  moving_fn: 5,
}

/** Kinds that parent pipelines may stand in. */
const HISTOGRAMS = ['histogram', 'date_histogram', 'auto_date_histogram']

/** A tree of up to `depth` levels below its top. */
export function randomTree(random: Random, depth: number): Aggs {
  return randomAggs(depth, { random, path: '', parent: null, level: 0, mayCut: true })
}

/** The aggregations as a request has them. */
export function requestOf(aggs: Aggs): object {
  return Object.fromEntries(
    Object.entries(aggs).map(([name, { kind, body, children, meta }]) => [
      name,
      {
        [kind]: body,
        ...(meta === undefined ? {} : { meta }),
        ...(Object.keys(children).length === 0 ? {} : { aggs: requestOf(children) }),
      },
    ]),
  )
}

function randomAggs(depth: number, spot: Spot): Aggs {
  const { random } = spot
  const aggs: Record<string, Agg> = {}
  const count = 1 + random.below(depth > 1 ? 2 : 3)
  for (let i = 0; i < count; i++) aggs[`g${i}`] = randomAgg(depth, spot)
  for (let i = 0; i < 2; i++) {
    const pipeline = random.below(5) < 2 ? randomPipeline(random, spot.parent, aggs) : null
    if (pipeline !== null) aggs[`p${i}`] = pipeline
  }
  return aggs
}

function randomAgg(depth: number, spot: Spot): Agg {
  const { random } = spot
  const isMetric = depth === 0 || random.below(4) === 0
  const names = (isMetric ? METRICS : BUCKETS).filter(name => KINDS[name]!.fits?.(spot) !== false)
  const name = weighted(random, names)
  const kind = KINDS[name]!
  const body = kind.draw(spot)
  const isLeaf = kind.buckets === 'none' || depth === 0 || random.below(5) === 0
  const path = kind.pathBelow?.(body, spot.path) ?? spot.path
  const mayCut = spot.mayCut && name !== 'auto_date_histogram'
  const below = { random, path, parent: { kind: name, body }, level: spot.level + 1, mayCut }
  const children = isLeaf ? {} : randomAggs(depth - 1, below)
  return {
    kind: name,
    body: kind.ordered?.(body, children, random) ?? body,
    children,
    ...sometimes(random, 10, { meta: { note: random.below(9) } }),
  }
}

function randomPipeline(random: Random, parent: Spot['parent'], siblings: Aggs): Agg | null {
  const names = Object.keys(PIPELINES).filter(name => {
    const kind = PIPELINES[name]!
    return kind.stands === 'beside'
      ? Object.values(siblings).some(hasSeveral)
      : mayStandIn(kind, parent)
  })
  if (names.length === 0) return null
  const name = weighted(random, names)
  const kind = PIPELINES[name]!
  if (kind.stands === 'within')
    return { kind: name, body: kind.draw(random, pathsIn(siblings)), children: {} }
  const [sibling, { children }] = oneOf(
    random,
    Object.entries(siblings).filter(([, agg]) => hasSeveral(agg)),
  )
  const body = {
    buckets_path: `${sibling}>${oneOf(random, pathsIn(children))}`,
    ...sometimes(random, 3, { gap_policy: 'insert_zeros' }),
    ...kind.draw(random),
  }
  return { kind: name, body, children: {} }
}

function weighted(random: Random, names: readonly string[]): string {
  const all = names.flatMap(name => new Array<string>(WEIGHTS[name] ?? 1).fill(name))
  return oneOf(random, all)
}

function hasSeveral({ kind }: Agg): boolean {
  return KINDS[kind]?.buckets === 'several'
}

function mayStandIn({ needsHistogram }: PlainParent, parent: Spot['parent']): boolean {
  if (parent === null || KINDS[parent.kind]!.buckets !== 'several') return false
  if (!needsHistogram) return true
  const { min_doc_count: min = 0 } = parent.body as { readonly min_doc_count?: number }
  return HISTOGRAMS.includes(parent.kind) && min === 0
}

/** The paths from a bucket to a number, those of other pipelines included. */
function pathsIn(children: Aggs): readonly string[] {
  const pipelines = Object.entries(children).flatMap(([name, { kind }]) => {
    const pipeline = PIPELINES[kind]
    return pipeline?.stands === 'within' && kind !== 'bucket_sort' ? [name] : []
  })
  return ['_count', ...numberPaths(children), ...pipelines]
}
