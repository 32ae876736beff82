/** Queries in the languages of query strings. */
import type { BooleanClause, Query } from '../../../src/search/query/query.ts'
import type { Random } from '../../../src/util/random.ts'
import { plainExpansion } from '../plain-terms.ts'
import {
  allOf,
  anyOf,
  boostedBy,
  boostKey,
  type Draw,
  type DrawnQuery,
  type Made,
  oneOf,
  several,
} from './kind.ts'
import type { PlainShard } from './plain-shard.ts'
import { fuzzyTerm, misspelt, numbersBetween } from './term-kinds.ts'
import { bestOf, phraseOn } from './text-kinds.ts'

/** A part of a text, and what it means on a field; null: on fields of its own. */
interface Leaf {
  readonly text: string
  readonly isWord: boolean
  on(shard: PlainShard, field: string): Query
}

/** What texts are drawn from. */
type DrawText = Pick<Draw, 'random' | 'word'>

function randomLeaf({ random, word }: DrawText): Leaf {
  const leaf = (text: string, on: Leaf['on'], isWord = false): Leaf => ({ text, on, isWord })
  const choice = random.below(8)
  const first = word()
  if (choice === 0) {
    const words = [first, word()]
    const slop = random.below(2) === 0 ? 0 : 2
    const text = `"${words.join(' ')}"${slop === 0 ? '' : `~${slop}`}`
    return leaf(text, (_, field) => phraseOn(field, words, slop))
  }
  if (choice === 1) {
    const prefix = first.slice(0, 2)
    return leaf(`${prefix}*`, (_, field) => ({ kind: 'prefix', field, prefix }))
  }
  if (choice === 2) {
    const text = misspelt(random, first)
    return leaf(`${text}~1`, ({ documents }, field) =>
      plainExpansion(fuzzyTerm(field, text, 1), documents),
    )
  }
  return leaf(first, (_, field) => ({ kind: 'term', field, term: first }), true)
}

function fieldsOf(random: Random): readonly string[] {
  return random.below(3) === 0 ? ['body', 'title'] : ['body']
}

type Conjunction = 'and' | 'or' | 'none'

/** A clause with its operator and sign. */
interface Clause {
  readonly text: string
  readonly conjunction: Conjunction
  readonly sign: 'required' | 'prohibited' | 'none'
  on(shard: PlainShard): Query
}

const SIGNS = { required: '+', prohibited: '-', none: '' } as const
const CONJUNCTIONS = { and: 'AND ', or: 'OR ', none: '' } as const

function randomClause(
  draw: DrawText,
  fields: readonly string[],
  depth: number,
  isFirst: boolean,
): Clause {
  const { random } = draw
  // Words without an operator between them would be analysed together.
  const conjunction: Conjunction = isFirst ? 'none' : oneOf(random, ['and', 'or', 'none'])
  const sign = oneOf(
    random,
    conjunction === 'none' && !isFirst
      ? ['required', 'prohibited']
      : ['none', 'none', 'required', 'prohibited'],
  )
  const inner = ((): Pick<Clause, 'text' | 'on'> => {
    if (depth > 0 && random.below(5) === 0) {
      const group = randomClauses(draw, fields, depth - 1)
      return { text: `(${group.text})`, on: group.on }
    }
    if (random.below(10) === 0) {
      const [from, to] = [random.below(20) - 20, random.below(20)]
      return { text: `num:[${from} TO ${to}]`, on: () => numbersBetween('num', from, to) }
    }
    const leaf = randomLeaf(draw)
    return {
      text: leaf.text,
      on: shard =>
        bestOf(
          fields.map(field => leaf.on(shard, field)),
          0,
        ),
    }
  })()
  return { ...inner, conjunction, sign }
}

function randomClauses(
  draw: DrawText,
  fields: readonly string[],
  depth: number,
): { readonly text: string; on(shard: PlainShard): Query } {
  const count = 1 + draw.random.below(4)
  const clauses = Array.from({ length: count }, (_, i) =>
    randomClause(draw, fields, depth, i === 0),
  )
  return {
    text: clauses
      .map(({ text, conjunction, sign }) => CONJUNCTIONS[conjunction] + SIGNS[sign] + text)
      .join(' '),
    on: shard => putTogether(clauses, shard),
  }
}

/** From left to right: `AND` makes the clause before it required too. */
function putTogether(clauses: readonly Clause[], shard: PlainShard): Query {
  const made: BooleanClause[] = []
  for (const { conjunction, sign, on } of clauses) {
    const before = made.at(-1)
    if (conjunction === 'and' && before !== undefined && before.occur !== 'must_not')
      made[made.length - 1] = { ...before, occur: 'must' }
    const isRequired = sign === 'required' || conjunction === 'and'
    const occur = sign === 'prohibited' ? 'must_not' : isRequired ? 'must' : 'should'
    made.push({ occur, query: on(shard) })
  }
  if (made.every(({ occur }) => occur === 'must_not'))
    made.push({ occur: 'filter', query: { kind: 'matchAll' } })
  return { kind: 'boolean', clauses: made, minimumShouldMatch: 0 }
}

export function queryString(draw: Draw): Made {
  const boost = boostKey(draw.random)
  const fields = fieldsOf(draw.random)
  const { text, on } = randomClauses(draw, fields, 1)
  return {
    body: { query: text, fields, ...boost },
    on: shard => boostedBy(on(shard), boost),
  }
}

/** The query of a URL: a query string over one field. */
export function drawUrlQuery(draw: DrawText): {
  readonly query: DrawnQuery
  readonly params: Readonly<Record<string, string>>
} {
  const field = oneOf(draw.random, ['body', 'title'])
  const { text, on } = randomClauses(draw, [field], 1)
  return {
    query: { dsl: {}, names: [], mustBecomesFilter: false, on },
    params: {
      q: text,
      df: field,
      default_operator: 'OR',
      analyzer: 'whitespace',
      analyze_wildcard: oneOf(draw.random, ['true', 'false']),
      lenient: oneOf(draw.random, ['true', 'false']),
    },
  }
}

export function simpleQueryString(draw: Draw): Made {
  const { random } = draw
  const boost = boostKey(random)
  const fields = fieldsOf(random)
  const isAnd = random.below(2) === 0
  const operands = several(1 + random.below(4), () => ({
    leaf: randomLeaf(draw),
    isNegative: random.below(6) === 0,
  }))
  const query = operands
    .map(({ leaf, isNegative }) => (isNegative ? '-' : '') + leaf.text)
    .join(isAnd ? ' + ' : ' | ')
  return {
    body: { query, fields, ...boost },
    on(shard) {
      const queries = operands.map(({ leaf, isNegative }): Query => {
        const perField = fields.map(field => leaf.on(shard, field))
        const own = bestOf(perField, leaf.text.startsWith('"') ? 0 : 1)
        if (!isNegative) return own
        const clauses: BooleanClause[] = [
          { occur: 'must_not', query: own },
          { occur: 'should', query: { kind: 'matchAll' } },
        ]
        return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
      })
      const [only] = queries
      const all = queries.length === 1 ? only! : isAnd ? allOf(queries) : anyOf(queries)
      return boostedBy(all, boost)
    },
  }
}
