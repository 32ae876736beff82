import { hostAddress, numberAddress } from '../../util/ip-address.ts'
import { addressWeight, storedText } from './address-weight.ts'
import type { AddressInSetQuery } from './query.ts'
import type { QueryType } from './query-type.ts'
import { runBetween } from './term-runs.ts'

/** Documents that have one of several addresses. */
export const addressInSetQuery: QueryType<AddressInSetQuery> = {
  className(query) {
    if (query.indexed && query.docValues) return 'IndexOrDocValuesQuery'
    return query.indexed ? 'PointInSetQuery' : 'TermInSetQuery'
  },
  text(query) {
    const list = (print: (address: Uint8Array) => string): string =>
      query.addresses.map(address => print(numberAddress(address))).join(' ')
    const points = `${query.field}:{${list(hostAddress)}}`
    const values = `${query.field}:(${list(storedText)})`
    if (!query.docValues) return points
    if (!query.indexed) return values
    return `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${values})`
  },
  clauseCount: () => 1,
  mapInner: null,
  createWeight(query, builder, id, boost) {
    const runs = query.addresses.map(number => {
      const address = numberAddress(number)
      return runBetween(address, address)
    })
    return addressWeight(builder, query, id, boost, runs)
  },
}
