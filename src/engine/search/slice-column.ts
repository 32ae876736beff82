import { storageOf } from '../../schema/field-type/field-types.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { SliceQuery } from '../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { QueryContext } from '../dsl/query-context.ts'
import type { CoupledKeys } from '../dsl/search-body/coupled-keys.ts'

/**
 * The column by which slices of an index's shards are told apart.
 * @throws {EngineError} 400: more slices than the index lets there be (429 over a point in time), a field
 *   that is missing or has no numbers
 */
export function sliceColumnOf(
  { slice, pit }: Pick<CoupledKeys, 'slice' | 'pit'>,
  settings: Settings,
  { mapping }: QueryContext,
): SliceQuery['column'] | null {
  if (slice === null) return null
  const { max, field } = slice
  const key = pit === null ? 'index.max_slices_per_scroll' : 'index.max_slices_per_pit'
  const limit = indexSettings.number(settings, key) ?? 1024
  if (max > limit) {
    const reason =
      `The number of slices [${max}] is too large. It must be less than [${limit}]. ` +
      `This limit can be set by changing the [${key}] index level setting.`
    throw pit === null
      ? new IllegalArgumentError(reason)
      : new EngineError({ type: 'rejected_execution_exception', reason })
  }
  if (field === '_id') return 'ids'
  const found = mapping.field(field)
  if (found === null) throw new IllegalArgumentError(`field ${field} not found`)
  if (storageOf(found).docValues !== 'numeric')
    throw new IllegalArgumentError(`cannot load numeric doc values on ${field}`)
  return 'numericValues'
}
