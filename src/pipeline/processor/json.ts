import { javaText } from '../../script/value/java-text.ts'
import { readValue } from '../../script/value/read-value.ts'
import type { ScriptValue } from '../../script/value/script-value.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** `json`: the value that a text of JSON holds. */
export const JSON_TEXT: ProcessorType = {
  name: 'json',
  parse(config) {
    const field = config.path('field')
    const given = config.optionalText('target_field')
    const addsToRoot = config.flag('add_to_root', false)
    if (addsToRoot && given !== null)
      throw config.fault(
        'target_field',
        'Cannot set a target field while also setting `add_to_root` to true',
      )
    const target = given === null ? field : config.pathOf('target_field', given)
    return changes(document => {
      const text = javaText(document.get(field))
      document.charge(text.length)
      const value = read(text)
      if (!addsToRoot) document.set(target, value)
      else if (value instanceof Map) for (const [key, item] of value) document.fields.set(key, item)
      else throw new IllegalArgumentError('cannot add non-map fields to root of document')
    })
  },
}

function read(text: string): ScriptValue {
  try {
    return readValue(encodeUtf8(text))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new IllegalArgumentError(error.record.reason, { causedBy: error.record })
  }
}
