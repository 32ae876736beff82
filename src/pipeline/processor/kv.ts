import { IllegalArgumentError } from '../../util/errors.ts'
import { parsePath } from '../field-path.ts'
import { changes, type ProcessorType } from '../processor.ts'
import { splitter } from '../text-splitter.ts'

/** `kv`: fields out of pairs such as `a=1 b=2`. */
export const KV: ProcessorType = {
  name: 'kv',
  parse(config) {
    const field = config.pathTemplate('field')
    const givenTarget = config.optionalText('target_field')
    const target = givenTarget === null ? null : config.template('target_field', givenTarget)
    const prefix = config.optionalText('prefix') ?? ''
    const splitFields = splitter(config, 'field_split', config.text('field_split'))
    const valueSplit = config.text('value_split')
    const splitValue = splitter(config, 'value_split', valueSplit)
    const included = setOf(config.optionalTexts('include_keys'))
    const excluded = setOf(config.optionalTexts('exclude_keys'))
    const trimKey = trimmer(config.optionalText('trim_key'))
    const trimValue = trimmer(config.optionalText('trim_value'))
    const strips = config.flag('strip_brackets', false)
    const ignoresMissing = config.flag('ignore_missing', false)
    return changes(document => {
      const path = field(document)
      const text = document.text(path, ignoresMissing)
      if (text === null) {
        if (ignoresMissing) return
        throw new IllegalArgumentError(
          `field [${path.text}] is null, cannot extract key-value pairs.`,
        )
      }
      document.charge(text.length)
      const lead = target === null ? prefix : `${target(document)}.${prefix}`
      for (const pair of splitFields(text, 0)) {
        const [name = '', value] = splitValue(pair, 2)
        if (value === undefined)
          throw new IllegalArgumentError(
            `field [${path.text}] does not contain value_split [${valueSplit}]`,
          )
        const key = trimKey(name)
        if (included !== null && !included.has(key)) continue
        if (excluded?.has(key)) continue
        const into = parsePath(lead + key)
        const made = trimValue(strips ? withoutBrackets(value) : value)
        if (document.has(into)) document.append(into, made)
        else document.set(into, made)
      }
    })
  },
}

function setOf(names: readonly string[] | null): ReadonlySet<string> | null {
  return names === null ? null : new Set(names)
}

/** Takes characters of a set away at both ends. */
function trimmer(characters: string | null): (text: string) => string {
  if (characters === null) return text => text
  const set = new Set(characters)
  return text => {
    const points = [...text]
    let start = 0
    let end = points.length
    while (start < end && set.has(points[start]!)) start++
    while (end > start && set.has(points[end - 1]!)) end--
    return points.slice(start, end).join('')
  }
}

function withoutBrackets(text: string): string {
  const start = /^[([<"']/.test(text) ? 1 : 0
  const end = /[\])>"']$/.test(text) && text.length > start ? text.length - 1 : text.length
  return text.slice(start, end)
}
