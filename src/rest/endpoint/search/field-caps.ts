import type { FieldCapability, IndexFieldCaps } from '../../../engine/api/searches.ts'
import type { JsonMap, JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'

/** `GET|POST [/{index}]/_field_caps`. */
export const fieldCaps: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_field_caps'],
    ['POST', '/_field_caps'],
    ['GET', '/{index}/_field_caps'],
    ['POST', '/{index}/_field_caps'],
  ],
  action: 'indices:data/read/field_caps',
  params: { ...TARGET_PARAMS, fields: list, include_unmapped: flag },
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open')
    const call = { target, fields: params.fields ?? [], body }
    const { indices } = await engine.searches.fieldCaps(call, context)
    const names = new Set(indices.flatMap(({ fields }) => [...fields.keys()]))
    const isUnmappedShown = params.include_unmapped ?? false
    return {
      json: {
        indices: indices.map(({ index }) => index),
        fields: new Map(
          [...names].sort().map(name => [name, printField(name, indices, isUnmappedShown)]),
        ),
      },
    }
  },
})

/** A field's capability in one index. */
interface InIndex extends FieldCapability {
  readonly index: string
}

/** Capabilities of a field in all indices, by type. */
function printField(
  name: string,
  indices: readonly IndexFieldCaps[],
  isUnmappedShown: boolean,
): JsonMap {
  const byType = new Map<string, InIndex[]>()
  for (const { index, fields } of indices) {
    const found = fields.get(name) ?? (isUnmappedShown ? UNMAPPED : null)
    if (found === null) continue
    const others = byType.get(found.type) ?? []
    byType.set(found.type, others)
    others.push({ ...found, index })
  }
  const types = [...byType].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(types.map(([type, found]) => [type, printType(type, found, types.length > 1)]))
}

const UNMAPPED: FieldCapability = {
  type: 'unmapped',
  searchable: false,
  aggregatable: false,
  meta: new Map(),
}

function printType(type: string, found: readonly InIndex[], withIndices: boolean): JsonRecord {
  const searchable = found.every(each => each.searchable)
  const aggregatable = found.every(each => each.aggregatable)
  const meta = metaOf(found)
  return {
    type,
    searchable,
    aggregatable,
    indices: withIndices ? found.map(({ index }) => index) : undefined,
    non_searchable_indices: without(found, each => each.searchable),
    non_aggregatable_indices: without(found, each => each.aggregatable),
    meta: meta.size === 0 ? undefined : meta,
  }
}

/** The indices that differ from others; undefined where none does. */
function without(
  found: readonly InIndex[],
  can: (each: InIndex) => boolean,
): readonly string[] | undefined {
  const lacking = found.filter(each => !can(each))
  const isMixed = lacking.length > 0 && lacking.length < found.length
  return isMixed ? lacking.map(({ index }) => index) : undefined
}

/** The values of each key of `meta`, in order. */
function metaOf(found: readonly InIndex[]): JsonMap {
  const values = new Map<string, Set<string>>()
  for (const { meta } of found)
    for (const [key, value] of meta)
      values.set(key, (values.get(key) ?? new Set<string>()).add(value))
  return new Map([...values].sort().map(([key, set]) => [key, [...set].sort()]))
}
