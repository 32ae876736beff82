/**
 * The findings of `lamella inspect` in a folder, as plain data; `inspect.ts` beside this file exports
 * `inspectFolder: InspectFolder`, and the command line draws it.
 */

/** One damage: where it is, what should stand there, what stands there. */
export interface Damage {
  /** Path relative to the inspected folder. */
  readonly file: string
  readonly offset: number
  readonly expected: string
  readonly found: string
}

/** One section of a segment. */
export interface SectionReport {
  readonly name: string
  readonly field: string | null
  readonly lengthInBytes: number
}

/** One level of a graph of vectors. */
export interface GraphLevelReport {
  readonly nodeCount: number
  /** Neighbours of a node. */
  readonly minDegree: number
  readonly meanDegree: number
  readonly maxDegree: number
}

/** The graph of one field's vectors. */
export interface GraphReport {
  readonly field: string
  /** Components that walks compare: `codes` for those of a quarter of the size, bytes and bits. */
  readonly compared: 'codes' | 'floats'
  /** Most neighbours of a node above the lowest level, where there are twice as many. */
  readonly m: number
  /** From the lowest on, which has all vectors. */
  readonly levels: readonly GraphLevelReport[]
}

/** One segment of a shard. */
export interface SegmentReport {
  readonly name: string
  readonly docCount: number
  readonly deletedDocCount: number
  readonly sizeInBytes: number
  readonly fieldCount: number
  readonly sections: readonly SectionReport[]
  /** Absent unless they were asked for. */
  readonly graphs?: readonly GraphReport[]
}

/** One shard of an index. */
export interface ShardReport {
  readonly index: string
  readonly shard: number
  /** Generation of the commit that was read; null when there is none. */
  readonly commit: number | null
  readonly segments: readonly SegmentReport[]
}

/** Contents of a folder, and the damage in it. */
export interface InspectReport {
  readonly folder: string
  readonly kind: 'data' | 'index' | 'shard'
  readonly shards: readonly ShardReport[]
  readonly fileCount: number
  readonly sizeInBytes: number
  /** Everything wrong that was found; the exit code is 1 unless it is empty. */
  readonly damages: readonly Damage[]
}

/**
 * Reads a data folder, one index's or one shard's folder in it; writes nothing and takes no lock.
 * With `verify` every checksum and cross-reference is checked, without only what opening checks. With `graphs`
 * the graphs of vectors are read whole.
 * Rejects with an `EngineError` when the folder is none of ours.
 */
export type InspectFolder = (
  folder: string,
  options: { readonly verify: boolean; readonly graphs?: boolean },
) => Promise<InspectReport>
