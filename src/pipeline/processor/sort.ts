import { classNameOf, type ScriptValue } from '../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** `sort`: the items of a list, which are of one type, in order. */
export const SORT: ProcessorType = {
  name: 'sort',
  parse(config) {
    const field = config.path('field')
    const order = (config.optionalText('order') ?? 'asc').toLowerCase()
    if (order !== 'asc' && order !== 'desc')
      throw config.fault(
        'order',
        `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`,
      )
    const given = config.optionalText('target_field')
    const target = given === null ? field : config.pathOf('target_field', given)
    const sign = order === 'asc' ? 1 : -1
    return changes(document => {
      const list = document.list(field)
      if (list === null)
        throw new IllegalArgumentError(`field [${field.text}] is null, cannot sort.`)
      document.charge(8 * list.length)
      document.set(
        target,
        list.slice().sort((a, b) => sign * compare(a, b)),
      )
    })
  },
}

/** @throws {EngineError} `illegal_argument_exception`: values of two types, or of one without an order */
function compare(a: ScriptValue, b: ScriptValue): number {
  if (a === null || b === null) throw new IllegalArgumentError('cannot sort a list that holds null')
  const [one, other] = [classNameOf(a), classNameOf(b)]
  const [x, y] = [keyOf(a), keyOf(b)]
  if (one !== other) throw new IllegalArgumentError(`class ${one} cannot be cast to class ${other}`)
  if (x === null || y === null)
    throw new IllegalArgumentError(`class ${one} cannot be cast to class java.lang.Comparable`)
  return x < y ? -1 : x > y ? 1 : 0
}

function keyOf(value: Exclude<ScriptValue, null>): string | number | bigint | boolean | null {
  if (typeof value !== 'object') return value
  return 'value' in value && (typeof value.value === 'number' || typeof value.value === 'bigint')
    ? value.value
    : null
}
