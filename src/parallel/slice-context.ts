import { newDocumentRun } from '../script/script-run.ts'
import { lookUpsOfNoting, noteDocuments } from '../search/bulk/noted-documents.ts'
import type { SliceContext } from '../search/collector/gather.ts'
import type { SliceControl } from '../search/collector/search-control.ts'
import { SliceStopped, Watch } from '../search/scorer/watch.ts'
import { WindowPool } from '../search/scorer/window-pool.ts'
import type { ScorerContext } from '../search/weight/scorer-context.ts'
import type { Weight } from '../search/weight/weight.ts'
import { scorerSupplier } from '../search/weight/weight-ops.ts'
import type { Leaf } from '../segment/leaf.ts'
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
  const contextOf = (weight: Weight, leaf: Leaf, leafOrd: number): ScorerContext => ({
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
  return {
    watch,
    scripts,
    timer,
    supplier: (weight, leaf, leafOrd) =>
      scorerSupplier(weight.root, contextOf(weight, leaf, leafOrd)),
    lookUpsOfNoting,
    note: (weight, leaf, leafOrd, bits) =>
      noteDocuments(weight, leaf, leafOrd, bits, own => contextOf(own, leaf, leafOrd)),
  }
}
