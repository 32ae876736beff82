import { changes, type ProcessorType } from '../processor.ts'

/** `append`: one value or several behind those of a list. */
export const APPEND: ProcessorType = {
  name: 'append',
  parse(config) {
    const field = config.pathTemplate('field')
    const value = config.valueTemplate('value')
    const allowsDuplicates = config.flag('allow_duplicates', true)
    return changes(document => {
      document.append(field(document), value.make(document), allowsDuplicates)
    })
  },
}
