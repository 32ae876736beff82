/** The features of a request by what the engine's own tables say that there is. */
import { SEARCHED_TYPES } from '../../../src/engine/dsl/field/field-searches.ts'
import { NAMED_SORTS, SORT_OPTIONS } from '../../../src/engine/dsl/sort.ts'
import { SEARCH_KEYS } from '../../../src/engine/search/search-request.ts'
import { search } from '../../../src/rest/endpoint/search/search.ts'
import { typeOfField } from './collection.ts'

/** Types of fields that no sort is by, as the engine answers: a test holds it to that. */
export const UNSORTED_TYPES: ReadonlySet<string> = new Set([
  'match_only_text',
  'search_as_you_type',
  'completion',
  'rank_feature',
  'rank_features',
  'binary',
  'geo_point',
  'geo_shape',
  'knn_vector',
  'integer_range',
  'long_range',
  'float_range',
  'double_range',
  'date_range',
  'ip_range',
  'derived',
  '_routing',
  '_version',
  '_doc_count',
  '_source',
  '_field_names',
])

/** Every key of a body, parameter of the URL, sort, and option of a sort that the engine reads. */
export const REQUEST_FEATURES: readonly string[] = [
  ...SEARCH_KEYS.map(key => `key ${key}`),
  ...Object.keys(search.params).map(name => `parameter ${name}`),
  ...[...NAMED_SORTS.keys()].map(name => `sort by ${name}`),
  ...SEARCHED_TYPES.filter(type => !UNSORTED_TYPES.has(type)).map(type => `sort by ${type}`),
  ...Object.keys(SORT_OPTIONS).map(name => `sort option ${name}`),
]

/** The features of one request. */
export function featuresOf(
  body: Readonly<Record<string, unknown>>,
  params: Readonly<Record<string, string>>,
  sort: readonly (string | object)[],
): readonly string[] {
  return [
    ...Object.keys(body).map(key => `key ${key}`),
    ...Object.keys(params).map(name => `parameter ${name}`),
    ...sort.flatMap(level => {
      if (typeof level === 'string') return [`sort by ${level}`]
      return Object.entries(level).flatMap(([name, options]) => featuresOfLevel(name, options))
    }),
  ]
}

function featuresOfLevel(name: string, options: string | object): readonly string[] {
  const type = NAMED_SORTS.has(name) ? name : typeOfField(name)
  const keys = typeof options === 'string' ? ['order'] : Object.keys(options)
  return [
    // A field that is nowhere has the type that the level gives it.
    ...(type === null ? [] : [`sort by ${type}`]),
    ...keys.filter(key => Object.hasOwn(SORT_OPTIONS, key)).map(key => `sort option ${key}`),
  ]
}
