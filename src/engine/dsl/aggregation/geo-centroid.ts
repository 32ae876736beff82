import type { AggregationParser } from './aggregation-parser.ts'
import { overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { placeKeys } from './place-keys.ts'

/** `geo_centroid`. */
export const geoCentroid: AggregationParser = {
  takesChildren: false,
  sortable: 'no',
  parse({ name, node }) {
    const keys = placeKeys('geo_centroid')
    readFields(node, 'geo_centroid', keys.readers)
    keys.check()
    return {
      bind: context =>
        overValues(keys.bind(context), keys.none(), places => ({
          kind: 'geoCentroid',
          name,
          children: [],
          places,
        })),
    }
  },
}
