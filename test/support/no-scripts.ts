import type { SearchScripts } from '../../src/engine/api/scripts.ts'
import { IllegalArgumentError } from '../../src/util/errors.ts'

/** Refuses all scripts: for contexts without a node. */
export const NO_SCRIPTS: SearchScripts = {
  forSearch() {
    throw new IllegalArgumentError('cannot execute [inline] scripts')
  },
}
