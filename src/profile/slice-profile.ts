/** Measurements of one slice: plain records that cross threads and are reduced later. */
import type { GatherNotes } from '../search/collector/gather.ts'
import type { CollectorRole } from '../search/search-slice.ts'
import type { TimerReading } from './timer.ts'

/** One node of the weight in one leaf (concurrent), or in all leaves of the slice (sequential). */
export type NodeReading = readonly TimerReading[]

/** A leaf, or a range of one, that a slice began. */
export interface LeafProfile {
  readonly leafOrd: number
  readonly minDoc: number
  readonly maxDoc: number
  /** Time at which the slice finished it: no span extends further. */
  readonly end: number
  /** By node, in the order of `LEAF_TIMING_TYPES`; null for a node without calls. */
  readonly nodes: readonly (NodeReading | null)[]
}

/** A collector of a slice. */
export interface CollectorReading {
  /** Time at which its first leaf was opened; 0 if none was. */
  readonly start: number
  /** Total time of its calls. */
  readonly time: number
}

/** One collector of the slice's chain. */
export interface CollectorProfile extends CollectorReading {
  readonly role: CollectorRole
}

/** One method of a part of a gather over the slice. */
export interface GatherCall {
  /** Of its first call; 0 without calls. */
  readonly start: number
  readonly time: number
  readonly count: number
}

/** One part of a gather. */
export interface GatherReading {
  /** By method, as the part's kind numbers them. */
  readonly calls: readonly GatherCall[]
  readonly notes: GatherNotes
}

/** A slice's raw measurements. */
export interface SliceProfile {
  readonly sliceId: number
  /** Number of the thread that ran it; −1: the calling thread. */
  readonly worker: number
  /** Times at which it was queued, began and ended, on the common clock. */
  readonly queued: number
  readonly start: number
  readonly end: number
  readonly leaves: readonly LeafProfile[]
  /** Innermost first. */
  readonly collectors: readonly CollectorProfile[]
  /** Parts of gathers, in the order in which they were opened. */
  readonly gathers: readonly GatherReading[]
}
