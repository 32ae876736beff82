/** Random collections and queries: few words, so that ties, long postings and matches are common. */
import type { FieldSimilarities, Query, Span } from '../../src/search/query/query.ts'
import type { Occur } from '../../src/search/weight/weight-node.ts'
import { Random } from '../../src/util/random.ts'
import type { PlainDocument, PlainFields } from './plain-leaf.ts'
import { randomOfKinds } from './random-kinds.ts'

export const FIELDS: PlainFields = {
  text: ['body', 'title'],
  keywords: ['tag'],
  numbers: ['num'],
}

/** Words by falling frequency: about one in two documents has the first. */
export const WORDS = ['the', 'sea', 'ship', 'sail', 'wind', 'gull', 'rope', 'oar', 'reef', 'kelp']

function word(random: Random): string {
  // A square favours the front of the list.
  return WORDS[Math.floor(random.next() ** 2 * WORDS.length)] ?? 'the'
}

export function randomDocument(random: Random, id: number, deletes: number): PlainDocument {
  const text = new Map<string, string[]>()
  const keywords = new Map<string, string[]>()
  const numbers = new Map<string, bigint[]>()
  if (random.below(20) > 0) {
    const length = random.below(4) === 0 ? random.below(60) : random.below(8)
    text.set(
      'body',
      Array.from({ length }, () => (random.below(15) === 0 ? '' : word(random))),
    )
  }
  if (random.below(3) > 0)
    text.set('title', [word(random), ...(random.below(2) ? [word(random)] : [])])
  if (random.below(3) > 0)
    keywords.set(
      'tag',
      Array.from({ length: 1 + random.below(2) }, () => `t${random.below(12)}`),
    )
  if (random.below(4) > 0) {
    const values = Array.from({ length: 1 + random.below(2) }, () => BigInt(random.below(40) - 20))
    numbers.set(
      'num',
      values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    )
  }
  return { id: `d${id}`, text, keywords, numbers, isLive: random.next() >= deletes }
}

/** Chooses similarities, so that queries without one are those of their seeds. */
const similarityChoice = new Random(2326)

/** A query of at most `depth` levels of compounds, some scored by parameters of their fields. */
export function randomQuery(random: Random, depth: number): Query {
  const query = randomPlain(random, depth)
  if (similarityChoice.below(6) > 0) return query
  const similarities = ['body', 'title', 'tag'].flatMap((field): FieldSimilarities => {
    if (similarityChoice.below(3) === 0) return []
    const k1 = Math.fround([0, 0.4, 1.2, 3][similarityChoice.below(4)]!)
    const b = Math.fround([0, 0.3, 0.75, 1][similarityChoice.below(4)]!)
    const factor = similarityChoice.below(3) === 0 ? Math.fround(1 + k1) : 1
    return [[field, { kind: 'bm25', parameters: { k1, b }, factor }]]
  })
  return { kind: 'similarity', query, similarities }
}

function randomPlain(random: Random, depth: number): Query {
  if (random.below(8) === 0)
    return randomOfKinds({
      random,
      word: () => (random.below(40) === 0 ? 'absent' : word(random)),
      inner: () => randomQuery(random, depth - 1),
    })
  const kind = random.below(depth > 0 ? 22 : 12)
  const field = random.below(4) === 0 ? 'title' : 'body'
  const term = random.below(40) === 0 ? 'absent' : word(random)
  if (kind < 5) return { kind: 'term', field, term }
  if (kind === 5) return random.below(2) === 0 ? randomPhrase(random) : randomSeveral(random)
  if (kind === 6) return { kind: 'matchAll' }
  if (kind === 7)
    return {
      kind: 'constantScore',
      query: { kind: 'term', field: 'tag', term: `t${random.below(14)}` },
    }
  if (kind === 8) {
    const terms = [
      ...new Set(Array.from({ length: 1 + random.below(4) }, () => `t${random.below(14)}`)),
    ]
    return { kind: 'termsInSet', field: 'tag', terms: terms.sort() }
  }
  if (kind === 9) return randomRange(random)
  if (kind === 10) {
    if (random.below(2) === 0)
      return { kind: 'prefix', field: 'tag', prefix: random.below(2) ? 't1' : 't' }
    const [lower, upper] = [`t${random.below(9)}`, `t${random.below(9)}`].sort()
    const open = random.below(3) === 0
    return {
      kind: 'termRange',
      field: 'tag',
      lower: open ? null : (lower ?? null),
      upper: upper ?? null,
      includeLower: random.below(2) === 0,
      includeUpper: random.below(2) === 0,
    }
  }
  if (kind === 11) {
    if (random.below(5) === 0) {
      const max = 2 + random.below(3)
      const slice = random.below(max)
      return random.below(3) === 0
        ? { kind: 'slice', column: 'numericValues', field: 'num', slice, max }
        : { kind: 'slice', column: 'ids', field: '_id', slice, max }
    }
    if (random.below(3) === 0)
      return {
        kind: 'ids',
        ids: [...new Set([`d${random.below(300)}`, `d${random.below(300)}`])].sort(),
      }
    return {
      kind: 'fieldExists',
      field: ['body', 'title', 'tag', 'num'][random.below(4)] ?? 'tag',
      listed: false,
    }
  }
  if (kind < 19) return randomBoolean(random, depth)
  if (kind === 19) {
    const queries = Array.from({ length: 1 + random.below(3) }, () =>
      randomQuery(random, depth - 1),
    )
    return { kind: 'disMax', queries, tieBreaker: random.below(2) === 0 ? 0 : 0.3 }
  }
  if (kind === 20)
    return {
      kind: 'boosting',
      positive: randomQuery(random, depth - 1),
      negative: randomQuery(random, depth - 1),
      negativeBoost: random.below(2) === 0 ? 0.2 : 1.5,
    }
  const boost = Math.fround(random.below(3) === 0 ? 0.1 : 1 + random.next() * 3)
  return { kind: 'boost', query: randomQuery(random, depth - 1), boost }
}

function randomPhrase(random: Random): Query {
  const length = 2 + random.below(2)
  const terms = Array.from({ length }, () => word(random))
  let position = 0
  const positions = terms.map(
    (_, i) => (position += i === 0 ? 0 : 1 + (random.below(6) === 0 ? 1 : 0)),
  )
  return {
    kind: 'phrase',
    field: 'body',
    terms,
    positions,
    slop: random.below(2) === 0 ? 0 : 1 + random.below(5),
  }
}

/** Terms in one another's place: synonyms, phrases with some at a position, paths of a graph. */
function randomSeveral(random: Random): Query {
  const field = 'body'
  const some = (): string[] =>
    [...new Set(Array.from({ length: 1 + random.below(3) }, () => word(random)))].sort()
  const shape = random.below(3)
  if (shape === 0) return { kind: 'synonym', field, terms: some() }
  if (shape === 1) {
    const terms = Array.from({ length: 2 + random.below(2) }, some)
    return { kind: 'multiPhrase', field, terms, positions: terms.map((_, i) => 2 * i), slop: 0 }
  }
  const [first = 'the', second = 'sea'] = [...new Set([word(random), ...WORDS])]
  const term = (text: string): Span => ({ kind: 'term', term: text })
  const near = (spans: readonly Span[]): Span => ({ kind: 'near', spans, slop: 0, inOrder: true })
  // No two ways start with one word: behind another span only the first of such would be tried.
  const path: Span = near([term(first), term(word(random))])
  const paths: Span = { kind: 'or', spans: [path, term(random.below(9) === 0 ? 'absent' : second)] }
  const gap: Span[] = random.below(3) === 0 ? [{ kind: 'gap', width: 1 }] : []
  const spans = [term(word(random)), ...gap, paths, term(word(random))]
  if (random.below(3) === 0) spans.shift()
  while (spans[0]?.kind === 'gap') spans.shift()
  return { kind: 'span', field, span: random.below(4) === 0 ? paths : near(spans) }
}

function randomRange(random: Random): Query {
  const [a, b] = [BigInt(random.below(44) - 22), BigInt(random.below(44) - 22)]
  const [lower, upper] = a < b ? [a, b] : [b, a]
  const shape = random.below(4)
  return {
    kind: 'pointRange',
    field: 'num',
    lower,
    upper,
    lowerText: `${lower}`,
    upperText: `${upper}`,
    indexed: shape !== 1,
    docValues: shape !== 2,
  }
}

function randomBoolean(random: Random, depth: number): Query {
  if (random.below(25) === 0) return randomLongDisjunction(random)
  const style = random.below(4)
  const count = 1 + random.below(4)
  const clauses = Array.from({ length: count }, () => {
    const occurs: readonly Occur[] =
      style === 0
        ? ['should']
        : style === 1
          ? ['must', 'must', 'filter']
          : ['must', 'should', 'should', 'filter', 'must_not']
    const occur = occurs[random.below(occurs.length)] ?? 'should'
    return { occur, query: randomQuery(random, depth - 1) }
  })
  const shoulds = clauses.filter(clause => clause.occur === 'should').length
  const most = random.below(3) === 0 ? Math.min(shoulds, 1 + random.below(3)) : 0
  return { kind: 'boolean', clauses, minimumShouldMatch: most }
}

/** More clauses than bits in a word. */
function randomLongDisjunction(random: Random): Query {
  const clauses = Array.from({ length: 20 + random.below(30) }, () => ({
    occur: random.below(30) === 0 ? ('must_not' as const) : ('should' as const),
    query: randomQuery(random, 0),
  }))
  return { kind: 'boolean', clauses, minimumShouldMatch: random.below(4) }
}
