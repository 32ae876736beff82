import { splitter } from '../../../../pipeline/text-splitter.ts'
import type { ScriptValue } from '../../../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { valuesOf, withValues } from '../response-hits.ts'
import type { ResponseProcessorType } from '../search-processor.ts'

/** `split`: the parts of a field's text between the matches of an expression. */
export const SPLIT: ResponseProcessorType = {
  name: 'split',
  parse(config) {
    const field = config.text('field')
    const split = splitter(config, 'separator', config.text('separator'))
    const limit = config.flag('preserve_trailing', false) ? -1 : 0
    const target = config.optionalText('target_field') ?? field
    const ofFields = (values: readonly ScriptValue[]): string[] => {
      const [first] = values
      if (typeof first === 'string') return split(first, limit)
      throw new IllegalArgumentError(`field [${field}] is not a string, cannot split`)
    }
    return hits =>
      hits.map(hit => {
        const { fields, source } = valuesOf(hit, field)
        return withValues(hit, target, {
          fields: fields === undefined ? undefined : ofFields(fields),
          source: typeof source === 'string' ? split(source, limit) : undefined,
        })
      })
  },
}
