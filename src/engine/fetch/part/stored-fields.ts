import {
  readStoredFields,
  type StoredFields,
  storedFieldsOfNames,
} from '../../dsl/search-body/stored-fields.ts'
import type { FetchPart } from '../fetch-part.ts'
import { setValues } from '../hit-fields.ts'
import { sourceValues, storedFieldsOf } from '../stored-values.ts'

/** `stored_fields`: values of fields with `store: true`. */
export const storedFieldsPart: FetchPart<StoredFields> = {
  unasked: null,
  keys: { stored_fields: readStoredFields },
  subPhase: null,
  ofOptions: ({ storedFields }) =>
    storedFields === undefined ? undefined : storedFieldsOfNames(storedFields),
  make(asked, { context }) {
    if (asked === null || asked === 'none') return null
    const fields = storedFieldsOf(asked, context.shown, context)
    if (fields.length === 0) return null
    return () => ({
      readsSource: true,
      extraUnits: fields.length,
      read(document, to) {
        const tree = document.storedTree()
        if (tree === null) return
        for (const [name, values] of sourceValues(fields, tree, document.ignored))
          setValues(to, name, values)
      },
    })
  },
}
