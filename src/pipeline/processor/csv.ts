import { IllegalArgumentError } from '../../util/errors.ts'
import { changes, type ProcessorType } from '../processor.ts'
import { readCsvLine } from './csv-line.ts'

/** `csv`: fields out of one line of separated values. */
export const CSV: ProcessorType = {
  name: 'csv',
  parse(config) {
    const field = config.path('field')
    const names = config.texts('target_fields')
    if (names.length === 0) throw config.fault('target_fields', "target fields list can't be empty")
    const targets = names.map(name => (name === '' ? null : config.pathOf('target_fields', name)))
    const quote = config.optionalText('quote') ?? '"'
    if (quote.length !== 1)
      throw config.fault('quote', 'quote has to be single character like " or \'')
    const separator = config.optionalText('separator') ?? ','
    if (separator.length !== 1)
      throw config.fault('separator', 'separator has to be single character like , or ;')
    const trims = config.flag('trim', false)
    const emptyValue = config.value('empty_value')
    const ignoresMissing = config.flag('ignore_missing', false)
    return changes(document => {
      const line = document.text(field, ignoresMissing)
      if (line === null) {
        if (ignoresMissing) return
        throw new IllegalArgumentError(`field [${field.text}] is null, cannot process it.`)
      }
      const values = readCsvLine(line, { quote, separator, trims })
      for (const [i, value] of values.slice(0, targets.length).entries()) {
        const target = targets[i]!
        if (target === null) continue
        if (value !== '') document.set(target, value)
        else if (emptyValue !== null) document.set(target, emptyValue)
      }
    })
  },
}
