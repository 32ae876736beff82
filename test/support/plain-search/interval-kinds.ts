/** Queries of minimal intervals. */
import type { IntervalSource } from '../../../src/search/query/query.ts'
import { boostedBy, boostKey, type Draw, type Made, NOTHING, oneOf, several } from './kind.ts'
import type { PlainShard } from './plain-shard.ts'

/** A rule: as a request has it, and on a shard. */
interface DrawnRule {
  readonly dsl: object
  on(shard: PlainShard): IntervalSource
}

const RELATIONS = {
  containing: 'containing',
  contained_by: 'containedBy',
  not_containing: 'notContaining',
  not_contained_by: 'notContainedBy',
  overlapping: 'overlapping',
  not_overlapping: 'notOverlapping',
} as const

function words({ random, word }: Draw): DrawnRule {
  const distinct = [...new Set(several(1 + random.below(3), word))]
  const sources = distinct.map((term): IntervalSource => ({ kind: 'term', term }))
  const mode = oneOf(random, ['ordered', 'unordered'])
  const gaps = random.below(2) === 0 ? -1 : random.below(4)
  const match = { query: distinct.join(' '), mode, max_gaps: gaps }
  const source = ((): IntervalSource => {
    if (sources.length === 1) return sources[0]!
    if (gaps === 0 && mode === 'ordered') return { kind: 'block', sources }
    const all: IntervalSource = { kind: mode, sources }
    return gaps < 0 ? all : { kind: 'maxGaps', source: all, gaps }
  })()
  return { dsl: { match }, on: () => source }
}

function start({ word }: Draw): DrawnRule {
  const prefix = word().slice(0, 2)
  return {
    dsl: { prefix: { prefix } },
    on(shard) {
      const terms = [...shard.terms('body').keys()].filter(term => term.startsWith(prefix))
      const sources = terms.map((term): IntervalSource => ({ kind: 'term', term }))
      return { kind: 'or', sources }
    },
  }
}

function randomRule(draw: Draw, depth: number): DrawnRule {
  const { random } = draw
  if (depth === 0) return words(draw)
  switch (random.below(6)) {
    case 0:
      return start(draw)
    case 1: {
      const inner = several(2, () => randomRule(draw, 0))
      return {
        dsl: { any_of: { intervals: inner.map(({ dsl }) => dsl) } },
        on: shard => ({ kind: 'or', sources: inner.map(each => each.on(shard)) }),
      }
    }
    case 2: {
      const inner = several(2, () => randomRule(draw, 0))
      const mode = oneOf(random, ['ordered', 'unordered'])
      return {
        dsl: { all_of: { intervals: inner.map(({ dsl }) => dsl), mode } },
        on: shard =>
          inRow(
            mode,
            inner.map(each => each.on(shard)),
          ),
      }
    }
    case 3: {
      const [own, other] = [words(draw), words(draw)]
      const relation = oneOf(random, Object.keys(RELATIONS) as (keyof typeof RELATIONS)[])
      const [[name, body]] = Object.entries(own.dsl) as [[string, object]]
      return {
        dsl: { [name]: { ...body, filter: { [relation]: other.dsl } } },
        on: shard => ({
          kind: 'related',
          relation: RELATIONS[relation],
          source: own.on(shard),
          other: other.on(shard),
        }),
      }
    }
    default:
      return words(draw)
  }
}

/** Equal sources are several of one; those of the same mode are taken apart. */
function inRow(mode: 'ordered' | 'unordered', given: readonly IntervalSource[]): IntervalSource {
  const sources = given.flatMap(each => (each.kind === mode ? each.sources : [each]))
  const same = (a: IntervalSource, b: IntervalSource): boolean =>
    JSON.stringify(a) === JSON.stringify(b)
  const kept = sources.filter((each, i) =>
    mode === 'ordered'
      ? i === 0 || !same(each, sources[i - 1]!)
      : sources.findIndex(other => same(each, other)) === i,
  )
  const parts = kept.map((source): IntervalSource => {
    let count = 0
    if (mode === 'unordered') count = sources.filter(each => same(each, source)).length
    else
      for (let i = sources.indexOf(source); i < sources.length; i++) {
        if (!same(sources[i]!, source)) break
        count++
      }
    return count === 1 ? source : { kind: 'repeated', source, count }
  })
  return parts.length === 1 ? parts[0]! : { kind: mode, sources: parts }
}

export function intervals(draw: Draw): Made {
  const boost = boostKey(draw.random)
  const rule = randomRule(draw, 1)
  return {
    body: { body: { ...rule.dsl, ...boost } },
    on(shard) {
      const source = rule.on(shard)
      if (source.kind === 'or' && source.sources.length === 0) return NOTHING
      return boostedBy({ kind: 'positionIntervals', field: 'body', source }, boost)
    },
  }
}
