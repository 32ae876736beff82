import { eitherText, interval, pointWeight } from './point-weight.ts'
import type { PointInSetQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents that have one of several numbers. */
export const pointInSetQuery: QueryType<PointInSetQuery> = {
  className(query) {
    if (query.indexed && query.docValues) return 'IndexOrDocValuesQuery'
    return query.indexed ? 'PointInSetQuery' : 'SortedNumericDocValuesSetQuery'
  },
  text: query => eitherText(query, `${query.field}:{${query.texts.join(' ')}}`),
  clauseCount: () => 1,
  mapInner: null,
  createWeight(query, builder, id, boost) {
    const intervals = query.values.map(value => interval(value, value))
    return pointWeight(builder, query, id, boost, intervals)
  },
}
