import { hostAddress, numberAddress } from '../../util/ip-address.ts'
import { addressWeight, storedText } from './address-weight.ts'
import type { AddressRangeQuery } from './query.ts'
import type { QueryType } from './query-type.ts'
import { runBetween } from './term-runs.ts'

/** Documents that have an address in a closed interval. */
export const addressRangeQuery: QueryType<AddressRangeQuery> = {
  className(query) {
    if (query.indexed && query.docValues) return 'IndexOrDocValuesQuery'
    return query.indexed ? 'PointRangeQuery' : 'SortedSetDocValuesRangeQuery'
  },
  text(query) {
    const ends = (print: (address: Uint8Array) => string): string =>
      `${query.field}:[${print(numberAddress(query.lower))} TO ${print(numberAddress(query.upper))}]`
    if (!query.docValues) return ends(hostAddress)
    if (!query.indexed) return ends(storedText)
    return `IndexOrDocValuesQuery(indexQuery=${ends(hostAddress)}, dvQuery=${ends(storedText)})`
  },
  clauseCount: () => 1,
  mapInner: null,
  createWeight(query, builder, id, boost) {
    const run = runBetween(numberAddress(query.lower), numberAddress(query.upper))
    return addressWeight(builder, query, id, boost, [run])
  },
}
