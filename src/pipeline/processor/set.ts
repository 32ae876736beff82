import { changes, type ProcessorType } from '../processor.ts'

/** `set`: a value, also a template, at a path. */
export const SET: ProcessorType = {
  name: 'set',
  parse(config) {
    const field = config.pathTemplate('field')
    const value = config.valueTemplate('value')
    const overrides = config.flag('override', true)
    const ignoresEmpty = config.flag('ignore_empty_value', false)
    return changes(document => {
      const path = field(document)
      if (!overrides && document.find(path) !== null) return
      const made = value.make(document)
      if (ignoresEmpty && value.isText && made === '') return
      document.set(path, made)
    })
  },
}
