import { printValue } from '../metric/moments.ts'
import type { MetricResult } from '../result.ts'
import type { ValueFormat } from '../value-source.ts'
import { numberText } from '../value-text.ts'

/** A number that a pipeline made. @param typedName null: that of plain values */
export function simpleValue(
  value: number,
  format: ValueFormat,
  typedName: string = 'simple_value',
): MetricResult {
  return {
    kind: 'metric',
    typedName,
    value: metric => (metric === null || metric === 'value' ? value : undefined),
    print: () => printValue(value, numberText(format)),
  }
}
