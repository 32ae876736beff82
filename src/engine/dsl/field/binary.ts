import type { BinaryField } from '../../../schema/field-type/binary.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { shardError } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { checkDocValues, unmappedNumberSort } from './number-sort.ts'
import { existsByDocValues, refusePhrasePrefix, refusePrefix } from './whole-value.ts'

/** Byte strings are found by their presence alone. */
export const binary: FieldSearch<BinaryField> = {
  isNumber: false,
  takesPhrases: false,
  term: refuseTerm,
  terms: refuseTerm,
  range(field) {
    throw new IllegalArgumentError(
      `Field [${field.name}] of type [${field.type}] does not support range queries`,
    )
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  match(field, match) {
    refusePhrasePrefix(field, match)
    return refuseTerm()
  },
  sort(field) {
    checkDocValues(field)
    throw new IllegalArgumentError("can't sort on binary field")
  },
  unmappedSort: unmappedNumberSort,
}

function refuseTerm(): never {
  throw shardError('Binary fields do not support searching')
}
