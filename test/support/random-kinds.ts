/** Random queries of the kinds beyond terms, phrases and ranges. */
import { highHalf, lowHalf } from '../../src/search/query/point-value.ts'
import type { IntervalSource, Query, Span } from '../../src/search/query/query.ts'
import { loadScriptEngine } from '../../src/search/script/script-engine.ts'
import type { ScoreFunction } from '../../src/search/weight/function/score-function.ts'
import { Random } from '../../src/util/random.ts'

import { randomScript } from './plain-scripts.ts'

await loadScriptEngine()

/** Chooses scripts, so that queries without one are those of their seeds. */
const scriptChoice = new Random(1923)

/** Makes of a random generator what a kind is made of. */
interface Parts {
  readonly random: Random
  word(): string
  /** Any query, of a level less. */
  inner(): Query
}

const KINDS: readonly ((parts: Parts) => Query)[] = [
  blended,
  combinedFields,
  covering,
  integerRuns,
  functionScore,
  distanceFeature,
  spans,
  spans,
  intervals,
  intervals,
]

/** A query of one of the kinds. */
export function randomOfKinds(parts: Parts): Query {
  const made = KINDS[parts.random.below(KINDS.length)]!(parts)
  return scriptChoice.below(8) === 0 ? scripted(made) : made
}

function boost(random: Random): number {
  return random.below(2) === 0 ? 1 : Math.fround(1 + 2 * random.next())
}

function blended({ random, word }: Parts): Query {
  const fields = random.below(4) === 0 ? ['body'] : ['body', 'title']
  const terms = Array.from({ length: 1 + random.below(2) }, word).flatMap(term =>
    fields.map(field => ({ field, term, boost: boost(random) })),
  )
  return { kind: 'blended', terms, tieBreaker: random.below(2) === 0 ? 0 : 0.3 }
}

function combinedFields({ random, word }: Parts): Query {
  const names = random.below(4) === 0 ? ['title'] : ['body', 'title']
  const fields = names.map(field => ({ field, weight: boost(random) }))
  const terms = [...new Set(Array.from({ length: 1 + random.below(2) }, word))].sort()
  const k1 = Math.fround([0, 0.4, 1.2, 3][random.below(4)]!)
  const b = Math.fround([0, 0.3, 0.75, 1][random.below(4)]!)
  const factor = random.below(3) === 0 ? Math.fround(1 + k1) : 1
  const similarity = { kind: 'bm25', parameters: { k1, b }, factor } as const
  return {
    kind: 'combinedFields',
    fields,
    terms,
    similarity: random.below(2) === 0 ? null : similarity,
  }
}

function covering({ random, inner }: Parts): Query {
  const queries = Array.from({ length: 1 + random.below(4) }, inner)
  const column = { field: 'num', encoding: 'long', scale: 1 } as const
  return { kind: 'covering', queries, minimum: { kind: 'field', column } }
}

function integerRuns({ random }: Parts): Query {
  const runs: { lower: bigint; upper: bigint }[] = []
  for (let at = random.below(10) - 22; at < 22; at += 2 + random.below(20)) {
    const upper = at + random.below(4)
    runs.push({ lower: BigInt(at), upper: BigInt(upper) })
    at = upper
  }
  const shape = random.below(4)
  return { kind: 'integerRuns', field: 'num', runs, indexed: shape !== 1, docValues: shape !== 2 }
}

function functionScore({ random, inner }: Parts): Query {
  const functions = Array.from({ length: random.below(4) }, () => ({
    filter: random.below(2) === 0 ? null : inner(),
    function: scoreFunction(random),
    weight: random.below(2) === 0 ? null : boost(random),
  }))
  const combination = {
    scoreMode: pick(random, ['multiply', 'sum', 'avg', 'first', 'max', 'min'] as const),
    boostMode: pick(random, ['multiply', 'replace', 'sum', 'avg', 'max', 'min'] as const),
    maxBoost: random.below(3) === 0 ? 2 : 3.4028234663852886e38,
    minScore: random.below(4) === 0 ? Math.fround(random.next() * 2) : null,
  }
  return { kind: 'functionScore', query: inner(), functions, combination }
}

/** A query with a script beside or around it. */
function scripted(query: Query): Query {
  const random = scriptChoice
  const script = randomScript(random, random.below(2) === 0 ? 'filter' : 'score')
  if (script.context === 'filter') {
    const filter: Query = { kind: 'script', script }
    const clauses = [
      { occur: 'must' as const, query },
      { occur: random.below(3) === 0 ? ('must_not' as const) : ('filter' as const), query: filter },
    ]
    return random.below(4) === 0 ? filter : { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  }
  const minScore = random.below(3) === 0 ? Math.fround(random.next() * 3) : null
  return { kind: 'scriptScore', query, script, minScore }
}

function distanceFeature({ random }: Parts): Query {
  const value = BigInt(random.below(60) - 30)
  const origin = {
    kind: 'long',
    hi: highHalf(value),
    lo: lowHalf(value),
    text: `${value}`,
  } as const
  return { kind: 'distanceFeature', field: 'num', origin, pivot: 1 + random.below(30) }
}

function scoreFunction(random: Random): ScoreFunction {
  const column = { field: 'num', encoding: 'long', scale: 1 } as const
  const kind = random.below(3)
  if (scriptChoice.below(4) === 0)
    return { kind: 'script', script: randomScript(scriptChoice, 'score') }
  if (kind === 0) return { kind: 'one' }
  if (kind === 1)
    return { kind: 'fieldValue', field: 'num', column, factor: 0.5, modifier: 'square', missing: 3 }
  return {
    kind: 'decay',
    shape: pick(random, ['gauss', 'exp', 'linear'] as const),
    field: 'num',
    origin: { kind: 'number', column, value: random.below(20) - 10 },
    scale: 1 + random.below(20),
    offset: random.below(3),
    decay: 0.5,
    mode: random.below(2) === 0 ? 'min' : 'max',
  }
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)] as T
}

function spans({ random, word }: Parts): Query {
  return { kind: 'span', field: 'body', span: randomSpan(random, word, 2) }
}

function randomSpan(random: Random, word: () => string, depth: number): Span {
  const inner = (): Span => randomSpan(random, word, depth - 1)
  const several = (): Span[] => Array.from({ length: 2 + random.below(2) }, inner)
  switch (depth === 0 ? 0 : random.below(8)) {
    case 1:
      return { kind: 'or', spans: several() }
    case 2:
    case 3:
      return { kind: 'near', spans: several(), slop: random.below(5), inOrder: true }
    case 4:
      return { kind: 'near', spans: several(), slop: random.below(5), inOrder: false }
    case 5:
      return { kind: 'first', span: inner(), end: 1 + random.below(12) }
    case 6: {
      const [pre, post] = [random.below(3), random.below(3)]
      return { kind: 'not', include: inner(), exclude: inner(), pre, post }
    }
    case 7: {
      const kind = random.below(2) === 0 ? 'containing' : 'within'
      return { kind, big: inner(), little: inner() }
    }
  }
  return { kind: 'term', term: word() }
}

function intervals({ random, word }: Parts): Query {
  return { kind: 'positionIntervals', field: 'body', source: randomSource(random, word, 2) }
}

function randomSource(random: Random, word: () => string, depth: number): IntervalSource {
  const inner = (): IntervalSource => randomSource(random, word, depth - 1)
  const several = (): IntervalSource[] => Array.from({ length: 2 + random.below(2) }, inner)
  switch (depth === 0 ? 0 : random.below(8)) {
    case 1:
      return { kind: 'or', sources: several() }
    case 2:
      return { kind: 'block', sources: [word(), word()].map(term => ({ kind: 'term', term })) }
    case 3:
    case 4:
      return { kind: 'ordered', sources: several() }
    case 5:
      return { kind: 'unordered', sources: several() }
    case 6: {
      const [before, after] = [random.below(3), random.below(3)]
      return { kind: 'extend', source: inner(), before, after }
    }
    case 7: {
      const relation = pick(random, [
        'containing',
        'containedBy',
        'overlapping',
        'notContaining',
        'notContainedBy',
        'notOverlapping',
      ] as const)
      return { kind: 'related', relation, source: inner(), other: inner() }
    }
  }
  return { kind: 'term', term: word() }
}
