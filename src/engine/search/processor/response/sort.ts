import { compareValues } from '../../../../pipeline/compare-values.ts'
import type { ProcessorConfig } from '../../../../pipeline/processor-config.ts'
import { classNameOf, type ScriptValue } from '../../../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { valuesOf, withValues } from '../response-hits.ts'
import type { ResponseProcessorType } from '../search-processor.ts'

/** `sort`: the items of a field's list, which are of one type, in order. */
export const SORT: ResponseProcessorType = {
  name: 'sort',
  parse(config) {
    const field = config.text('field')
    const target = config.optionalText('target_field') ?? field
    const sign = signOf(config)
    const sorted = (items: readonly ScriptValue[]): ScriptValue[] => {
      for (const item of items) checkComparable(field, item)
      return [...items].sort((a, b) => sign * compareValues(a, b))
    }
    return hits =>
      hits.map(hit => {
        const { fields, source } = valuesOf(hit, field)
        return withValues(hit, target, {
          fields: fields === undefined ? undefined : sorted(fields),
          source: Array.isArray(source) ? sorted(source) : undefined,
        })
      })
  },
}

function signOf(config: ProcessorConfig): 1 | -1 {
  const order = config.optionalText('order') ?? 'asc'
  if (order === 'asc') return 1
  if (order === 'desc') return -1
  throw config.fault(
    'order',
    `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`,
  )
}

function checkComparable(field: string, item: ScriptValue): void {
  if (item === null) throw new IllegalArgumentError(`field [${field}] contains a null value.]`)
  if (Array.isArray(item) || item instanceof Map)
    throw new IllegalArgumentError(
      `field [${field}] of type [${classNameOf(item)}] is not comparable.]`,
    )
}
