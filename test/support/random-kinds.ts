/** Random queries of the kinds beyond terms, phrases and ranges. */
import type { Query } from '../../src/search/query/query.ts'
import type { Random } from '../../src/util/random.ts'

/** Makes of a random generator what a kind is made of. */
interface Parts {
  readonly random: Random
  word(): string
  /** Any query, of a level less. */
  inner(): Query
}

const KINDS: readonly ((parts: Parts) => Query)[] = [blended, combinedFields, covering, integerRuns]

/** A query of one of the kinds. */
export function randomOfKinds(parts: Parts): Query {
  return KINDS[parts.random.below(KINDS.length)]!(parts)
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
  return { kind: 'combinedFields', fields, terms }
}

function covering({ random, inner }: Parts): Query {
  const queries = Array.from({ length: 1 + random.below(4) }, inner)
  return { kind: 'covering', queries, minimum: { field: 'num', encoding: 'long', scale: 1 } }
}

function integerRuns({ random }: Parts): Query {
  const runs: { lower: number; upper: number }[] = []
  for (let at = random.below(10) - 22; at < 22; at += 2 + random.below(20)) {
    const upper = at + random.below(4)
    runs.push({ lower: at, upper })
    at = upper
  }
  const shape = random.below(4)
  return { kind: 'integerRuns', field: 'num', runs, indexed: shape !== 1, docValues: shape !== 2 }
}
