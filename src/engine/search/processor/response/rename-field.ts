import { IllegalArgumentError } from '../../../../util/errors.ts'
import { idOf, renamed } from '../response-hits.ts'
import type { ResponseProcessorType } from '../search-processor.ts'

/** `rename_field`: a field of hits under another name. */
export const RENAME_FIELD: ResponseProcessorType = {
  name: 'rename_field',
  parse(config) {
    const field = config.text('field')
    const target = config.text('target_field')
    const ignoresMissing = config.flag('ignore_missing', false)
    return hits => {
      // As on the real server, one hit with the field excuses those behind it.
      let wasFound = false
      return hits.map(hit => {
        const changed = renamed(hit, field, target)
        wasFound ||= changed !== null
        if (!wasFound && !ignoresMissing)
          throw new IllegalArgumentError(`Document with id ${idOf(hit)} is missing field ${field}`)
        return changed ?? hit
      })
    }
  },
}
