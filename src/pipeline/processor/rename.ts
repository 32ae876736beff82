import { IllegalArgumentError } from '../../util/errors.ts'
import { type FieldPath, parsePath } from '../field-path.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** `rename`: a field under another name, which no other has. */
export const RENAME: ProcessorType = {
  name: 'rename',
  parse(config) {
    const field = config.template('field')
    let last: FieldPath | null = null
    const targetField = config.pathTemplate('target_field')
    const ignoresMissing = config.flag('ignore_missing', false)
    const overrides = config.flag('override_target', false)
    return changes(document => {
      const name = field(document)
      if (last?.text !== name) last = name === '' ? null : parsePath(name)
      const path = last
      if (path === null || !document.has(path, true)) {
        if (ignoresMissing) return
        throw new IllegalArgumentError(
          path === null ? 'field path cannot be null nor empty' : `field [${name}] doesn't exist`,
        )
      }
      const target = targetField(document)
      // Refused before anything changes: handlers of the failure find the field where it was.
      if (document.has(target, true) && !overrides)
        throw new IllegalArgumentError(`field [${target.text}] already exists`)
      const value = document.get(path)
      document.remove(path)
      try {
        document.set(target, value)
      } catch (error) {
        document.set(path, value)
        throw error
      }
    })
  },
}
