import type { BinaryField } from '../../../schema/field-type/binary.ts'
import { shardError } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { presenceOnly } from './presence-only.ts'

/** Byte strings. */
export const binary: FieldSearch<BinaryField> = presenceOnly({
  term: () => shardError('Binary fields do not support searching'),
  sort: "can't sort on binary field",
})
