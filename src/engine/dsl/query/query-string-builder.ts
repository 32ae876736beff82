/** Makes the query of a text in the query-string language, out of the queries of its parts. */

import { type BooleanClause, boosted, MATCH_ALL, type Query } from '../../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { type Fuzziness, wildcardMapped } from '../field/many-terms.ts'
import { leniently } from '../field-match.ts'
import {
  type FieldMatch,
  MATCH_KINDS,
  type MultiMatchType,
  PLAIN_MATCH,
  tieBreakerOf,
} from '../match-options.ts'
import { type MatchKind, NO_TERMS } from '../match-text.ts'
import { minimumShouldMatch } from '../minimum-should-match.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { addClause, addNeighbours, clausesQuery } from '../query-string/clauses.ts'
import { type Clause, type Part, readQueryString } from '../query-string/syntax.ts'
import { SyntaxProblem } from '../query-string/tokens.ts'
import { crossFields } from './cross-fields.ts'
import { existsQuery } from './exists-on-field.ts'
import {
  analysedPrefix,
  bestOf,
  matchFields,
  normalizedWord,
  quotedFields,
  resolvedFields,
  unmappedFields,
  type Weights,
  weightsOf,
} from './many-fields.ts'
import { termsOnField } from './pattern-on-field.ts'
import { ALL_FLAGS, checkRegexLength } from './regexp-limits.ts'

/** A query string with its options, as the request gives them. */
export interface QueryString {
  readonly text: string
  readonly defaultField: string | null
  /** Empty: the default field, or those of the index. */
  readonly fields: Weights
  readonly operator: 'or' | 'and'
  readonly type: MultiMatchType
  /** Null: that of the type. */
  readonly tieBreaker: number | null
  readonly analyzer: string | null
  readonly quoteAnalyzer: string | null
  readonly quoteFieldSuffix: string | null
  readonly leadingWildcard: boolean
  readonly analyzesWildcards: boolean
  /** Whether phrases have gaps where words were taken out. */
  readonly keepsGaps: boolean
  /** Whether every character that means something is taken as itself. */
  readonly escapes: boolean
  readonly fuzziness: Fuzziness
  readonly fuzzyPrefixLength: number
  readonly fuzzyMaxExpansions: number
  readonly fuzzyTranspositions: boolean
  readonly fuzzyRewrite: string | null
  readonly rewrite: string | null
  readonly phraseSlop: number
  readonly maxStates: number
  readonly minimumShouldMatch: string | null
  /** Null: as the index says, and where all fields are asked. */
  readonly lenient: boolean | null
  readonly timeZone: string | null
  readonly synonymPhrases: boolean
}

/**
 * Makes the query for an index.
 * @throws {EngineError} the text is not of the language, or does not fit a field
 */
export function buildQueryString(asked: QueryString, context: QueryContext): Query {
  if (asked.fields.size > 0 && asked.defaultField !== null)
    throw new IllegalArgumentError(
      'cannot use [fields] parameter in conjunction with [default_field]',
    )
  for (const [key, name] of [
    ['analyzer', asked.analyzer],
    ['quote_analyzer', asked.quoteAnalyzer],
  ] as const)
    if (name !== null && !context.hasAnalyzer(name))
      throw shardError(`[query_string] ${key} [${name}] not found`)
  const text = asked.escapes ? escaped(asked.text) : asked.text
  try {
    checkLength(text, context)
    const query = new QueryStringBuilder(asked, context).build(text)
    return withMinimumInside(query, asked.minimumShouldMatch)
  } catch (error) {
    if (error instanceof SyntaxProblem) throw syntaxError(asked.text, text, error)
    throw error
  }
}

function checkLength(text: string, { maxQueryStringLength }: QueryContext): void {
  if (text.length > maxQueryStringLength)
    throw new SyntaxProblem(
      `Query string length exceeds max allowed length ${maxQueryStringLength} ` +
        `(search.query.max_query_string_length); actual length: ${text.length}`,
    )
}

function syntaxError(given: string, text: string, { message }: SyntaxProblem): EngineError {
  return new EngineError({
    type: 'query_shard_exception',
    reason: `Failed to parse query [${given}]`,
    causedBy: {
      type: 'parse_exception',
      reason: `Cannot parse '${text}': ${message}`,
      causedBy: { type: 'parse_exception', reason: message },
    },
  })
}

function escaped(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&')
}

/** Asks for some of the optional clauses, beneath any boost. */
function withMinimumInside(query: Query, wanted: string | null): Query {
  if (wanted === null) return query
  if (query.kind === 'boost') return { ...query, query: withMinimumInside(query.query, wanted) }
  if (query.kind !== 'boolean') return query
  const count = query.clauses.filter(clause => clause.occur === 'should').length
  return { ...query, minimumShouldMatch: minimumShouldMatch(wanted, count) }
}

class QueryStringBuilder {
  readonly #asked: QueryString
  readonly #context: QueryContext
  readonly #lenient: boolean
  /** The field that clauses without one are asked of; null where there are several. */
  readonly #defaultField: string | null
  readonly #defaultFields: Weights
  readonly #tieBreaker: number

  constructor(asked: QueryString, context: QueryContext) {
    this.#asked = asked
    this.#context = context
    const given =
      asked.defaultField !== null
        ? new Map([[asked.defaultField, 1]])
        : asked.fields.size > 0
          ? asked.fields
          : weightsOf(context.defaultFields)
    const isAll = given.has('*')
    this.#lenient = asked.lenient ?? (isAll || context.isLenient)
    this.#defaultField = isAll ? '*' : asked.defaultField
    this.#defaultFields = resolvedFields(given, context)
    this.#tieBreaker = asked.tieBreaker ?? tieBreakerOf(asked.type)
  }

  build(text: string): Query {
    return text.trim() === '' ? NO_TERMS : (this.#group(readQueryString(text)) ?? NO_TERMS)
  }

  #group(clauses: readonly Clause[]): Query | null {
    const { operator } = this.#asked
    const made: BooleanClause[] = []
    for (const { conjunction, sign, part } of clauses) {
      const query = this.#part(part)
      const isSeveral = part.kind === 'words' && part.isSeveral === true
      if (isSeveral) addNeighbours(made, query, operator)
      // A single clause stands for itself.
      else if (clauses.length === 1 && sign === 'none') return query
      else addClause(made, conjunction, sign, query, operator)
      if (made.length > this.#context.maxClauseCount)
        throw new SyntaxProblem('too many boolean clauses')
    }
    return clausesQuery(made)
  }

  #part(part: Part): Query | null {
    const query = part.kind === 'group' ? this.#group(part.clauses) : this.#fieldPart(part)
    return query === null || part.boost === null ? query : boosted(query, part.boost)
  }

  #fieldPart(part: Exclude<Part, { kind: 'group' }>): Query | null {
    const field = part.field ?? this.#defaultField
    switch (part.kind) {
      case 'words':
        return this.#words(field, part.text)
      case 'phrase': {
        const slop = part.slop === null ? this.#asked.phraseSlop : Math.trunc(part.slop)
        return this.#match(field, part.text, 'phrase', slop)
      }
      case 'fuzzy':
        return this.#fuzzy(field, part.text, part.slop)
      case 'prefix':
        return this.#onFields(field, name => this.#prefix(name, part.text))
      case 'wildcard':
        return this.#wildcard(field, part.text)
      case 'regexp':
        checkRegexLength(part.text, '[query_string]', this.#context)
        return this.#onFields(field, name => this.#regexp(name, part.text))
      case 'range':
        return this.#range(field, part)
    }
  }

  /** The fields that a clause is asked of. */
  #fields(field: string | null, isQuoted: boolean): Weights {
    const suffix = isQuoted ? this.#asked.quoteFieldSuffix : null
    const isDefault = field === null || field === this.#defaultField
    const fields = isDefault
      ? this.#defaultFields
      : resolvedFields(new Map([[field, 1]]), this.#context)
    return quotedFields(fields, suffix, this.#context)
  }

  /** The best of a query on each field. */
  #onFields(field: string | null, make: (name: string) => Query | null): Query | null {
    const fields = this.#fields(field, false)
    if (fields.size === 0) return unmappedFields([field ?? '*'])
    const queries: Query[] = []
    for (const [name, boost] of fields) {
      let isEmpty = false
      const query = leniently(name, this.#lenient, () => {
        const made = make(name)
        isEmpty = made === null
        return made ?? NO_TERMS
      })
      if (!isEmpty) queries.push(boosted(query, boost))
    }
    return queries.length === 0 ? null : bestOf(queries, this.#tieBreaker)
  }

  // ---- words and phrases ------------------------------------------------------------------------

  #words(field: string | null, text: string): Query | null {
    if (field === '_exists_') return existsQuery(text, this.#context)
    // `age:>=10`; without a field these are no operators.
    const comparison = field === null ? null : /^([<>])(=?)(.+)$/s.exec(text)
    if (comparison !== null) {
      const [, sign, equal, end = ''] = comparison
      const isIncluded = equal === '='
      return sign === '>'
        ? this.#range(field, {
            lower: end,
            upper: null,
            includesLower: isIncluded,
            includesUpper: true,
          })
        : this.#range(field, {
            lower: null,
            upper: end,
            includesLower: true,
            includesUpper: isIncluded,
          })
    }
    const { type } = this.#asked
    return this.#match(field, text, MATCH_KINDS[type], this.#asked.phraseSlop)
  }

  #match(field: string | null, text: string, kind: MatchKind, slop: number): Query | null {
    const { operator, analyzer, quoteAnalyzer, synonymPhrases, keepsGaps, tieBreaker } = this.#asked
    const isPhrase = kind === 'phrase'
    const fields = this.#fields(field, isPhrase)
    if (fields.size === 0) return unmappedFields([field ?? '*'])
    const match: FieldMatch = {
      ...PLAIN_MATCH,
      query: 'query_string',
      kind,
      text,
      operator,
      slop,
      keepsGaps,
      synonymPhrases,
      analyzer: isPhrase ? (quoteAnalyzer ?? analyzer) : analyzer,
      lenient: this.#lenient,
    }
    const share = isPhrase ? (tieBreaker ?? 0) : this.#tieBreaker
    return !isPhrase && this.#asked.type === 'cross_fields'
      ? crossFields(fields, match, share, this.#context)
      : matchFields(fields, match, share, this.#context)
  }

  // ---- terms ------------------------------------------------------------------------------------

  #fuzzy(field: string | null, text: string, edits: number | null): Query | null {
    const asked = this.#asked
    return this.#onFields(field, name => {
      const fuzziness = edits === null ? asked.fuzziness : exactly(Math.trunc(edits))
      const fuzzy = {
        text: this.#normalized(name, text),
        fuzziness,
        prefixLength: asked.fuzzyPrefixLength,
        maxExpansions: asked.fuzzyMaxExpansions,
        transpositions: asked.fuzzyTranspositions,
        rewrite: asked.fuzzyRewrite,
      }
      return termsOnField(name, { kind: 'fuzzy', fuzzy }, this.#context)
    })
  }

  #prefix(name: string, text: string): Query | null {
    const { analyzesWildcards, analyzer, operator, rewrite } = this.#asked
    if (analyzesWildcards) {
      const match = { ...PLAIN_MATCH, query: 'query_string', text, operator, analyzer }
      const query = analysedPrefix(name, match, this.#context)
      if (query !== null) return query === NO_TERMS ? null : query
    }
    const options = { rewrite, ignoresCase: false }
    const prefix = this.#normalized(name, text)
    return termsOnField(name, { kind: 'prefix', text: prefix, options }, this.#context)
  }

  #wildcard(field: string | null, text: string): Query | null {
    if (text === '*' && field !== null)
      return field === '*' ? MATCH_ALL : existsQuery(field, this.#context)
    return this.#onFields(field, name => {
      if (text === '*') return existsQuery(name, this.#context)
      if (!this.#asked.leadingWildcard && /^[*?]/.test(text))
        throw new SyntaxProblem("'*' or '?' not allowed as first character in WildcardQuery")
      const options = { rewrite: this.#asked.rewrite, ignoresCase: false }
      const normalized = wildcardMapped(text, piece => this.#normalized(name, piece))
      const pattern = { kind: 'wildcard', text: normalized } as const
      return termsOnField(name, { kind: 'pattern', pattern, options }, this.#context)
    })
  }

  #regexp(name: string, text: string): Query {
    const { rewrite, maxStates } = this.#asked
    const normalized = this.#normalized(name, text)
    const pattern = { kind: 'regexp', text: normalized, operators: ALL_FLAGS, maxStates } as const
    const options = { rewrite, ignoresCase: false }
    return termsOnField(name, { kind: 'pattern', pattern, options }, this.#context)
  }

  #range(
    field: string | null,
    range: {
      readonly lower: string | null
      readonly upper: string | null
      readonly includesLower: boolean
      readonly includesUpper: boolean
    },
  ): Query | null {
    const end = (name: string, text: string | null, isIncluded: boolean) =>
      text === null || text === '*' ? null : { text: this.#normalized(name, text), isIncluded }
    return this.#onFields(field, name => {
      const type = searchedField(name, this.#context)
      if (type === null) return unmappedFields([name])
      const search = fieldSearch(type.type)
      const lower = end(name, range.lower, range.includesLower)
      const upper = end(name, range.upper, range.includesUpper)
      if (lower === null && upper === null) return search.exists(type)
      const options = { format: null, timeZone: this.#asked.timeZone }
      return search.range(type, lower, upper, options, this.#context)
    })
  }

  /** A word in the form of a text field's terms; other fields bring values into form themselves. */
  #normalized(name: string, text: string): string {
    return normalizedWord(name, text, this.#asked.analyzer, this.#context)
  }
}

function exactly(edits: number): Fuzziness {
  if (edits === 0 || edits === 1 || edits === 2) return { edits }
  throw new IllegalArgumentError(`Valid edit distances are [0, 1, 2] but was [${edits}]`)
}
