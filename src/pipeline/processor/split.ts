import { IllegalArgumentError } from '../../util/errors.ts'
import { changes, type ProcessorType } from '../processor.ts'
import { splitter } from '../text-splitter.ts'

/** `split`: the parts of a text between the matches of an expression. */
export const SPLIT: ProcessorType = {
  name: 'split',
  parse(config) {
    const field = config.path('field')
    const split = splitter(config, 'separator', config.text('separator'))
    const keepsTrailing = config.flag('preserve_trailing', false)
    const ignoresMissing = config.flag('ignore_missing', false)
    const given = config.optionalText('target_field')
    const target = given === null ? field : config.pathOf('target_field', given)
    return changes(document => {
      const text = document.text(field, ignoresMissing)
      if (text === null) {
        if (ignoresMissing) return
        throw new IllegalArgumentError(`field [${field.text}] is null, cannot split.`)
      }
      const parts = split(text, keepsTrailing ? -1 : 0)
      document.charge(text.length + 16 * parts.length)
      document.set(target, parts)
    })
  },
}
