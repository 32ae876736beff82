/** Shared by span queries: reading the spans within them, and building those. */
import {
  type Query,
  type Span,
  type SpanQuery,
  withoutSimilarity,
} from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { inSimilarity } from '../field/field-similarity.ts'
import { readInteger } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import type { QueryReader } from './query-parser.ts'

/** The queries that make spans. */
const SPAN_QUERIES: ReadonlySet<string> = new Set([
  'field_masking_span',
  'span_containing',
  'span_field_masking',
  'span_first',
  'span_gap',
  'span_multi',
  'span_near',
  'span_not',
  'span_or',
  'span_term',
  'span_within',
])

/**
 * Reads a span query within another one.
 * @throws {EngineError} 400: another kind of query, or one with a boost
 */
export function readSpan(
  query: string,
  key: string,
  node: JsonNode,
  read: QueryReader,
): ParsedQuery {
  const name = node.kind === 'object' ? node.entries[0]?.key : undefined
  const span = read.inner(node)
  if (name === undefined || !SPAN_QUERIES.has(name))
    throw parsingError(node, `${query} [${key}] must be of type span query`)
  if (span.boost !== 1)
    throw parsingError(
      node,
      `${query} [${key}] as a nested span clause can't have non-default boost value ` +
        `[${doubleText(span.boost)}]`,
    )
  if (name !== 'span_gap' || query !== 'span_near') return span
  const gap = gapOf(node)
  return { ...span, build: () => gap }
}

/** `{span_gap: {⟨field⟩: width}}`, which its parser has checked. */
function gapOf(node: JsonNode): SpanQuery {
  const clause = node.kind === 'object' ? node.entries[0]!.value : node
  const [entry] = clause.kind === 'object' ? clause.entries : []
  if (entry === undefined) throw new IllegalArgumentError('field name is null or empty')
  return { kind: 'span', field: entry.key, span: { kind: 'gap', width: readInteger(entry.value) } }
}

/**
 * Reads a list of span queries.
 * @throws {EngineError} 400: there is none, or one is of another kind
 */
export function readSpans(query: string, { value }: JsonEntry, read: QueryReader): ParsedQuery[] {
  if (value.kind !== 'array')
    throw parsingError(value, `[${query}] unknown token [${tokenName(value.kind)}] after [clauses]`)
  return value.items.map(item => readSpan(query, 'clauses', item, read))
}

/** The span that a query has become. */
export function spanOf(parsed: ParsedQuery, context: QueryContext): SpanQuery {
  const built = withoutSimilarity(parsed.build(context))
  const query = built.kind === 'constantScore' ? built.query : built
  if (query.kind === 'span') return query
  throw new IllegalArgumentError('spans are made by span queries alone')
}

/**
 * The spans of several queries, and their field.
 * @throws {IllegalArgumentError} they are of several fields
 */
export function spansOf(
  query: string,
  parsed: readonly ParsedQuery[],
  context: QueryContext,
): { readonly field: string; readonly spans: readonly Span[] } {
  const made = parsed.map(each => spanOf(each, context))
  const { field } = made.find(({ span }) => span.kind !== 'gap') ?? made[0]!
  if (made.some(each => each.field !== field))
    throw new IllegalArgumentError(`[${query}] clauses must have same field`)
  return { field, spans: made.map(({ span }) => span) }
}

/** The query of a span on a field, scored by the similarity of the field. */
export function spanQuery(field: string, span: Span, context: QueryContext): Query {
  const query: SpanQuery = { kind: 'span', field, span }
  const mapped = context.mapping.field(field)
  return mapped?.type === 'text' ? inSimilarity(mapped, query, context) : query
}
