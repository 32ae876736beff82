import { newDocumentRun } from '../script/script-run.ts'
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
 * @param scriptMillis that one execution of a script may take
 */
export function sliceContext(
  deadline: number,
  control: SliceControl,
  timer: SliceContext['timer'],
  scriptMillis: number,
): SliceContext {
  const look = (): false => {
    if (control.isStopped() || (deadline > 0 && nowInNanos() > deadline)) throw new SliceStopped()
    return false
  }
  const watch = new Watch(look)
  const scripts = newDocumentRun(scriptMillis, look)
  const inverses = new Map<number, Float32Array>()
  return {
    watch,
    scripts,
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
        scripts,
        listScores: null,
        batches: null,
      })
    },
  }
}
