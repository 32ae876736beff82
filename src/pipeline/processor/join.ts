import { javaText } from '../../script/value/java-text.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** `join`: the items of a list as one text. */
export const JOIN: ProcessorType = {
  name: 'join',
  parse(config) {
    const field = config.path('field')
    const separator = config.text('separator')
    const given = config.optionalText('target_field')
    const target = given === null ? field : config.pathOf('target_field', given)
    return changes(document => {
      const list = document.list(field)
      if (list === null)
        throw new IllegalArgumentError(`field [${field.text}] is null, cannot join.`)
      document.charge(list.length * separator.length)
      document.set(target, list.map(javaText).join(separator))
    })
  },
}
