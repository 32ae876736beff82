import { readBoolean } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { type PlaceSource, placeKeys } from './place-keys.ts'

/** `geo_bounds`. */
export const geoBounds: AggregationParser = {
  takesChildren: false,
  sortable: 'no',
  parse({ name, node }) {
    const keys = placeKeys('geo_bounds')
    let wrapsLongitude = true
    readFields(node, 'geo_bounds', keys.readers, {
      wrap_longitude: value => {
        wrapsLongitude = readBoolean(value)
      },
    })
    keys.check()
    return {
      bind: context =>
        overValues<PlaceSource>(keys.bindAny(context), keys.none(), places => ({
          kind: 'geoBounds',
          name,
          children: [],
          places,
          wrapsLongitude,
        })),
    }
  },
}
