import { MATCH_ALL } from '../../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { FieldSearch } from '../field-search.ts'
import { unmappedNumberSort } from '../number-sort.ts'
import { idSort } from '../term-sort.ts'
import {
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  refuseRange,
} from '../whole-value.ts'
import { idsQuery } from './ids-query.ts'
import type { IdField } from './metadata-field.ts'

/** Why ids are not read by document, where the cluster forbids it. */
export const ID_IS_CLOSED: string =
  'Fielddata access on the _id field is disallowed, you can re-enable it by updating the ' +
  'dynamic cluster setting: indices.id_field_data.enabled'

/** Searches in `_id`: whole ids alone. */
export const idField: FieldSearch<IdField> = {
  isNumber: false,
  term: (_field, text) => idsQuery([text]),
  terms: (_field, texts) => idsQuery(texts),
  range: refuseRange,
  exists: () => MATCH_ALL,
  prefix: refusePrefix,
  pattern: refusePattern,
  fuzzy: refuseFuzzy,
  match(field, match) {
    refusePhrasePrefix(field, match)
    return idsQuery([match.text])
  },
  sort(field, level) {
    if (!field.isLoadable) throw new IllegalArgumentError(ID_IS_CLOSED)
    return idSort(field, level)
  },
  unmappedSort: unmappedNumberSort,
}
