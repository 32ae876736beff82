import { wrong } from './stored-fields.ts'

/** How a snapshot ended. */
export type SnapshotState = 'SUCCESS' | 'PARTIAL' | 'FAILED'

/** @throws {CorruptSegmentError} no state of a snapshot that is kept */
export function parseState(text: string): SnapshotState {
  if (text === 'SUCCESS' || text === 'PARTIAL' || text === 'FAILED') return text
  throw wrong('SUCCESS, PARTIAL or FAILED', text)
}
