/** term, terms, range, exists, prefix, ids, match_all and match_none. */

import type { FieldType } from '../../schema/field-type.ts'
import { boosted, MATCH_ALL, matchNone, type Query } from '../../search/query/query.ts'
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import { fieldSearch } from './field/field-searches.ts'
import type { RangeEnd } from './field/range-end.ts'
import { byCodePoints } from './field/term-queries.ts'
import {
  isScalar,
  readBoolean,
  readBoost,
  readText,
  readTexts,
  scalarText,
} from './json-scalars.ts'
import { contentError, notSupportedYet, parsingError, tokenName } from './parse-error.ts'
import { type ParsedQuery, type QueryContext, shardError } from './query-context.ts'

/** The keys that every query takes; answers whether the entry was one of them. */
export function refuseName(entry: JsonEntry): void {
  if (entry.key === '_name') throw notSupportedYet('_name')
}

/** The field, and what is asked of it, of a query whose one key is a field's name. */
export interface FieldClause {
  readonly field: string
  readonly value: JsonNode
}

/** Reads `{⟨field⟩: …}`; `boost` and `_name` may stand beside the field. */
export function readFieldClause(
  query: string,
  node: JsonObjectNode,
): FieldClause & { readonly boost: number } {
  let found: FieldClause | null = null
  let boost = 1
  for (const entry of node.entries) {
    const { key, value } = entry
    refuseName(entry)
    if (key === 'boost' && isScalar(value) && (found !== null || node.entries.length > 1)) {
      boost = readBoost(value, query)
      continue
    }
    if (found !== null)
      throw parsingError(
        entry,
        `[${query}] query doesn't support multiple fields, found [${found.field}] and [${key}]`,
      )
    found = { field: key, value }
  }
  if (found === null || found.field === '')
    throw new IllegalArgumentError('field name is null or empty')
  return { ...found, boost }
}

/** NS(k): a key that a query does not have. */
export function unknownKey(query: string, entry: JsonEntry): Error {
  return parsingError(entry, `[${query}] query does not support [${entry.key}]`)
}

/** The reason of a query on a field that the mapping does not have. */
export function unmapped(field: string): Query {
  return matchNone(`unmapped field [${field}]`)
}

export function parseMatchAll(node: JsonObjectNode): ParsedQuery {
  const boost = readBoostOnly('match_all', node)
  return { name: 'match_all', field: null, build: () => boosted(MATCH_ALL, boost) }
}

export function parseMatchNone(node: JsonObjectNode): ParsedQuery {
  readBoostOnly('match_none', node)
  const query = matchNone('User requested "match_none" query.')
  return { name: 'match_none', field: null, build: () => query }
}

function readBoostOnly(query: string, node: JsonObjectNode): number {
  let boost = 1
  for (const entry of node.entries) {
    refuseName(entry)
    if (entry.key !== 'boost') throw contentError(entry, `[${query}] unknown field [${entry.key}]`)
    boost = readBoost(entry.value, query)
  }
  return boost
}

export function parseTerm(node: JsonObjectNode): ParsedQuery {
  const clause = readFieldClause('term', node)
  const { field } = clause
  let { value, boost } = clause
  if (value.kind === 'array')
    throw parsingError(value, '[term] query does not support array of values')
  if (value.kind === 'object') {
    let term: JsonNode | null = null
    for (const entry of value.entries) {
      refuseName(entry)
      if (entry.key === 'value' || entry.key === 'term') term = entry.value
      else if (entry.key === 'boost') boost = readBoost(entry.value, 'term')
      else if (entry.key === 'case_insensitive') {
        if (readBoolean(entry.value)) throw notSupportedYet('case_insensitive')
      } else throw unknownKey('term', entry)
    }
    if (term === null) throw new IllegalArgumentError('value cannot be null')
    value = term
  }
  const text = scalarText(value)
  if (text === null) throw new IllegalArgumentError('value cannot be null')
  return {
    name: 'term',
    field,
    build: context => boosted(buildTerm(field, text, context), boost),
  }
}

/** `term` on any field, `_id` and `_index` included. */
export function buildTerm(field: string, text: string, context: QueryContext): Query {
  if (field === '_id') return idsQuery([text])
  if (field === '_index')
    return text === context.index
      ? MATCH_ALL
      : matchNone(`The index [${context.index}] doesn't match the expression`)
  if (field === '_routing') {
    // Kept as doc values alone: a run of one term.
    const ends = { lower: text, upper: text, includeLower: true, includeUpper: true }
    return { kind: 'termRange', field, ...ends }
  }
  const type = context.mapping.field(field)
  return type === null ? unmapped(field) : fieldSearch(type.type).term(type, text, context)
}

function idsQuery(ids: readonly string[]): Query {
  if (ids.length === 0) return matchNone('Missing ids in "ids" query.')
  const unique = [...new Set(ids)].sort(byCodePoints)
  return { kind: 'constantScore', query: { kind: 'ids', ids: unique } }
}

export function parseTerms(node: JsonObjectNode): ParsedQuery {
  let field: string | null = null
  let values: readonly JsonNode[] = []
  let boost = 1
  for (const entry of node.entries) {
    refuseName(entry)
    const { key, value } = entry
    if (value.kind === 'array') {
      if (field !== null)
        throw parsingError(entry, '[terms] query does not support multiple fields')
      field = key
      values = value.items
    } else if (value.kind === 'object') {
      if (field !== null)
        throw parsingError(
          entry,
          '[terms] query does not support more than one field. ' +
            `Already got: [${field}] but also found [${key}]`,
        )
      throw notSupportedYet('terms lookup')
    } else if (key === 'boost') boost = readBoost(value, 'terms')
    else if (key === 'value_type') {
      if (readText(value) !== 'default') throw notSupportedYet('value_type')
    } else throw unknownKey('terms', entry)
  }
  if (field === null)
    throw parsingError(
      node,
      '[terms] query requires a field name, followed by array of terms or a document lookup ' +
        'specification',
    )
  const name = field
  const texts = values.map(value => {
    const text = scalarText(value)
    if (text === null) throw parsingError(value, 'No value specified for terms query')
    return text
  })
  return {
    name: 'terms',
    field: name,
    build: context => {
      if (texts.length > context.maxTermsCount)
        throw new IllegalArgumentError(
          `The number of terms [${texts.length}] used in the Terms Query request has exceeded the ` +
            `allowed maximum of [${context.maxTermsCount}]. This maximum can be set by changing ` +
            'the [index.max_terms_count] index level setting.',
        )
      if (texts.length === 0) return matchNone('Matching no documents because no terms present')
      if (name === '_id') return boosted(idsQuery(texts), boost)
      const type = context.mapping.field(name)
      if (type === null) return unmapped(name)
      return boosted(fieldSearch(type.type).terms(type, texts, context), boost)
    },
  }
}

const RANGE_KEYS = [
  'gt',
  'gte',
  'lt',
  'lte',
  'from',
  'to',
  'include_lower',
  'include_upper',
  'format',
  'time_zone',
  'relation',
  'boost',
  '_name',
] as const

export function parseRange(node: JsonObjectNode): ParsedQuery {
  const clause = readFieldClause('range', node)
  const { field, value } = clause
  let { boost } = clause
  if (value.kind !== 'object')
    throw parsingError(
      value,
      value.kind === 'array'
        ? `[range] unknown token [START_ARRAY] after [${field}]`
        : `[range] query does not support [${field}]`,
    )
  let lower: string | null = null
  let upper: string | null = null
  let includesLower = true
  let includesUpper = true
  let format: string | null = null
  let timeZone: string | null = null
  for (const entry of value.entries) {
    refuseName(entry)
    const text = entry.value.kind === 'null' ? null : () => readText(entry.value)
    switch (entry.key) {
      case 'gt':
      case 'gte':
      case 'from':
        lower = text === null ? null : text()
        if (entry.key !== 'from') includesLower = entry.key === 'gte'
        break
      case 'lt':
      case 'lte':
      case 'to':
        upper = text === null ? null : text()
        if (entry.key !== 'to') includesUpper = entry.key === 'lte'
        break
      case 'include_lower':
        includesLower = readBoolean(entry.value)
        break
      case 'include_upper':
        includesUpper = readBoolean(entry.value)
        break
      case 'format':
        format = readText(entry.value)
        break
      case 'time_zone':
        timeZone = readText(entry.value)
        break
      case 'relation':
        checkRelation(readText(entry.value))
        break
      case 'boost':
        boost = readBoost(entry.value, 'range')
        break
      default:
        throw parsingError(
          entry,
          `[range] query does not support [${entry.key}]` +
            didYouMean(findAlike(entry.key, RANGE_KEYS)),
        )
    }
  }
  const from: RangeEnd | null = lower === null ? null : { text: lower, isIncluded: includesLower }
  const to: RangeEnd | null = upper === null ? null : { text: upper, isIncluded: includesUpper }
  return {
    name: 'range',
    field,
    build: context => {
      const type = context.mapping.field(field)
      if (type === null) return unmapped(field)
      if (from === null && to === null) return boosted(existsOn(type), boost)
      const query = fieldSearch(type.type).range(type, from, to, { format, timeZone }, context)
      return boosted(query, boost)
    },
  }
}

function checkRelation(relation: string): void {
  const upper = relation.toUpperCase()
  if (upper === 'DISJOINT')
    throw new IllegalArgumentError(`[range] query does not support relation [${relation}]`)
  if (!['INTERSECTS', 'WITHIN', 'CONTAINS'].includes(upper))
    throw new IllegalArgumentError(`${relation} is not a valid relation`)
}

export function parseExists(node: JsonObjectNode): ParsedQuery {
  let pattern: string | null = null
  let boost = 1
  for (const entry of node.entries) {
    refuseName(entry)
    if (entry.key === 'field') pattern = readText(entry.value)
    else if (entry.key === 'boost') boost = readBoost(entry.value, 'exists')
    else throw unknownKey('exists', entry)
  }
  if (pattern === null) throw parsingError(node, '[exists] must be provided with a [field]')
  const field = pattern
  if (field === '') throw new IllegalArgumentError('field name is null or empty')
  return {
    name: 'exists',
    field,
    build: context => boosted(buildExists(field, context), boost),
  }
}

function buildExists(pattern: string, context: QueryContext): Query {
  if (pattern === '_id' || pattern === '_index') return MATCH_ALL
  if (pattern === '_source')
    throw shardError('failed to create query: The _source field is not searchable')
  if (pattern === '_routing' || pattern === '_seq_no' || pattern === '_version')
    return { kind: 'constantScore', query: { kind: 'fieldExists', field: pattern, listed: false } }
  const fields = fieldsOf(pattern, context)
  const [only] = fields
  if (only === undefined) return unmapped(pattern)
  if (fields.length === 1) return existsOn(only)
  const clauses = fields.map(field => ({ occur: 'should' as const, query: existsOn(field) }))
  return {
    kind: 'constantScore',
    query: { kind: 'boolean', clauses, minimumShouldMatch: 0 },
  }
}

/** The field of that name, those of an object, or those that a pattern names. */
function fieldsOf(pattern: string, context: QueryContext): FieldType[] {
  const field = context.mapping.field(pattern)
  if (field !== null) return [field]
  const all = [...context.mapping.fields()]
  if (context.mapping.object(pattern) !== null)
    return all.filter(each => each.name.startsWith(`${pattern}.`))
  if (!pattern.includes('*')) return []
  return all.filter(each => matchesWildcard(pattern, each.name))
}

function existsOn(field: FieldType): Query {
  return fieldSearch(field.type).exists(field)
}

const CONSTANT_REWRITES = new Set(['constant_score', 'constant_score_blended'])

export function parsePrefix(node: JsonObjectNode): ParsedQuery {
  const clause = readFieldClause('prefix', node)
  const { field } = clause
  let { value, boost } = clause
  if (value.kind === 'object') {
    let given: JsonNode | null = null
    for (const entry of value.entries) {
      refuseName(entry)
      if (entry.key === 'value') given = entry.value
      else if (entry.key === 'boost') boost = readBoost(entry.value, 'prefix')
      else if (entry.key === 'rewrite') {
        if (!CONSTANT_REWRITES.has(readText(entry.value))) throw notSupportedYet('rewrite')
      } else if (entry.key === 'case_insensitive') {
        if (readBoolean(entry.value)) throw notSupportedYet('case_insensitive')
      } else throw unknownKey('prefix', entry)
    }
    if (given === null) throw parsingError(value, 'No value specified for prefix query')
    value = given
  }
  const prefix = scalarText(value)
  if (prefix === null)
    throw parsingError(value, `[prefix] unknown token [${tokenName(value.kind)}] after [${field}]`)
  return {
    name: 'prefix',
    field,
    build: context => {
      const type = context.mapping.field(field)
      if (type === null) return unmapped(field)
      return boosted(fieldSearch(type.type).prefix(type, prefix, context), boost)
    },
  }
}

export function parseIds(node: JsonObjectNode): ParsedQuery {
  let ids: readonly string[] | null = null
  let boost = 1
  for (const entry of node.entries) {
    refuseName(entry)
    if (entry.key === 'values') ids = readTexts(entry.value)
    else if (entry.key === 'boost') boost = readBoost(entry.value, 'ids')
    else
      throw contentError(
        entry,
        `[ids] unknown field [${entry.key}]${didYouMean(findAlike(entry.key, ['values', 'boost']))}`,
      )
  }
  if (ids === null) throw new IllegalArgumentError('Required [values]')
  const query = idsQuery(ids)
  return { name: 'ids', field: null, build: () => boosted(query, boost) }
}
