/** Texts and terms that are asked of several fields at once. */
import type { TextField } from '../../../schema/field-type/text-field.ts'
import { boosted, matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { derivedField } from '../derived/derived-field.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { isSearchable } from '../field/searchable.ts'
import { fieldMatch } from '../field-match.ts'
import { hashMapOrder } from '../hash-map-order.ts'
import type { FieldMatch } from '../match-options.ts'
import { NO_TERMS } from '../match-text.ts'
import type { QueryContext } from '../query-context.ts'

/** Field names or patterns and their boosts. */
export type Weights = ReadonlyMap<string, number>

/**
 * The query of a text on several fields: the best of them, and a share of the others.
 * @returns null: the text has no terms
 */
export function matchFields(
  fields: Weights,
  match: FieldMatch,
  tieBreaker: number,
  context: QueryContext,
): Query | null {
  const queries: Query[] = []
  let isMapped = false
  for (const [name, boost] of fields) {
    const field = searchedField(name, context)
    if (field === null) continue
    isMapped = true
    const query = fieldMatch(field, match, context)
    if (query !== NO_TERMS) queries.push(boosted(query, boost))
  }
  if (!isMapped) return unmappedFields([...fields.keys()])
  return queries.length === 0 ? null : bestOf(queries, tieBreaker)
}

/** The best of several queries; a single one itself. */
export function bestOf(queries: readonly Query[], tieBreaker: number): Query {
  return queries.length === 1 ? queries[0]! : { kind: 'disMax', queries, tieBreaker }
}

/** The query on fields of which the mapping has none. */
export function unmappedFields(names: readonly string[]): Query {
  return matchNone(
    names.length === 1
      ? `unmapped field [${names[0]}]`
      : `unmapped fields [${names.toSorted().join(', ')}]`,
  )
}

/**
 * Reads names with boosts: `title^2` is the field `title`, its score doubled; of repeats the boosts
 * multiply.
 * @throws {IllegalArgumentError} no name, or no boost
 */
export function weightsOf(texts: readonly string[]): Weights {
  const weights = new Map<string, number>()
  for (const text of texts) {
    const at = text.indexOf('^')
    const name = at < 0 ? text : text.slice(0, at)
    const boost = at < 0 ? 1 : Number(text.slice(at + 1))
    if (name === '' || (at >= 0 && (text.slice(at + 1).trim() === '' || !Number.isFinite(boost))))
      throw new IllegalArgumentError(`[${text}] is no field with a boost`)
    if (boost < 0)
      throw new IllegalArgumentError(
        `negative [boost] are not allowed in [${text}], use a value between 0 and 1 to deboost`,
      )
    weights.set(name, Math.fround((weights.get(name) ?? 1) * Math.fround(boost)))
  }
  return weights
}

/**
 * Patterns as the fields of the mapping that can be searched by text, in the order in which
 * OpenSearch prints them.
 * @throws {IllegalArgumentError} more fields than a query may have clauses
 */
export function resolvedFields(weights: Weights, context: QueryContext): Weights {
  const resolved = new Map<string, number>()
  for (const [name, boost] of weights) {
    const names = name.includes('*') ? fieldsLike(name, context) : [name]
    for (const each of names) resolved.set(each, Math.fround((resolved.get(each) ?? 1) * boost))
    if (resolved.size > context.maxClauseCount)
      throw new IllegalArgumentError(
        `field expansion for [${name}] matches too many fields, limit: ` +
          `${context.maxClauseCount}, got: ${resolved.size}`,
      )
  }
  if (resolved.size < 2) return resolved
  const names = hashMapOrder([...resolved.keys()].sort())
  return new Map(names.map(name => [name, resolved.get(name)!]))
}

function fieldsLike(pattern: string, context: QueryContext): string[] {
  const names: string[] = []
  for (const field of context.mapping.fieldsLike(pattern)) {
    const takesTerms = isSearchable(field) && fieldSearch(field.type).refusesTerms !== true
    if (takesTerms && !field.name.startsWith('_')) names.push(field.name)
  }
  return names
}

/** The fields of a phrase: each with a suffix to its name where the mapping has that field too. */
export function quotedFields(
  fields: Weights,
  suffix: string | null,
  { mapping }: QueryContext,
): Weights {
  if (suffix === null) return fields
  const named = new Map<string, number>()
  for (const [name, boost] of fields) {
    const quoted = name + suffix
    named.set(mapping.field(quoted) === null ? name : quoted, boost)
  }
  return named
}

/** The words of a text on an analysed field, the last as a prefix; null for any other field. */
export function analysedPrefix(
  name: string,
  match: Omit<FieldMatch, 'kind'>,
  context: QueryContext,
): Query | null {
  const field = textFieldOf(name, context)
  if (field === null) return null
  return fieldSearch(field.type).match(field, { ...match, kind: 'wordsPrefix' }, context)
}

/** A word in the form of a text field's terms; other fields bring values into form themselves. */
export function normalizedWord(
  name: string,
  text: string,
  analyzer: string | null,
  context: QueryContext,
): string {
  const field = textFieldOf(name, context) ?? derivedTextOf(name, context)
  return field === null ? text : context.normalizeWord(field, text, analyzer)
}

/** The field of the texts that a derived field of that name has. */
function derivedTextOf(name: string, context: QueryContext): TextField | null {
  const inner = derivedField(name, context)?.inner
  return inner?.type === 'text' ? inner : null
}

/** The field of that name if its text is analysed. */
export function textFieldOf(name: string, { mapping }: QueryContext): TextField | null {
  const field = mapping.field(name)
  if (field === null) return null
  const { type } = field
  return type === 'text' || type === 'match_only_text' || type === 'search_as_you_type'
    ? (field as TextField)
    : null
}
