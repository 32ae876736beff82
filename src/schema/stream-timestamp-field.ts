import { IllegalArgumentError } from '../util/errors.ts'
import type { Mapping } from './mapping.ts'

/**
 * Refuses a mapping whose field of dates is none.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkStreamTimestamp(mapping: Mapping): void {
  const { streamTimestamp } = mapping.options
  if (streamTimestamp === null || !streamTimestamp.enabled) return
  const path = streamTimestamp.field
  const field = mapping.isAlias(path) ? null : mapping.field(path)
  if (field === null)
    throw new IllegalArgumentError(`data stream timestamp field [${path}] does not exist`)
  if (field.type !== 'date' && field.type !== 'date_nanos')
    throw new IllegalArgumentError(
      `data stream timestamp field [${path}] is of type [${field.type}], but [date,date_nanos] is expected`,
    )
}
