import { randomBytes } from 'node:crypto'
import type { Directory } from '../directory.ts'
import { CheckpointFile } from './log-checkpoint.ts'

/** The generation of operations that `beginLog` leads to. */
export const FIRST_LOG_GENERATION = 1

/**
 * Begins the log of a shard whose segments were not made from it: it is empty, and its next operation is
 * the one after those of the segments. Durable when it resolves.
 * @param maxSeqNo of the segments, −1 for none
 * @returns the id of the log, for the commit that names the segments
 */
export async function beginLog(directory: Directory, maxSeqNo: number): Promise<string> {
  const id = randomBytes(16)
  const checkpoint = new CheckpointFile(directory, id, null)
  await checkpoint.write({ generation: FIRST_LOG_GENERATION, offset: 0, maxSeqNo })
  checkpoint.close()
  return id.toString('base64url')
}
