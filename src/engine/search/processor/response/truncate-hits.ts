import { illegalState } from '../../../../pipeline/processor-failure.ts'
import { ORIGINAL_SIZE, prefixed } from '../attributes.ts'
import type { ResponseProcessorType } from '../search-processor.ts'

/** `truncate_hits`: the first hits, so many as are wanted or were asked for ahead of `oversample`. */
export const TRUNCATE_HITS: ResponseProcessorType = {
  name: 'truncate_hits',
  parse(config) {
    const target = config.int('target_size', -1)!
    const attribute = prefixed(config.optionalText('context_prefix'), ORIGINAL_SIZE)
    return (hits, run) => {
      const size = target < 0 ? run.attributes.get(attribute) : target
      if (size === undefined)
        throw illegalState(`Must specify target_size unless an earlier processor set ${attribute}`)
      return hits.length > size ? hits.slice(0, size) : hits
    }
  },
}
