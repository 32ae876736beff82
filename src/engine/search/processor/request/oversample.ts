import { readInteger } from '../../../dsl/json-scalars.ts'
import { ORIGINAL_SIZE, prefixed } from '../attributes.ts'
import type { RequestProcessorType } from '../search-processor.ts'
import { sourceKey, withSourceKey } from '../search-source.ts'

/** Hits of a search that does not say how many. */
const DEFAULT_SIZE = 10
const MAX_INT = 2 ** 31 - 1

/** `oversample`: more hits than were asked for, for processors of the response that choose among them. */
export const OVERSAMPLE: RequestProcessorType = {
  name: 'oversample',
  parse(config) {
    const factor = config.double('sample_factor')
    if (factor < 1) throw config.fault('sample_factor', 'Value must be >= 1.0')
    const attribute = prefixed(config.optionalText('context_prefix'), ORIGINAL_SIZE)
    return (call, run) => {
      const given = sourceKey(call, 'size')
      const size = given === null ? DEFAULT_SIZE : readInteger(given)
      run.attributes.set(attribute, size)
      return withSourceKey(call, 'size', Math.min(Math.ceil(size * factor), MAX_INT))
    }
  },
}
