import type { Explanation } from '../../search/weight/explanation.ts'
import { Float32, type JsonRecord } from '../../util/json/json-value.ts'

/** An explanation as it prints, with all its details. */
export function printExplanation(explanation: Explanation): JsonRecord {
  const { value, isInteger, description, details } = explanation
  return {
    value: isInteger ? value : new Float32(value),
    description,
    details: details.map(printExplanation),
  }
}
