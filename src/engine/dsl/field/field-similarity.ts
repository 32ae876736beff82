/** Similarities of an index, as its queries score by them. */
import type { SimilarityDefinition } from '../../../schema/similarity/similarity-settings.ts'
import type { ScriptRequest } from '../../../script/script-request.ts'
import type { FieldSimilarities, Query } from '../../../search/query/query.ts'
import type { ScriptPlan } from '../../../search/script/script-plan.ts'
import { bm25With } from '../../../search/weight/similarity.ts'
import { parseJsonTree } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { writeJson } from '../../../util/json/json-writer.ts'
import { parseScript } from '../parse-script.ts'
import type { FieldSimilarity, QueryContext } from '../query-context.ts'

/** Scripts of a similarity. */
export interface SimilarityScripts {
  readonly script: ScriptRequest
  /** Null: every weight is 1. */
  readonly weightScript: ScriptRequest | null
}

/**
 * The scripts of a definition.
 * @throws {EngineError} they are written wrongly
 */
export function scriptsOf({
  script,
  weightScript,
}: SimilarityDefinition & { readonly kind: 'scripted' }): SimilarityScripts {
  return {
    script: requestOf(script),
    weightScript: weightScript === null ? null : requestOf(weightScript),
  }
}

/**
 * A definition as queries score by it; null: by BM25 with its default parameters.
 * @throws {EngineError} its script may not run
 */
export function fieldSimilarity(
  definition: SimilarityDefinition | null,
  context: QueryContext,
): FieldSimilarity | null {
  if (definition === null) return null
  if (definition.kind === 'boolean') return 'constant'
  if (definition.kind === 'bm25') {
    const { k1, b, isLegacy } = definition
    return bm25With({ k1, b }, isLegacy ? Math.fround(1 + k1) : 1)
  }
  if (definition.kind === 'model') return { ...definition, terms: null }
  const { script, weightScript } = scriptsOf(definition)
  const plan = (request: ScriptRequest, name: string): ScriptPlan =>
    context.planScript(request, name, context)
  return {
    kind: 'scripted',
    script: plan(script, 'similarity'),
    weightScript: weightScript === null ? null : plan(weightScript, 'similarity_weight'),
    terms: null,
  }
}

/** A field whose matches score. */
export interface ScoredField {
  readonly name: string
  /** Whether each match scores 1, whatever the similarity. */
  readonly scoresConstant: boolean
  /** The name of its similarity; null: the index's default. */
  readonly similarity: string | null
}

/**
 * A query of one field's terms, scored by its similarity.
 * @param names the field's and those of fields derived from it
 */
export function inSimilarity(
  { name, scoresConstant, similarity }: ScoredField,
  query: Query,
  context: QueryContext,
  names: readonly string[] = [name],
): Query {
  const own = scoresConstant ? 'constant' : context.similarityOf(similarity)
  if (own === null) return query
  if (own === 'constant') return { kind: 'constantScore', query }
  return { kind: 'similarity', query, similarities: names.map(each => [each, own]) }
}

/** A query of terms of several fields, which score by BM25 where their similarity scores all alike. */
export function inSimilarities(
  fields: readonly ScoredField[],
  query: Query,
  context: QueryContext,
): Query {
  const similarities = fields.flatMap(({ name, similarity }): FieldSimilarities => {
    const own = context.similarityOf(similarity)
    return own === null || own === 'constant' ? [] : [[name, own]]
  })
  return similarities.length === 0 ? query : { kind: 'similarity', query, similarities }
}

function requestOf(script: JsonValue): ScriptRequest {
  return parseScript(parseJsonTree(writeJson(script)))
}
