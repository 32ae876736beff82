import { describe, expect, it } from 'vitest'
import type { IntervalSource } from '../../../../src/search/query/query.ts'
import type { PositionPostings } from '../../../../src/search/scorer/freq-postings.ts'
import { AnyIntervals } from '../../../../src/search/scorer/interval/any-intervals.ts'
import { BlockIntervals } from '../../../../src/search/scorer/interval/block-intervals.ts'
import {
  type Intervals,
  NO_MORE_INTERVALS,
} from '../../../../src/search/scorer/interval/intervals.ts'
import { MovedIntervals } from '../../../../src/search/scorer/interval/moved-intervals.ts'
import { OrderedIntervals } from '../../../../src/search/scorer/interval/ordered-intervals.ts'
import { RelatedIntervals } from '../../../../src/search/scorer/interval/related-intervals.ts'
import { TermIntervals } from '../../../../src/search/scorer/interval/term-intervals.ts'
import { UnorderedIntervals } from '../../../../src/search/scorer/interval/unordered-intervals.ts'
import { Random } from '../../../../src/util/random.ts'
import { plainIntervals } from '../../../support/plain-intervals.ts'

const SEED = 7
const CASES = 20_000

/** The postings of a term in a text, which is document 0. */
function postings(term: string, tokens: readonly string[]): PositionPostings {
  const positions = tokens.flatMap((token, at) => (token === term ? [at] : []))
  let next = 0
  return {
    docId: () => (positions.length > 0 ? 0 : 1),
    nextDoc: () => 1,
    advance: () => 1,
    cost: () => 1,
    freq: () => positions.length,
    nextPosition: () => positions[next++]!,
    shallowAdvance: () => 1,
    maxImpact: () => 1,
  }
}

function made(source: IntervalSource, tokens: readonly string[]): Intervals {
  const of = (inner: IntervalSource): Intervals => made(inner, tokens)
  switch (source.kind) {
    case 'term':
      return new TermIntervals(postings(source.term, tokens))
    case 'or':
      return new AnyIntervals(source.sources.map(of))
    case 'block':
      return new BlockIntervals(source.sources.map(of))
    case 'ordered':
      return new OrderedIntervals(source.sources.map(of))
    case 'unordered':
      return new UnorderedIntervals(source.sources.map(of))
    case 'extend':
      return new MovedIntervals(of(source.source), (start, end) => [
        Math.max(0, start - source.before),
        end + source.after,
      ])
    case 'related':
      return new RelatedIntervals(of(source.source), of(source.other), source.relation)
    default:
      throw new Error(`no ${source.kind} here`)
  }
}

const RELATIONS = [
  'containing',
  'containedBy',
  'overlapping',
  'notContaining',
  'notContainedBy',
  'notOverlapping',
] as const

function randomSource(random: Random, depth: number): IntervalSource {
  const inner = (): IntervalSource => randomSource(random, depth - 1)
  const several = (): IntervalSource[] => Array.from({ length: 2 + random.below(2) }, inner)
  switch (depth === 0 ? 0 : random.below(7)) {
    case 1:
      return { kind: 'or', sources: several() }
    case 2:
      return { kind: 'block', sources: [randomSource(random, 0), randomSource(random, 0)] }
    case 3:
      return { kind: 'ordered', sources: several() }
    case 4:
      return { kind: 'unordered', sources: several() }
    case 5:
      return { kind: 'extend', source: inner(), before: random.below(3), after: random.below(3) }
    case 6: {
      const relation = RELATIONS[random.below(RELATIONS.length)]!
      return { kind: 'related', relation, source: inner(), other: inner() }
    }
  }
  return { kind: 'term', term: 'abcd'[random.below(4)]! }
}

describe('intervals', () => {
  it(`are the minimal ones in ${CASES} random texts (seed ${SEED})`, () => {
    const random = new Random(SEED)
    let found = 0
    for (let i = 0; i < CASES; i++) {
      const query = randomSource(random, 1 + random.below(3))
      const tokens = Array.from({ length: random.below(14) }, () => 'abcde'[random.below(5)]!)
      const intervals = made(query, tokens)
      const all: { start: number; end: number }[] = []
      if (intervals.open(0))
        while (intervals.next() !== NO_MORE_INTERVALS)
          all.push({ start: intervals.start, end: intervals.end })
      expect(all, `${JSON.stringify(query)} in ${tokens.join(' ')}`).toEqual(
        plainIntervals(query, tokens),
      )
      found += all.length
    }
    expect(found).toBeGreaterThan(CASES / 2)
  })
})
