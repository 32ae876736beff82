/** The queries on single fields within a search's query, as processors that route look at them. */
import { type JsonNode, type JsonObjectNode, jsonEntry } from '../../../util/json/json-tree.ts'
import { scalarText } from '../../dsl/json-scalars.ts'

/** Whether a document has to match a clause. */
export type Occur = 'must' | 'should' | 'mustNot'

/** A query that stands below a name: `{"term": {⟨body⟩}}`. */
export interface NamedQuery {
  readonly name: string
  readonly body: JsonObjectNode
}

/** The keys of compound queries that hold others, each with what it says of them. */
const INNER: Readonly<Record<string, Readonly<Record<string, Occur>>>> = {
  bool: { must: 'must', filter: 'must', should: 'should', must_not: 'mustNot' },
  boosting: { positive: 'must', negative: 'should' },
  constant_score: { filter: 'must' },
  dis_max: { queries: 'should' },
  function_score: { query: 'must' },
  hybrid: { queries: 'should' },
  nested: { query: 'must' },
  script_score: { query: 'must' },
}

/**
 * The queries within a query, itself among them.
 * @param follows whether clauses of a kind are looked into
 */
export function* queriesIn(
  query: JsonNode | null,
  follows: (occur: Occur) => boolean,
): Generator<NamedQuery> {
  if (query?.kind !== 'object') return
  for (const { key: name, value: body } of query.entries) {
    if (body.kind !== 'object') continue
    yield { name, body }
    for (const [key, occur] of Object.entries(INNER[name] ?? {}))
      if (follows(occur))
        for (const inner of itemsOf(jsonEntry(body, key)?.value)) yield* queriesIn(inner, follows)
  }
}

/** The values of a query on a field, as text; none where the query is on another field. */
export function valuesOn({ body }: NamedQuery, field: string, key = 'value'): string[] {
  const value = jsonEntry(body, field)?.value
  const given = value?.kind === 'object' ? jsonEntry(value, key)?.value : value
  return itemsOf(given).flatMap(item => scalarText(item) ?? [])
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  if (node === undefined) return []
  return node.kind === 'array' ? node.items : [node]
}
