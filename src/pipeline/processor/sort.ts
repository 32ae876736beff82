import { IllegalArgumentError } from '../../util/errors.ts'
import { compareValues } from '../compare-values.ts'
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
        list.slice().sort((a, b) => sign * compareValues(a, b)),
      )
    })
  },
}
