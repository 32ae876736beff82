import {
  type DerivedFields,
  NO_DERIVED_FIELDS,
  parseDerivedFields,
} from '../../../schema/derived-field.ts'
import { parsingError, tokenName } from '../../dsl/parse-error.ts'
import type { SearchPart } from '../search-part.ts'

/** `derived`: fields of this search alone, beside those of mappings. The queries of each index name them. */
export const derivedPart: SearchPart<DerivedFields> = {
  unasked: NO_DERIVED_FIELDS,
  keys: {
    derived(value) {
      if (value.kind !== 'object')
        throw parsingError(value, `Unknown key for a ${tokenName(value.kind)} in [derived].`)
      return parseDerivedFields(value, false)
    },
  },
  check() {},
  print() {},
}
