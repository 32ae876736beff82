import { IllegalArgumentError } from '../../util/errors.ts'
import { copyValue, sizeOfValue } from '../copy-value.ts'
import { parsePath } from '../field-path.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** `copy`: a field once more, whole, under another name. */
export const COPY: ProcessorType = {
  name: 'copy',
  parse(config) {
    const sourceField = config.template('source_field')
    const targetField = config.template('target_field')
    const ignoresMissing = config.flag('ignore_missing', false)
    const overrides = config.flag('override_target', false)
    const removes = config.flag('remove_source', false)
    return changes(document => {
      const from = sourceField(document)
      const source = from === '' ? null : parsePath(from)
      if (source === null || !document.has(source)) {
        if (ignoresMissing) return
        throw new IllegalArgumentError(
          source === null
            ? 'source field path cannot be null nor empty'
            : `source field [${from}] doesn't exist`,
        )
      }
      const to = targetField(document)
      if (to === '') throw new IllegalArgumentError('target field path cannot be null nor empty')
      if (to === from)
        throw new IllegalArgumentError('source field path and target field path cannot be same')
      const target = parsePath(to)
      if (document.has(target) && !overrides)
        throw new IllegalArgumentError(`target field [${to}] already exists`)
      const value = document.get(source)
      document.charge(sizeOfValue(value))
      document.set(target, copyValue(value))
      if (removes) document.remove(source)
    })
  },
}
