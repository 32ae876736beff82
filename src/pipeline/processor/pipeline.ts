import type { ProcessorType } from '../processor.ts'
import { illegalState } from '../processor-failure.ts'

/** `pipeline`: all of another pipeline. */
export const PIPELINE: ProcessorType = {
  name: 'pipeline',
  parse(config) {
    const name = config.template('name')
    const ignoresMissing = config.flag('ignore_missing_pipeline', false)
    return {
      kind: 'pipeline',
      find(document, run) {
        const id = name(document)
        const found = run.pipeline(id)
        if (found === null && !ignoresMissing)
          throw illegalState(`Pipeline processor configured for non-existent pipeline [${id}]`)
        return found
      },
    }
  },
}
