import { highHalf, lowHalf } from '../../../search/query/point-value.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseDistance } from '../../../util/geo-distance.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration } from '../../../util/units.ts'
import { dateInstant } from '../date-origin.ts'
import { plainField } from '../derived/derived-field.ts'
import { checkDocValues } from '../field/number-sort.ts'
import { checkIndexed } from '../field/searchable.ts'
import { readPlace } from '../geo-origin.ts'
import { readText } from '../json-scalars.ts'
import { unknownField } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { QUERY_OPTIONS, type QueryParser } from './query-parser.ts'

const KEYS = ['field', 'origin', 'pivot'] as const

/** `distance_feature`: the nearer a date or a place, the higher the score. */
export const distanceFeatureParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const found = new Map<string, JsonNode>()
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (!(KEYS as readonly string[]).includes(entry.key))
        throw unknownField(entry, 'distance_feature', [...KEYS, ...QUERY_OPTIONS])
      found.set(entry.key, entry.value)
    }
    const missing = KEYS.filter(key => !found.has(key))
    if (missing.length > 0) throw new IllegalArgumentError(`Required [${missing.join(', ')}]`)
    const field = readText(found.get('field')!)
    const pivot = readText(found.get('pivot')!)
    const origin = found.get('origin')!
    return { field, build: context => build(field, origin, pivot, context) }
  },
}

function build(name: string, origin: JsonNode, pivot: string, context: QueryContext): Query {
  const field = plainField(name, 'distance_feature', context)
  if (field === null) return matchNone("Can't run [distance_feature] query on unmapped fields!")
  switch (field.type) {
    case 'geo_point': {
      checkIndexed(field)
      checkDocValues(field)
      const place = readPlace(origin)
      return {
        kind: 'distanceFeature',
        field: field.name,
        origin: { kind: 'place', place },
        pivot: positive(parseDistance(pivot)),
      }
    }
    case 'date':
    case 'date_nanos': {
      checkIndexed(field)
      checkDocValues(field)
      const value = dateInstant(field, readText(origin), context)
      const nanos = parseDuration(pivot, 'distance_feature.pivot')
      return {
        kind: 'distanceFeature',
        field: field.name,
        origin: { kind: 'long', hi: highHalf(value), lo: lowHalf(value), text: String(value) },
        pivot: positive(field.type === 'date' ? Math.trunc(nanos / 1e6) : nanos),
      }
    }
  }
  throw new IllegalArgumentError(
    `Illegal data type of [${field.type}]![distance_feature] query can only be run on a date, ` +
      'date_nanos or geo_point field type!',
  )
}

function positive(pivot: number): number {
  if (pivot > 0) return pivot
  throw new IllegalArgumentError(`pivotDistance must be > 0, got ${pivot}`)
}
