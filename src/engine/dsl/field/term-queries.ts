/** Queries on fields that hold terms. */

import type { TextField } from '../../../schema/field-type/text-field.ts'
import { boosted, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { floatText } from '../../../util/json/float-text.ts'
import { expensive } from '../expensive.ts'
import type { QueryContext } from '../query-context.ts'
import { inSimilarity } from './field-similarity.ts'
import {
  type FuzzyTerm,
  fuzzyQuery,
  patternQuery,
  prefixQuery,
  type TermField,
  type TermOptions,
} from './many-terms.ts'
import type { RangeEnd } from './range-end.ts'
import { checkIndexed } from './searchable.ts'

/** Documents with a term of an analysed field. */
export function textTerm(field: TextField, term: string, context: QueryContext): Query {
  checkIndexed(field)
  return boostedBy(field.boost, scoredBy(field, { kind: 'term', field: field.name, term }, context))
}

/**
 * The query of a whole term, its scores times the boost of the mapping.
 * @throws {IllegalArgumentError} no query can have that boost
 */
export function boostedBy(boost: number, query: Query): Query {
  if (!(boost >= 0 && Number.isFinite(boost)) || Object.is(boost, -0))
    throw new IllegalArgumentError(`boost must be a positive float, got ${floatText(boost)}`)
  return boosted(query, boost)
}

/** A query of an analysed field's words, scored as the field says. */
export function scoredBy(field: TextField, query: Query, context: QueryContext): Query {
  const { name, shingles } = field
  return inSimilarity(field, query, context, [name, ...shingles.map(each => each.name)])
}

/** Documents with a term of an analysed field that starts so. */
export function textPrefix(
  field: TextField,
  prefix: string,
  options: TermOptions,
  context: QueryContext,
): Query {
  checkIndexed(field)
  const { prefixes } = field
  if (prefixes !== null) {
    const length = [...prefix].length
    const { name } = prefixes
    if (length >= prefixes.min && length <= prefixes.max) {
      const pattern = { kind: 'term', text: prefix } as const
      const query: Query = options.ignoresCase
        ? patternQuery(wholeTerms(name), pattern, { ...options, rewrite: null }, context)
        : { kind: 'term', field: name, term: prefix }
      return { kind: 'constantScore', query }
    }
  }
  return prefixQuery(wholeTerms(field.name), prefix, options, context)
}

/** Documents with a term of an analysed field that differs by a few edits. */
export function textFuzzy(field: TextField, fuzzy: FuzzyTerm, context: QueryContext): Query {
  checkIndexed(field)
  return scoredBy(field, fuzzyQuery(wholeTerms(field.name), fuzzy.text, fuzzy, context), context)
}

/** A field with an index whose terms are values or words. */
export function wholeTerms(name: string): TermField {
  return { name, indexed: true, start: '' }
}

/** Documents with a term between two ends. */
export function termBetween(field: string, lower: RangeEnd | null, upper: RangeEnd | null): Query {
  return {
    kind: 'termRange',
    field,
    lower: lower?.text ?? null,
    upper: upper?.text ?? null,
    includeLower: lower?.isIncluded ?? true,
    includeUpper: upper?.isIncluded ?? true,
  }
}

/**
 * Refuses ranges over terms where the cluster does.
 * @throws {EngineError}
 */
export function checkTermRanges(context: QueryContext): void {
  if (!context.allowsExpensive)
    throw expensive(
      '[range] queries on [text] or [keyword] fields cannot be executed when ' +
        "'search.allow_expensive_queries' is set to false.",
    )
}

/** Documents with one of several terms. */
export function termsInSet(field: string, terms: readonly string[]): Query {
  return { kind: 'termsInSet', field, terms: [...new Set(terms)].sort(byCodePoints) }
}

/** UTF-8 order is that of code points, which differs from the order of UTF-16 units. */
export function byCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x === y) continue
    const [xHigh, yHigh] = [(x & 0xf800) === 0xd800, (y & 0xf800) === 0xd800]
    if (xHigh !== yHigh) return xHigh ? 1 : -1
    return x - y
  }
  return a.length - b.length
}
