import { compileDateFormat, type DateFormat } from '../../schema/date-format.ts'
import type { MappedField } from '../../schema/field-type/mapped-field.ts'

/**
 * The format of dates that a request asks for, with the names of the field's locale.
 * @throws {EngineError} the pattern is none
 */
export function requestFormat(
  { parameters }: Pick<MappedField, 'parameters'>,
  pattern: string,
): DateFormat {
  const locale = parameters.get('locale')
  return compileDateFormat(pattern, typeof locale === 'string' ? locale : '')
}
