/** Queries of texts. */
import type { Query } from '../../../src/search/query/query.ts'
import { compareBytes, encodeUtf8 } from '../../../src/util/bytes.ts'
import type { Random } from '../../../src/util/random.ts'
import { plainExpansion } from '../plain-terms.ts'
import {
  allOf,
  anyOf,
  boostedBy,
  boostKey,
  type Draw,
  type Made,
  NOTHING,
  oneOf,
  several,
} from './kind.ts'
import type { PlainShard } from './plain-shard.ts'
import { autoEdits, fuzzyTerm, misspelt } from './term-kinds.ts'

const f32 = Math.fround

/** How the words of a match are put together. */
interface WordOptions {
  readonly operator?: 'or' | 'and'
  readonly minimum_should_match?: number
  readonly fuzziness?: 'AUTO'
}

function wordOptions(random: Random): WordOptions {
  switch (random.below(5)) {
    case 0:
      return { operator: 'and' }
    case 1:
      return { minimum_should_match: 1 + random.below(3) }
    case 2:
      return { fuzziness: 'AUTO' }
    default:
      return {}
  }
}

/** One word of a match. */
function wordQuery(shard: PlainShard, field: string, word: string, isFuzzy: boolean): Query {
  if (!isFuzzy) return { kind: 'term', field, term: word }
  return plainExpansion(fuzzyTerm(field, word, autoEdits(word)), shard.documents)
}

function combined(queries: readonly Query[], options: WordOptions): Query {
  if (queries.length === 1) return queries[0]!
  if (options.operator === 'and') return allOf(queries)
  return anyOf(queries, options.minimum_should_match ?? 0)
}

function matchOn(
  shard: PlainShard,
  field: string,
  words: readonly string[],
  options: WordOptions,
): Query {
  const isFuzzy = options.fuzziness !== undefined
  return combined(
    words.map(word => wordQuery(shard, field, word, isFuzzy)),
    options,
  )
}

/** The words of a phrase. */
export function phraseOn(field: string, words: readonly string[], slop: number): Query {
  if (words.length === 1) return { kind: 'term', field, term: words[0]! }
  return { kind: 'phrase', field, terms: words, positions: words.map((_, i) => i), slop }
}

function phrasePrefixOn(shard: PlainShard, field: string, words: readonly string[]): Query {
  const start = words.at(-1)!
  const ends = [...shard.terms(field).keys()].filter(each => each.startsWith(start)).slice(0, 50)
  if (ends.length === 0) return NOTHING
  if (words.length === 1)
    return anyOf(ends.map((each): Query => ({ kind: 'term', field, term: each })))
  const terms = [...words.slice(0, -1).map(word => [word]), ends]
  return { kind: 'multiPhrase', field, terms, positions: terms.map((_, i) => i), slop: 0 }
}

function boolPrefixOn(field: string, words: readonly string[], options: WordOptions): Query {
  const queries = words.map(
    (word, i): Query =>
      i === words.length - 1
        ? { kind: 'prefix', field, prefix: word }
        : { kind: 'term', field, term: word },
  )
  return combined(queries, options)
}

function textField(random: Random): string {
  return oneOf(random, ['body', 'body', 'title'])
}

function randomWords({ random, word }: Draw, most: number): string[] {
  return several(1 + random.below(most), word)
}

export function match(draw: Draw): Made {
  const { random } = draw
  const boost = boostKey(random)
  if (random.below(12) === 0) {
    const value = random.below(14)
    return {
      body: { first: { query: value, ...boost } },
      mustBecomesFilter: true,
      on: () =>
        boostedBy(
          {
            kind: 'pointInSet',
            field: 'first',
            values: [BigInt(value)],
            texts: [`${value}`],
            indexed: true,
            docValues: true,
          },
          boost,
        ),
    }
  }
  const field = textField(random)
  const options = wordOptions(random)
  const isFuzzy = options.fuzziness !== undefined
  const words = randomWords(draw, 4).map(each =>
    isFuzzy && random.below(2) === 0 ? misspelt(random, each) : each,
  )
  return {
    body: { [field]: { query: words.join(' '), ...options, ...boost } },
    on: shard => boostedBy(matchOn(shard, field, words, options), boost),
  }
}

export function matchPhrase(draw: Draw): Made {
  const { random } = draw
  const boost = boostKey(random)
  const words = randomWords(draw, 3)
  const slop = random.below(2) === 0 ? 0 : random.below(5)
  return {
    body: { body: { query: words.join(' '), slop, ...boost } },
    on: () => boostedBy(phraseOn('body', words, slop), boost),
  }
}

/** Words of which the last is the start of one. */
function openWords(draw: Draw): string[] {
  const words = randomWords(draw, 3)
  const last = words.pop()!
  return [...words, last.slice(0, 1 + draw.random.below(last.length))]
}

export function matchPhrasePrefix(draw: Draw): Made {
  const boost = boostKey(draw.random)
  const words = openWords(draw)
  return {
    body: { body: { query: words.join(' '), ...boost } },
    on: shard => boostedBy(phrasePrefixOn(shard, 'body', words), boost),
  }
}

export function matchBoolPrefix(draw: Draw): Made {
  const boost = boostKey(draw.random)
  const words = openWords(draw)
  const options: WordOptions = draw.random.below(3) === 0 ? { operator: 'and' } : {}
  return {
    body: { body: { query: words.join(' '), ...options, ...boost } },
    on: () => boostedBy(boolPrefixOn('body', words, options), boost),
  }
}

/** Fields of a query with their boosts. */
interface BoostedField {
  readonly field: string
  readonly boost?: number
}

function fieldsOf(random: Random): readonly BoostedField[] {
  const title = random.below(3) === 0 ? { field: 'title', boost: 2.5 } : { field: 'title' }
  return random.below(4) === 0 ? [title] : [{ field: 'body' }, title]
}

function fieldTexts(fields: readonly BoostedField[]): string[] {
  return fields.map(({ field, boost }) => (boost === undefined ? field : `${field}^${boost}`))
}

/** The best of what each field gives. */
export function bestOf(queries: readonly Query[], tieBreaker: number): Query {
  return queries.length === 1 ? queries[0]! : { kind: 'disMax', queries, tieBreaker }
}

export function multiMatch(draw: Draw): Made {
  const { random } = draw
  const type = oneOf(random, [
    'best_fields',
    'most_fields',
    'cross_fields',
    'phrase',
    'phrase_prefix',
    'bool_prefix',
  ])
  const boost = boostKey(random)
  const fields = fieldsOf(random)
  const isOpen = type === 'phrase_prefix' || type === 'bool_prefix'
  const words = isOpen ? openWords(draw) : randomWords(draw, 3)
  const isPlain = type === 'best_fields' || type === 'most_fields'
  const options: WordOptions = isPlain
    ? wordOptions(random)
    : type === 'cross_fields' && random.below(2) === 0
      ? { operator: 'and' }
      : {}
  const tie = type === 'best_fields' && random.below(2) === 0 ? { tie_breaker: 0.25 } : {}
  const onField = (shard: PlainShard, field: string): Query => {
    switch (type) {
      case 'phrase':
        return phraseOn(field, words, 0)
      case 'phrase_prefix':
        return phrasePrefixOn(shard, field, words)
      case 'bool_prefix':
        return boolPrefixOn(field, words, options)
      default:
        return matchOn(shard, field, words, options)
    }
  }
  const sum = type === 'most_fields' || type === 'bool_prefix' ? 1 : 0
  const across = (): Query =>
    combined(
      words.map(term => ({
        kind: 'blended',
        terms: fields.map(each => ({ field: each.field, term, boost: each.boost ?? 1 })),
        tieBreaker: 0,
      })),
      options,
    )
  return {
    body: {
      query: words.join(' '),
      type,
      fields: fieldTexts(fields),
      ...options,
      ...tie,
      ...boost,
    },
    on: shard =>
      boostedBy(
        type === 'cross_fields'
          ? across()
          : bestOf(
              fields.map(each => boostedBy(onField(shard, each.field), each)),
              tie.tie_breaker ?? sum,
            ),
        boost,
      ),
  }
}

export function combinedFields(draw: Draw): Made {
  const { random } = draw
  const boost = boostKey(random)
  const fields = fieldsOf(random)
  const words = randomWords(draw, 3)
  const options: WordOptions = random.below(3) === 0 ? { operator: 'and' } : {}
  const weights = fields.map(each => ({ field: each.field, weight: each.boost ?? 1 }))
  const queries = words.map(
    (each): Query => ({ kind: 'combinedFields', fields: weights, terms: [each], similarity: null }),
  )
  return {
    body: { query: words.join(' '), fields: fieldTexts(fields), ...options, ...boost },
    on: () => boostedBy(combined(queries, options), boost),
  }
}

export function moreLikeThis(draw: Draw): Made {
  const { random } = draw
  const boost = boostKey(random)
  const fields = random.below(2) === 0 ? ['body'] : ['body', 'title']
  const words = randomWords(draw, 8)
  const [most, minFreq, minDocs] = [1 + random.below(5), 1 + random.below(2), 1 + random.below(9)]
  const boostTerms = random.below(2) === 0 ? 0 : 1.5
  const minimum = 1 + random.below(2)
  return {
    body: {
      fields,
      like: words.join(' '),
      max_query_terms: most,
      min_term_freq: minFreq,
      min_doc_freq: minDocs,
      boost_terms: boostTerms,
      minimum_should_match: minimum,
      ...boost,
    },
    on(shard) {
      const found = likeWords(shard, fields, words, minFreq, minDocs).slice(0, most).reverse()
      if (found.length === 0) return NOTHING
      const lowest = found[0]!.rating
      const clauses = found.map(({ field, word, rating }): Query => {
        const term: Query = { kind: 'term', field, term: word }
        const factor = f32(f32(boostTerms * rating) / lowest)
        return boostTerms === 0 ? term : boostedBy(term, { boost: factor })
      })
      return boostedBy(anyOf([anyOf(clauses, minimum)]), boost)
    },
  }
}

/** The words of a text that are typical of it, the most typical first. */
function likeWords(
  shard: PlainShard,
  fields: readonly string[],
  words: readonly string[],
  minFreq: number,
  minDocs: number,
): readonly { readonly field: string; readonly word: string; readonly rating: number }[] {
  const rated = [...new Set(words)].flatMap(word => {
    const freq = words.filter(each => each === word).length
    const freqs = fields.map(field => shard.terms(field).get(word) ?? 0)
    const docFreq = Math.max(...freqs)
    if (freq < minFreq || docFreq === 0 || docFreq < minDocs) return []
    const idf = f32(Math.log((shard.numDocs + 1) / (docFreq + 1)) + 1)
    return [{ field: fields[freqs.indexOf(docFreq)]!, word, rating: f32(freq * idf) }]
  })
  return rated.sort(
    (a, b) => b.rating - a.rating || compareBytes(encodeUtf8(a.word), encodeUtf8(b.word)),
  )
}
