/** Makes the query of a text in the simple query language, out of the queries of its words. */
import { boosted, matchNone, type Query } from '../../../search/query/query.ts'
import { EngineError } from '../../../util/errors.ts'
import { leniently } from '../field-match.ts'
import { type FieldMatch, PLAIN_MATCH } from '../match-options.ts'
import { type MatchKind, NO_TERMS } from '../match-text.ts'
import { withMinimum } from '../minimum-should-match.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { readSimpleQuery, type SimpleLeaf } from '../simple-query-string/syntax.ts'
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

/** A text with its options, as the request gives them. */
export interface SimpleQueryString {
  readonly text: string
  /** Empty: those of the index. */
  readonly fields: Weights
  /** Bits of `SIMPLE_FLAGS`. */
  readonly flags: number
  readonly operator: 'or' | 'and'
  readonly analyzer: string | null
  readonly analyzesWildcards: boolean
  /** Null: where all fields are asked. */
  readonly lenient: boolean | null
  readonly minimumShouldMatch: string | null
  readonly quoteFieldSuffix: string | null
  readonly fuzzyPrefixLength: number
  readonly fuzzyMaxExpansions: number
  readonly fuzzyTranspositions: boolean
  readonly synonymPhrases: boolean
}

/**
 * Makes the query for an index.
 * @throws {EngineError} a word does not fit its field, or there are too many of them
 */
export function buildSimpleQueryString(asked: SimpleQueryString, context: QueryContext): Query {
  const { analyzer, flags, operator } = asked
  if (analyzer !== null && !context.hasAnalyzer(analyzer))
    throw shardError(`[simple_query_string] analyzer [${analyzer}] not found`)
  const builder = new SimpleQueryBuilder(asked, context)
  const queryOf = (leaf: SimpleLeaf): Query | null => builder.leaf(leaf)
  const query = readSimpleQuery(asked.text, { flags, operator, queryOf })
  return query === null ? matchNone('') : withMinimum(query, asked.minimumShouldMatch)
}

class SimpleQueryBuilder {
  readonly #asked: SimpleQueryString
  readonly #context: QueryContext
  readonly #fields: Weights
  readonly #lenient: boolean
  #count = 0

  constructor(asked: SimpleQueryString, context: QueryContext) {
    this.#asked = asked
    this.#context = context
    const given = asked.fields.size > 0 ? asked.fields : weightsOf(context.defaultFields)
    this.#lenient = asked.lenient ?? given.has('*')
    this.#fields = resolvedFields(given, context)
  }

  leaf(leaf: SimpleLeaf): Query | null {
    const { maxClauseCount } = this.#context
    if (++this.#count > maxClauseCount)
      throw new EngineError({
        type: 'too_many_clauses',
        reason: `maxClauseCount is set to ${maxClauseCount}`,
      })
    switch (leaf.kind) {
      case 'words':
        return this.#match(this.#fields, leaf.text, 'words', 0)
      case 'phrase': {
        const fields = quotedFields(this.#fields, this.#asked.quoteFieldSuffix, this.#context)
        return this.#match(fields, leaf.text, 'phrase', leaf.slop)
      }
      case 'prefix':
        return this.#onFields(name => this.#prefix(name, leaf.text))
      case 'fuzzy':
        return this.#onFields(name => this.#fuzzy(name, leaf.text, leaf.edits))
    }
  }

  #match(fields: Weights, text: string, kind: MatchKind, slop: number): Query | null {
    const { analyzer, operator, synonymPhrases } = this.#asked
    const match: FieldMatch = {
      ...PLAIN_MATCH,
      query: 'simple_query_string',
      kind,
      text,
      operator,
      slop,
      synonymPhrases,
      analyzer,
      lenient: this.#lenient,
    }
    return matchFields(fields, match, kind === 'phrase' ? 0 : 1, this.#context)
  }

  /** The sum of a query on each field. */
  #onFields(make: (name: string) => Query): Query | null {
    if (this.#fields.size === 0) return unmappedFields(['*'])
    const queries = [...this.#fields].flatMap(([name, boost]) => {
      const query = leniently(name, this.#lenient, () => make(name))
      return query === NO_TERMS ? [] : boosted(query, boost)
    })
    return queries.length === 0 ? null : bestOf(queries, 1)
  }

  #prefix(name: string, text: string): Query {
    const { analyzesWildcards, analyzer, operator } = this.#asked
    if (analyzesWildcards) {
      const match = { ...PLAIN_MATCH, query: 'simple_query_string', text, operator, analyzer }
      const query = analysedPrefix(name, match, this.#context)
      if (query !== null) return query
    }
    const prefix = normalizedWord(name, text, analyzer, this.#context)
    const options = { rewrite: null, ignoresCase: false }
    return termsOnField(name, { kind: 'prefix', text: prefix, options }, this.#context)
  }

  #fuzzy(name: string, text: string, edits: 1 | 2): Query {
    const { analyzer, fuzzyMaxExpansions, fuzzyPrefixLength, fuzzyTranspositions } = this.#asked
    const fuzzy = {
      text: normalizedWord(name, text, analyzer, this.#context),
      fuzziness: { edits },
      prefixLength: fuzzyPrefixLength,
      maxExpansions: fuzzyMaxExpansions,
      transpositions: fuzzyTranspositions,
      rewrite: null,
    }
    return termsOnField(name, { kind: 'fuzzy', fuzzy }, this.#context)
  }
}
