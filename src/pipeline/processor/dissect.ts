import { IllegalArgumentError } from '../../util/errors.ts'
import { Dissection } from '../dissect.ts'
import { parsePath } from '../field-path.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** `dissect`: fields out of a text, by the delimiters between them. */
export const DISSECT: ProcessorType = {
  name: 'dissect',
  parse(config) {
    const field = config.path('field')
    const pattern = config.text('pattern')
    const separator = config.optionalText('append_separator') ?? ''
    const ignoresMissing = config.flag('ignore_missing', false)
    const dissection = new Dissection(pattern, separator)
    return changes(document => {
      const text = document.text(field, ignoresMissing)
      if (text === null) {
        if (ignoresMissing) return
        throw new IllegalArgumentError(`field [${field.text}] is null, cannot process it.`)
      }
      for (const [name, value] of dissection.apply(text)) document.set(parsePath(name), value)
    })
  },
}
