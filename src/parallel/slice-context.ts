import type { SliceContext } from '../search/collector/gather.ts'
import type { SliceControl } from '../search/collector/search-control.ts'
import { SliceStopped, Watch } from '../search/scorer/watch.ts'
import { WindowPool } from '../search/scorer/window-pool.ts'
import { scorerSupplier } from '../search/weight/weight-ops.ts'
import { nowInNanos } from '../util/clock.ts'

/**
 * The context of a slice's gathers.
 * @param deadline on the clock of `nowInNanos`; 0: none
 * @param timer    null without a profile
 */
export function sliceContext(
  deadline: number,
  control: SliceControl,
  timer: SliceContext['timer'],
): SliceContext {
  const watch = new Watch(() => {
    if (control.isStopped() || (deadline > 0 && nowInNanos() > deadline)) throw new SliceStopped()
  })
  const inverses = new Map<number, Float32Array>()
  return {
    watch,
    timer,
    supplier(weight, leaf, leafOrd) {
      return scorerSupplier(weight.root, {
        leaf,
        states: weight.leaves[leafOrd] ?? { terms: [], expansions: [] },
        prunes: false,
        wrap: null,
        inverses,
        postings: [],
        skippers: [],
        endDoc: leaf.maxDoc,
        windows: new WindowPool(),
        watch,
        batches: null,
      })
    },
  }
}
