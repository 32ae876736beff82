import { interval, pointWeight } from './point-weight.ts'
import type { IntegerRunsQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents that have an integer in one of several runs, which a bitmap brought. */
export const integerRunsQuery: QueryType<IntegerRunsQuery> = {
  className({ indexed, docValues }) {
    if (indexed && docValues) return 'IndexOrDocValuesQuery'
    return indexed ? 'BitmapIndexQuery' : 'BitmapDocValuesQuery'
  },
  text({ field, indexed, docValues }) {
    const index = `BitmapIndexQuery(field=${field})`
    const values = `BitmapDocValuesQuery(field=${field})`
    if (indexed && docValues) return `IndexOrDocValuesQuery(indexQuery=${index}, dvQuery=${values})`
    return indexed ? index : values
  },
  clauseCount: () => 1,
  mapInner: null,
  createWeight(query, builder, id, boost) {
    const intervals = query.runs.map(({ lower, upper }) => interval(lower, upper))
    return pointWeight(builder, query, id, boost, intervals)
  },
}
