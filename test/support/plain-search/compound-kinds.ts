/** Queries made of other queries. */
import type { BooleanClause, FunctionScoreQuery, Query } from '../../../src/search/query/query.ts'
import type { ScoreFunction } from '../../../src/search/weight/function/score-function.ts'
import { routingHash } from '../../../src/util/murmur3.ts'
import { randomScript } from '../plain-scripts.ts'
import { DAY, EPOCH } from './collection.ts'
import {
  boostedBy,
  boostKey,
  type Draw,
  type DrawnQuery,
  type Made,
  oneOf,
  several,
} from './kind.ts'
import { scriptBody } from './scripts.ts'

const f32 = Math.fround

/** How clauses of a `bool` occur, in the order in which its clauses are put together. */
const OCCURS = ['must', 'must_not', 'should', 'filter'] as const

export function bool({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const usual = oneOf(random, [
    ['should'],
    ['must', 'filter', 'must'],
    ['must', 'should', 'should', 'filter', 'must_not'],
  ] as const)
  const drawn = several(1 + random.below(4), () => ({
    occur: oneOf<(typeof OCCURS)[number]>(random, usual),
    query: inner(),
  }))
  const shoulds = drawn.filter(({ occur }) => occur === 'should').length
  const minimum = random.below(4) === 0 ? { minimum_should_match: random.below(shoulds + 1) } : {}
  const lists = OCCURS.map(occur => [
    occur,
    drawn.filter(each => each.occur === occur).map(({ query }) => query.dsl),
  ])
  return {
    body: {
      ...Object.fromEntries(lists.filter(([, list]) => list!.length > 0)),
      ...minimum,
      ...boost,
    },
    inner: drawn.map(({ query }) => query),
    on(shard) {
      const clauses = OCCURS.flatMap((occur): readonly BooleanClause[] =>
        drawn
          .filter(each => each.occur === occur)
          .map(({ query }) => ({
            occur: occur === 'must' && query.mustBecomesFilter ? 'filter' : occur,
            query: query.on(shard),
          })),
      )
      if (clauses.every(({ occur }) => occur === 'must_not'))
        clauses.push({ occur: 'filter', query: { kind: 'matchAll' } })
      const minimumShouldMatch = minimum.minimum_should_match ?? 0
      return boostedBy({ kind: 'boolean', clauses, minimumShouldMatch }, boost)
    },
  }
}

export function boosting({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const [positive, negative] = [inner(), inner()]
  const negativeBoost = oneOf(random, [0.25, 1.5])
  return {
    body: {
      positive: positive.dsl,
      negative: negative.dsl,
      negative_boost: negativeBoost,
      ...boost,
    },
    inner: [positive, negative],
    on: shard =>
      boostedBy(
        {
          kind: 'boosting',
          positive: positive.on(shard),
          negative: negative.on(shard),
          negativeBoost,
        },
        boost,
      ),
  }
}

export function constantScore({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const filter = inner()
  return {
    body: { filter: filter.dsl, ...boost },
    inner: [filter],
    on: shard => boostedBy({ kind: 'constantScore', query: filter.on(shard) }, boost),
  }
}

export function disMax({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const drawn = several(1 + random.below(3), inner)
  const tieBreaker = oneOf(random, [0, 0.25, 1])
  return {
    body: { queries: drawn.map(({ dsl }) => dsl), tie_breaker: tieBreaker, ...boost },
    inner: drawn,
    on: shard =>
      boostedBy({ kind: 'disMax', queries: drawn.map(each => each.on(shard)), tieBreaker }, boost),
  }
}

/** A function with its keys. */
function scoreFunction({ random }: Draw): { readonly dsl: object; readonly made: ScoreFunction } {
  const column = { field: 'num', encoding: 'long', scale: 1 } as const
  switch (random.below(6)) {
    case 0: {
      const [factor, missing] = [oneOf(random, [0.5, 1, 2]), 1 + random.below(5)]
      const modifier = oneOf(random, ['square', 'none', 'sqrt', 'log2p', 'ln1p', 'reciprocal'])
      const field = modifier === 'square' ? 'num' : 'need'
      return {
        dsl: { field_value_factor: { field, factor, modifier, missing } },
        made: {
          kind: 'fieldValue',
          field,
          column: { ...column, field },
          factor,
          modifier,
          missing,
        },
      }
    }
    case 1: {
      const seed = random.below(1000)
      const source = { kind: 'ids', field: '_id' } as const
      return {
        dsl: { random_score: { seed, field: '_id' } },
        made: { kind: 'random', seed, salt: routingHash('i'), source },
      }
    }
    case 2: {
      const script = randomScript(random, 'score')
      return {
        dsl: { script_score: { script: scriptBody(script) } },
        made: { kind: 'script', script },
      }
    }
    case 3: {
      const days = random.below(40)
      const shape = oneOf(random, ['gauss', 'exp', 'linear'])
      const [scale, offset] = [1 + random.below(20), random.below(3)]
      const of = { origin: EPOCH + days * DAY, scale: `${scale}d`, offset: `${offset}d` }
      return {
        dsl: { [shape]: { day: of } },
        made: {
          kind: 'decay',
          shape,
          field: 'day',
          origin: { kind: 'number', column: { ...column, field: 'day' }, value: of.origin },
          scale: scale * DAY,
          offset: offset * DAY,
          decay: 0.5,
          mode: 'min',
        },
      }
    }
    case 4: {
      const place = { lat: random.below(120) - 60, lon: random.below(300) - 150 }
      const [shape, mode] = [
        oneOf(random, ['gauss', 'exp', 'linear']),
        oneOf(random, ['min', 'max']),
      ]
      const of = { origin: place, scale: '1000km', offset: '10km' }
      return {
        dsl: { [shape]: { at: of, multi_value_mode: mode } },
        made: {
          kind: 'decay',
          shape,
          field: 'at',
          origin: { kind: 'place', place },
          scale: 1_000_000,
          offset: 10_000,
          decay: 0.5,
          mode,
        },
      }
    }
    default: {
      const [scale, offset, value] = [1 + random.below(20), random.below(3), random.below(20) - 10]
      const shape = oneOf(random, ['gauss', 'exp', 'linear'])
      const mode = oneOf(random, ['min', 'max', 'avg', 'sum'])
      return {
        dsl: { [shape]: { num: { origin: value, scale, offset }, multi_value_mode: mode } },
        made: {
          kind: 'decay',
          shape,
          field: 'num',
          origin: { kind: 'number', column, value },
          scale,
          offset,
          decay: 0.5,
          mode,
        },
      }
    }
  }
}

export function functionScore(draw: Draw): Made {
  const { random, inner } = draw
  const boost = boostKey(random)
  const query = inner()
  const drawn = several(1 + random.below(3), () => {
    const filter: DrawnQuery | null = random.below(2) === 0 ? inner() : null
    const weight = random.below(2) === 0 ? null : f32(0.5 + random.below(6) / 4)
    const alone = weight !== null && random.below(3) === 0
    const one: ScoreFunction = { kind: 'one' }
    const fn = alone ? { dsl: {}, made: one } : scoreFunction(draw)
    return { filter, weight, fn }
  })
  const scoreMode = oneOf(random, ['multiply', 'sum', 'avg', 'first', 'max', 'min'])
  const boostMode = oneOf(random, ['multiply', 'replace', 'sum', 'avg', 'max', 'min'])
  const maxBoost = random.below(3) === 0 ? { max_boost: 2 } : {}
  const minScore = random.below(4) === 0 ? { min_score: f32(random.below(8) / 4) } : {}
  const combination: FunctionScoreQuery['combination'] = {
    scoreMode,
    boostMode,
    maxBoost: maxBoost.max_boost ?? 3.4028234663852886e38,
    minScore: minScore.min_score ?? null,
  }
  return {
    body: {
      query: query.dsl,
      functions: drawn.map(({ filter, weight, fn }) => ({
        ...(filter === null ? {} : { filter: filter.dsl }),
        ...fn.dsl,
        ...(weight === null ? {} : { weight }),
      })),
      score_mode: scoreMode,
      boost_mode: boostMode,
      ...maxBoost,
      ...minScore,
      ...boost,
    },
    inner: [query, ...drawn.flatMap(({ filter }) => (filter === null ? [] : [filter]))],
    on: shard =>
      boostedBy(
        {
          kind: 'functionScore',
          query: query.on(shard),
          functions: drawn.map(({ filter, weight, fn }) => ({
            filter: filter === null ? null : filter.on(shard),
            function: fn.made,
            weight,
          })),
          combination,
        },
        boost,
      ),
  }
}

export function scriptScore({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const query = inner()
  const script = randomScript(random, 'score')
  const minScore = random.below(3) === 0 ? { min_score: f32(random.below(12) / 4) } : {}
  return {
    body: { query: query.dsl, script: scriptBody(script), ...minScore, ...boost },
    inner: [query],
    on(shard): Query {
      const made: Query = {
        kind: 'scriptScore',
        query: query.on(shard),
        script,
        minScore: minScore.min_score ?? null,
      }
      return boostedBy(made, boost)
    },
  }
}
