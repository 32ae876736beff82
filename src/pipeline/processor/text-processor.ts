/** Processors that map a text to a value: of a field, or of each item of its list. */

import { javaText } from '../../script/value/java-text.ts'
import { classNameOf, type ScriptValue } from '../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { IngestDocument } from '../ingest-document.ts'
import { changes, type ProcessorType } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'

/** Maps a text; `field` is the path that errors name. */
type TextMap = (text: string, field: string, document: IngestDocument) => ScriptValue

/**
 * A type of such processors.
 * @param mapOf reads further options
 */
export function textProcessor(
  name: string,
  mapOf: (config: ProcessorConfig) => TextMap,
): ProcessorType {
  return {
    name,
    parse(config) {
      const field = config.path('field')
      const map = mapOf(config)
      const ignoresMissing = config.flag('ignore_missing', false)
      const given = config.optionalText('target_field')
      const target = given === null ? field : config.pathOf('target_field', given)
      return changes(document => {
        const value = ignoresMissing ? document.find(field) : document.get(field)
        if (value === null) {
          if (ignoresMissing) return
          throw new IllegalArgumentError(`field [${field.text}] is null, cannot process it.`)
        }
        if (typeof value === 'string') document.set(target, map(value, field.text, document))
        else if (Array.isArray(value))
          document.set(
            target,
            value.map(item => {
              if (typeof item === 'string') return map(item, field.text, document)
              throw notText(`value [${javaText(item)}]`, item, ` in list field [${field.text}]`)
            }),
          )
        else throw notText(`field [${field.text}]`, value, '')
      })
    },
  }
}

function notText(subject: string, value: ScriptValue, where: string): IllegalArgumentError {
  const type = value === null ? 'null' : classNameOf(value)
  return new IllegalArgumentError(
    `${subject} of type [${type}]${where} cannot be cast to [java.lang.String]`,
  )
}
