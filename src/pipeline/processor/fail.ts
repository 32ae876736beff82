import { EngineError } from '../../util/errors.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** `fail`: an error of the caller's own words. */
export const FAIL: ProcessorType = {
  name: 'fail',
  parse(config) {
    const message = config.template('message')
    return changes(document => {
      throw new EngineError({ type: 'fail_processor_exception', reason: message(document) })
    })
  },
}
