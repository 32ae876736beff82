import type { ErrorRecord, ErrorType } from '../util/errors.ts'
import { classNameOf, placeOf } from './stack-trace.ts'

/** Packages of errors that are no classes of the real server's own. */
const PACKAGES: ReadonlyMap<ErrorType, string> = new Map([
  ['illegal_argument_exception', 'java.lang'],
  ['illegal_state_exception', 'java.lang'],
  ['input_coercion_exception', 'com.fasterxml.jackson.core.exc'],
  ['json_e_o_f_exception', 'com.fasterxml.jackson.core.io'],
  ['json_parse_exception', 'com.fasterxml.jackson.core'],
  ['mustache_exception', 'com.github.mustachejava'],
  ['named_object_not_found_exception', 'org.opensearch.core.xcontent'],
  ['number_format_exception', 'java.lang'],
  ['unsupported_operation_exception', 'java.lang'],
  ['x_content_parse_exception', 'org.opensearch.core.xcontent'],
])

/**
 * An error in one line with its causes, as the real server tells it where a text stands for an error:
 * `[i/uuid] QueryShardException[failed]; nested: NumberFormatException[For input string: "x"];; java.lang…`.
 */
export function detailedMessage(record: ErrorRecord): string {
  const { causedBy } = record
  const chain: string[] = []
  for (let at: ErrorRecord | undefined = record; at !== undefined; at = at.causedBy)
    chain.push(`${classNameOf(at.type)}[${at.reason}]`)
  const own = placeOf(record.extra) + chain.join('; nested: ')
  if (causedBy === undefined) return own
  const place = PACKAGES.get(causedBy.type)
  const cause =
    place === undefined
      ? detailedMessage(causedBy)
      : `${place}.${classNameOf(causedBy.type)}: ${causedBy.reason}`
  return `${own};; ${cause}`
}
