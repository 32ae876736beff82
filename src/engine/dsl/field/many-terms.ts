/** Queries for many terms of a field: what is asked for, and how the terms found are searched. */
import { automatonOf } from '../../../search/query/pattern.ts'
import type { PatternQuery, Query, TermPattern, TermRewrite } from '../../../search/query/query.ts'
import { DEAD, START } from '../../../util/automaton/automaton.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { expensive } from '../expensive.ts'
import type { QueryContext } from '../query-context.ts'

/** Options of patterns and prefixes. */
export interface TermOptions {
  /** The rewrite as the request names it; null: every document scores the same. */
  readonly rewrite: string | null
  /** Whether ASCII letters stand for both cases. */
  readonly ignoresCase: boolean
}

/** No options given. */
export const PLAIN_TERMS: TermOptions = { rewrite: null, ignoresCase: false }

/** A pattern of terms; `term` is only asked for without regard to case. */
export type FieldPattern =
  | { readonly kind: 'term' | 'wildcard'; readonly text: string }
  | Extract<TermPattern, { kind: 'regexp' }>

/** A term asked for with a few edits. */
export interface FuzzyTerm {
  readonly text: string
  readonly fuzziness: Fuzziness
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly transpositions: boolean
  /** Null: the most similar terms, scored with the document frequency of the commonest. */
  readonly rewrite: string | null
}

/** A number of edits, or the lengths in code points from which one and two are allowed. */
export type Fuzziness =
  | { readonly edits: 0 | 1 | 2 }
  | { readonly edits: null; readonly low: number; readonly high: number }

/**
 * Reads how found terms are searched.
 * @throws {IllegalArgumentError} there is no such way
 */
function rewriteOf(text: string | null, context: QueryContext, indexed: boolean): TermRewrite {
  const max = context.maxClauseCount
  const rewrite = readRewrite(text, max)
  // Doc values alone have no statistics to score by.
  return indexed ? rewrite : { kind: 'constant' }
}

const TOP_TERMS = {
  top_terms_: 'topTerms',
  top_terms_boost_: 'topTermsBoost',
  top_terms_blended_freqs_: 'topTermsBlended',
} as const

function readRewrite(text: string | null, max: number): TermRewrite {
  if (text === null || text === 'constant_score' || text === 'constant_score_blended')
    return { kind: 'constant' }
  if (text === 'constant_score_boolean') return { kind: 'constantClauses', max }
  if (text === 'scoring_boolean') return { kind: 'scoringClauses', max }
  const name = /^\D*/.exec(text)![0]
  const size = text.slice(name.length)
  if (size === '' || !Object.hasOwn(TOP_TERMS, name))
    throw new IllegalArgumentError(`Failed to parse rewrite_method [${text}]`)
  if (!/^\d{1,9}$/.test(size))
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${size}"`,
    })
  return { kind: TOP_TERMS[name as keyof typeof TOP_TERMS], max: Math.min(Number(size), max) }
}

/** The field of the index that is searched for a mapped field's terms. */
export interface TermField {
  readonly name: string
  readonly indexed: boolean
  /** Prefix of its terms ahead of the value. */
  readonly start: string
}

/**
 * Documents with a term that a pattern matches.
 * @throws {EngineError} the cluster forbids it, or the pattern is malformed or too complex
 */
export function patternQuery(
  { name, indexed, start }: TermField,
  pattern: TermPattern,
  { rewrite, ignoresCase }: TermOptions,
  context: QueryContext,
): Query {
  checkAllowed(pattern, context)
  const query: PatternQuery = {
    kind: 'pattern',
    field: name,
    start,
    pattern,
    ignoresCase,
    rewrite: rewriteOf(rewrite, context, indexed),
  }
  // Errors of the pattern are this request's, not those of a shard.
  automatonOf(query)
  return query
}

function checkAllowed({ kind }: TermPattern, { allowsExpensive }: QueryContext): void {
  if (allowsExpensive || kind === 'term') return
  throw expensive(
    `[${kind}] queries cannot be executed when 'search.allow_expensive_queries' is set to false.` +
      (kind === 'prefix'
        ? ' For optimised prefix queries on text fields please enable [index_prefixes].'
        : ''),
  )
}

/**
 * Documents with a term that starts so.
 * @throws {EngineError} the cluster forbids it
 */
export function prefixQuery(
  field: TermField,
  prefix: string,
  options: TermOptions,
  context: QueryContext,
): Query {
  const pattern = { kind: 'prefix', text: prefix } as const
  const rewrite = rewriteOf(options.rewrite, context, field.indexed)
  if (options.ignoresCase || rewrite.kind !== 'constant')
    return patternQuery(field, pattern, options, context)
  checkAllowed(pattern, context)
  return { kind: 'prefix', field: field.name, prefix: field.start + prefix }
}

/**
 * Documents with a term that differs by a few edits.
 * @param value the term in the form of the index
 * @throws {EngineError} the cluster forbids it, or an option has no meaning
 */
export function fuzzyQuery(
  { name, indexed, start }: TermField,
  value: string,
  fuzzy: FuzzyTerm,
  context: QueryContext,
): Query {
  if (!context.allowsExpensive)
    throw expensive(
      "[fuzzy] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
    )
  if (fuzzy.prefixLength < 0) throw new IllegalArgumentError('prefixLength cannot be negative.')
  if (fuzzy.maxExpansions <= 0) throw new IllegalArgumentError('maxExpansions must be positive.')
  const rewrite =
    fuzzy.rewrite === null && indexed
      ? ({
          kind: 'topTermsBlended',
          max: Math.min(fuzzy.maxExpansions, context.maxClauseCount),
        } as const)
      : rewriteOf(fuzzy.rewrite, context, indexed)
  return {
    kind: 'fuzzy',
    field: name,
    start,
    term: value,
    maxEdits: editsFor(fuzzy.fuzziness, fuzzy.text),
    prefixLength: fuzzy.prefixLength,
    transpositions: fuzzy.transpositions,
    rewrite,
  }
}

function editsFor(fuzziness: Fuzziness, text: string): 0 | 1 | 2 {
  if (fuzziness.edits !== null) return fuzziness.edits
  const length = [...text].length
  if (length < fuzziness.low) return 0
  return length < fuzziness.high ? 1 : 2
}

/**
 * Whether a pattern matches a text that no dictionary holds.
 * @throws {EngineError} the pattern is malformed or too complex
 */
export function matchesTerm(pattern: TermPattern, ignoresCase: boolean, text: string): boolean {
  const rewrite = { kind: 'constant' } as const
  const query = { kind: 'pattern', field: '', start: '', pattern, ignoresCase, rewrite } as const
  const automaton = automatonOf(query)
  let state: number = START
  for (const char of text) {
    state = automaton.step(state, char.codePointAt(0)!)
    if (state === DEAD) return false
  }
  return automaton.accepts(state)
}

/** The pieces of a wildcard pattern between its wildcards, each changed by a function. */
export function wildcardMapped(pattern: string, change: (piece: string) => string): string {
  let mapped = ''
  let end = 0
  for (const { 0: special, index } of pattern.matchAll(/\\.|[?*]+/gsu)) {
    if (index > end) mapped += change(pattern.slice(end, index))
    mapped += special
    end = index + special.length
  }
  return end < pattern.length ? mapped + change(pattern.slice(end)) : mapped
}
