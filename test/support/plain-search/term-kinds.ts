/** Queries of terms and values. */
import type { Query, TermPattern, TermRewrite } from '../../../src/search/query/query.ts'
import type { Random } from '../../../src/util/random.ts'
import { randomScript } from '../plain-scripts.ts'
import { plainExpansion } from '../plain-terms.ts'
import { DAY, EPOCH } from './collection.ts'
import { boostedBy, boostKey, type Draw, type Made, NOTHING, oneOf, several } from './kind.ts'
import { scriptBody } from './scripts.ts'

/** A field of whole numbers with its values of a query. */
function numberField(random: Random): { readonly field: string; value(): number } {
  const field = oneOf(random, ['num', 'first', 'day'] as const)
  switch (field) {
    case 'num':
      return { field, value: () => random.below(44) - 22 }
    case 'first':
      return { field, value: () => random.below(14) - 1 }
    case 'day':
      return { field, value: () => EPOCH + random.below(44 * 24) * (DAY / 24) }
  }
}

/** Documents with a number from one to another, both included. */
export function numbersBetween(field: string, lower: number, upper: number): Query {
  if (lower > upper) return NOTHING
  const [from, to] = [BigInt(lower), BigInt(upper)]
  const texts = { lowerText: `${lower}`, upperText: `${upper}` }
  return {
    kind: 'pointRange',
    field,
    lower: from,
    upper: to,
    ...texts,
    indexed: true,
    docValues: true,
  }
}

/** A keyword's term, all documents scored alike. */
export function keywordTerm(field: string, term: string): Query {
  return { kind: 'constantScore', query: { kind: 'term', field, term } }
}

export function term({ random, word }: Draw): Made {
  const boost = boostKey(random)
  const made = (field: string, value: unknown, query: Query, mustBecomesFilter = false): Made => ({
    body: { [field]: { value, ...boost } },
    mustBecomesFilter,
    on: () => boostedBy(query, boost),
  })
  const kind = random.below(8)
  if (kind === 0) {
    const value = `t${random.below(13)}`
    return made('tag', value, keywordTerm('tag', value))
  }
  if (kind === 1) {
    const value = random.below(44) - 22
    return made('num', value, numbersBetween('num', value, value), true)
  }
  if (kind === 2) {
    const value = random.below(2) === 0
    return made('flag', value, { kind: 'term', field: 'flag', term: value ? 'T' : 'F' })
  }
  const field = oneOf(random, ['body', 'body', 'title'])
  const value = random.below(30) === 0 ? 'absent' : word()
  return made(field, value, { kind: 'term', field, term: value })
}

export function terms({ random, word }: Draw): Made {
  const boost = boostKey(random)
  if (random.below(4) === 0) {
    const values = several(1 + random.below(5), () => random.below(44) - 22)
    const queries = [...new Set(values)].sort((a, b) => a - b)
    const query: Query = {
      kind: 'pointInSet',
      field: 'num',
      values: queries.map(BigInt),
      texts: queries.map(String),
      indexed: true,
      docValues: true,
    }
    return {
      body: { num: values, ...boost },
      mustBecomesFilter: true,
      on: () => boostedBy(query, boost),
    }
  }
  const field = oneOf(random, ['tag', 'tag', 'body'])
  const values = several(1 + random.below(4), () =>
    field === 'tag' ? `t${random.below(14)}` : word(),
  )
  const query: Query = { kind: 'termsInSet', field, terms: [...new Set(values)].sort() }
  return { body: { [field]: values, ...boost }, on: () => boostedBy(query, boost) }
}

export function termsSet({ random, word }: Draw): Made {
  const words = [...new Set(several(1 + random.below(4), word))]
  const queries = words.map((each): Query => ({ kind: 'term', field: 'body', term: each }))
  const column = { field: 'need', encoding: 'long', scale: 1 } as const
  const query: Query = { kind: 'covering', queries, minimum: { kind: 'field', column } }
  return {
    body: { body: { terms: words, minimum_should_match_field: 'need' } },
    on: () => query,
  }
}

export function exists({ random }: Draw): Made {
  const boost = boostKey(random)
  const field = oneOf(random, ['body', 'title', 'tag', 'num', 'first', 'day', 'shelf'])
  const query: Query = {
    kind: 'constantScore',
    query: { kind: 'fieldExists', field, listed: false },
  }
  return { body: { field, ...boost }, on: () => boostedBy(query, boost) }
}

export function range({ random }: Draw): Made {
  const boost = boostKey(random)
  const [below, above] = [oneOf(random, ['gte', 'gt']), oneOf(random, ['lte', 'lt'])]
  if (random.below(5) === 0) {
    const [lower, upper] = [`t${random.below(9)}`, `t${random.below(9)}`].sort()
    const query: Query = {
      kind: 'termRange',
      field: 'tag',
      lower: lower!,
      upper: upper!,
      includeLower: below === 'gte',
      includeUpper: above === 'lte',
    }
    return {
      body: { tag: { [below]: lower, [above]: upper, ...boost } },
      mustBecomesFilter: true,
      on: () => boostedBy(query, boost),
    }
  }
  const { field, value } = numberField(random)
  const [lower, upper] = [value(), value()].sort((a, b) => a - b) as [number, number]
  const query = numbersBetween(
    field,
    below === 'gt' ? lower + 1 : lower,
    above === 'lt' ? upper - 1 : upper,
  )
  return {
    body: { [field]: { [below]: lower, [above]: upper, ...boost } },
    mustBecomesFilter: true,
    on: () => boostedBy(query, boost),
  }
}

/** Ways to make clauses of terms, by their names in requests. */
const REWRITES: readonly (readonly [string, TermRewrite])[] = [
  ['constant_score', { kind: 'constant' }],
  ['constant_score_blended', { kind: 'constant' }],
  ['constant_score_boolean', { kind: 'constantClauses', max: 1024 }],
  ['scoring_boolean', { kind: 'scoringClauses', max: 1024 }],
  ['top_terms_3', { kind: 'topTerms', max: 3 }],
  ['top_terms_boost_2', { kind: 'topTermsBoost', max: 2 }],
  ['top_terms_blended_freqs_3', { kind: 'topTermsBlended', max: 3 }],
]

function pattern(random: Random, field: string, key: string, of: TermPattern): Made {
  const boost = boostKey(random)
  const [name, rewrite] = random.below(2) === 0 ? REWRITES[0]! : oneOf(random, REWRITES)
  const ignoresCase = random.below(4) === 0
  const value = ignoresCase ? of.text.replaceAll(/[a-z]/g, letter => letter.toUpperCase()) : of.text
  const query = {
    kind: 'pattern',
    field,
    start: '',
    pattern: { ...of, text: value },
    ignoresCase,
    rewrite,
  } as const
  return {
    body: {
      [field]: { [key]: value, rewrite: name, case_insensitive: ignoresCase, ...boost },
    },
    on: ({ documents }) => boostedBy(plainExpansion(query, documents), boost),
  }
}

export function prefix({ random, word }: Draw): Made {
  if (random.below(2) === 0)
    return pattern(random, 'tag', 'value', {
      kind: 'prefix',
      text: oneOf(random, ['t', 't1', 't3']),
    })
  return pattern(random, 'body', 'value', {
    kind: 'prefix',
    text: word().slice(0, 1 + random.below(3)),
  })
}

export function wildcard({ random, word }: Draw): Made {
  if (random.below(3) === 0)
    return pattern(random, 'tag', 'value', {
      kind: 'wildcard',
      text: oneOf(random, ['t?', 't1*', '*3', 't*']),
    })
  const text = word()
  const at = random.below(text.length)
  const form = random.below(3)
  const made =
    form === 0
      ? `${text.slice(0, at)}?${text.slice(at + 1)}`
      : form === 1
        ? `${text.slice(0, at)}*`
        : `*${text.slice(at)}`
  return pattern(random, 'body', 'value', { kind: 'wildcard', text: made })
}

export function regexp({ random, word }: Draw): Made {
  const text = word()
  const [first, rest] = [text[0]!, text.slice(1)]
  const made = oneOf(random, [
    `${first}.*`,
    `.{3,4}`,
    `(${text}|${word()})`,
    `[${first}r-t]${rest}`,
    `${first}+${rest}?`,
    `[^s].+`,
  ])
  return pattern(random, 'body', 'value', {
    kind: 'regexp',
    text: made,
    operators: { intersection: true, empty: true, anyString: true, interval: true },
    maxStates: 10_000,
  } as TermPattern)
}

/** A word with a letter changed, left out, doubled or swapped. */
export function misspelt(random: Random, word: string): string {
  const at = random.below(word.length)
  const [head, letter, tail] = [word.slice(0, at), word[at]!, word.slice(at + 1)]
  switch (random.below(4)) {
    case 0:
      return `${head}x${tail}`
    case 1:
      return word.length > 3 ? head + tail : word
    case 2:
      return head + letter + letter + tail
    default:
      return head + tail.slice(0, 1) + letter + tail.slice(1)
  }
}

/** Edits that `AUTO` allows for a word. */
export function autoEdits(word: string): 0 | 1 | 2 {
  return word.length < 3 ? 0 : word.length < 6 ? 1 : 2
}

/** A fuzzy term as a match makes it. */
export function fuzzyTerm(
  field: string,
  text: string,
  maxEdits: 0 | 1 | 2,
  transpositions = true,
  prefixLength = 0,
): Extract<Query, { kind: 'fuzzy' }> {
  const rewrite = { kind: 'topTermsBlended', max: 50 } as const
  const query = { kind: 'fuzzy', field, start: '', term: text, maxEdits } as const
  return { ...query, prefixLength, transpositions, rewrite }
}

export function fuzzy({ random, word }: Draw): Made {
  const boost = boostKey(random)
  const field = oneOf(random, ['body', 'title'])
  const value = misspelt(random, word())
  const fuzziness = oneOf(random, ['AUTO', 1, 2, 0])
  const edits = fuzziness === 'AUTO' ? autoEdits(value) : fuzziness
  const [transpositions, prefixLength] = [random.below(3) > 0, random.below(2)]
  const usual = fuzzyTerm(field, value, edits, transpositions, prefixLength)
  const [name, rewrite] = oneOf(random, REWRITES)
  const isUsual = random.below(2) === 0
  const query = isUsual ? usual : { ...usual, rewrite }
  const options = { fuzziness, transpositions, prefix_length: prefixLength, ...boost }
  return {
    body: { [field]: { value, ...options, ...(isUsual ? {} : { rewrite: name }) } },
    on: ({ documents }) => boostedBy(plainExpansion(query, documents), boost),
  }
}

export function ids({ random, ids: known }: Draw): Made {
  const boost = boostKey(random)
  const values = several(1 + random.below(30), () => oneOf(random, known))
  const query: Query = { kind: 'ids', ids: [...new Set(values)].sort() }
  return { body: { values, ...boost }, on: () => boostedBy(query, boost) }
}

export function matchAll({ random }: Draw): Made {
  const boost = boostKey(random)
  return { body: boost, on: () => boostedBy({ kind: 'matchAll' }, boost) }
}

export function matchNone(): Made {
  return { body: {}, on: () => NOTHING }
}

export function wrapper({ inner }: Draw): Made {
  const query = inner()
  const text = Buffer.from(JSON.stringify(query.dsl)).toString('base64')
  return { body: { query: text }, inner: [query], on: query.on }
}

export function script({ random }: Draw): Made {
  const boost = boostKey(random)
  const plan = randomScript(random, 'filter')
  const query: Query = { kind: 'script', script: plan }
  return { body: { script: scriptBody(plan), ...boost }, on: () => boostedBy(query, boost) }
}
