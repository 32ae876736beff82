import type { IndexMetadata, RolloverInfo } from '../metadata/index-metadata.ts'

/** Where a rollover leads from and to, with all checked that can be known without the new index. */
export interface RolloverPlan {
  readonly source: IndexMetadata
  readonly newName: string
  /**
   * Makes the new index and moves the name, at once or not at all; within the queue of metadata changes.
   * @param info is kept with the source
   */
  readonly change: (info: RolloverInfo) => IndexMetadata
}

/** An index as it is once a name has gone on from it. */
export function withRollover(
  index: IndexMetadata,
  name: string,
  info: RolloverInfo,
): IndexMetadata {
  return { ...index, rolloverInfo: new Map(index.rolloverInfo).set(name, info) }
}
