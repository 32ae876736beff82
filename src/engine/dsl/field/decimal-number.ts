import { javaDecimal } from '../../../schema/field-type/number-text.ts'
import { EngineError } from '../../../util/errors.ts'

/**
 * The number that a request writes; NaN and the infinities are among them.
 * @throws {EngineError} `number_format_exception`
 */
export function decimalNumber(text: string): number {
  const value = javaDecimal(text)
  if (value === null)
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  return value
}
