import type { FieldType } from '../../../../schema/field-type.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { type JsonObjectNode, jsonEntry } from '../../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../../util/json/json-value.ts'
import { jsonValueOf } from '../../../../util/json/json-writer.ts'
import { matchesWildcard } from '../../../../util/wildcard.ts'
import type { SearchCall } from '../../../api/searches.ts'
import { readInteger } from '../../../dsl/json-scalars.ts'
import { readFieldsAndFormats } from '../../../dsl/search-body/field-and-format.ts'
import { resolveOpen } from '../../../metadata/resolve-target.ts'
import { mmrField } from '../../mmr/mmr-field.ts'
import { nodeOf, sourceKey, withSourceKey } from '../search-source.ts'
import type { SystemRequestFactory } from '../system-processor.ts'

/** Hits of a search that does not say how many, and candidates for each. */
const DEFAULT_SIZE = 10
const OVERSAMPLE = 3

/** `mmr_over_sample`: as many hits as there are candidates, each with its vector. */
export const MMR_OVER_SAMPLE: SystemRequestFactory = {
  name: 'mmr_over_sample_factory',
  type: 'mmr_over_sample',
  isFor: ({ parts: { ext } }) => ext.mmr !== null,
  run(call, run) {
    const { node, request, context } = run
    const mmr = request.parts.ext.mmr!
    const given = sourceKey(call, 'size')
    const size = given === null ? DEFAULT_SIZE : readInteger(given)
    const candidates = mmr.candidates ?? OVERSAMPLE * size
    const query = knnOf(call)
    const views = resolveOpen(node.metadata, call.target, context)
    const field = mmrField(mmr.field ?? query.field, mmr, views)
    const hasColumns = views.every(({ mapping }) => columnOf(mapping.field(field.path)))
    const isListed = hasColumns && asksFor(listed(call), 'docvalue_fields', field.path)
    const isAsked = isListed || asksFor(call, 'fields', field.path)
    run.mmr = { field, size, diversity: mmr.diversity, keepsVectors: isAsked }
    const sized = withSourceKey(call, 'size', candidates)
    const changed = withSourceKey(sized, 'query', query.withCount(candidates))
    return isListed ? changed : withFieldOf(changed, field.path)
  },
}

/** The query, which must be one of vectors. */
interface KnnOfCall {
  readonly field: string
  /** The query for so many vectors; the same where all within a radius are asked for. */
  withCount(k: number): JsonValue
}

function knnOf(call: SearchCall): KnnOfCall {
  const query = sourceKey(call, 'query')
  if (query?.kind !== 'object' || query.entries.length === 0)
    throw new IllegalArgumentError(
      'Query builder must not be null to do Maximal Marginal Relevance rerank.',
    )
  const [{ key, value }] = query.entries as [JsonObjectNode['entries'][0]]
  if (key !== 'knn')
    throw new IllegalArgumentError(
      `Maximal Marginal Relevance rerank doesn't support the query type [${key}]`,
    )
  const [entry] = value.kind === 'object' ? value.entries : []
  const options = entry?.value
  if (entry === undefined || options?.kind !== 'object')
    throw new IllegalArgumentError(
      'Failed to transform the knn query for MMR. Field name of the knn query should not be null.',
    )
  const isRadial = ['max_distance', 'min_score'].some(name => jsonEntry(options, name) !== null)
  return {
    field: entry.key,
    withCount(k) {
      const kept = options.entries.filter(each => isRadial || each.key !== 'k')
      const own = new Map(kept.map(each => [each.key, jsonValueOf(each.value)]))
      if (!isRadial) own.set('k', k)
      return new Map([['knn', new Map([[entry.key, own]])]])
    },
  }
}

/** The search with the vectors of its hits among their fields, where the choice reads them. */
function withFieldOf(call: SearchCall, path: string): SearchCall {
  const asked = jsonValueOf(sourceKey(call, 'fields') ?? nodeOf([]))
  return withSourceKey(call, 'fields', [...(Array.isArray(asked) ? asked : [asked]), path])
}

function columnOf(field: FieldType | null): boolean {
  return field?.type !== 'knn_vector' || field.docValues
}

/** The search with the option of its URL in its body. */
function listed(call: SearchCall): SearchCall {
  const { docvalueFields } = call.options
  return docvalueFields === undefined
    ? call
    : withSourceKey(call, 'docvalue_fields', docvalueFields)
}

/** Whether a search asks for a field itself, by name or by a pattern. */
function asksFor(call: SearchCall, key: 'fields' | 'docvalue_fields', path: string): boolean {
  const asked = sourceKey(call, key)
  if (asked === null) return false
  return readFieldsAndFormats(asked, key).some(({ field }) => matchesWildcard(field, path))
}
