/** Recoveries of shards, as `_recovery` and `_cat/recovery` show them. */
import type { IndexRecoveries } from '../engine/api/shards.ts'

/** How one shard was opened. */
export type Recovery = IndexRecoveries['shards'][number]['recovery']

/** The type of a recovery on the wire. */
export const RECOVERY_TYPES: Readonly<Record<Recovery['type'], string>> = {
  emptyStore: 'EMPTY_STORE',
  existingStore: 'EXISTING_STORE',
  snapshot: 'SNAPSHOT',
}

/** The stage of a recovery on the wire. */
export const RECOVERY_STAGES: Readonly<Record<Recovery['stage'], string>> = {
  index: 'INDEX',
  translog: 'TRANSLOG',
  done: 'DONE',
}

/** Some files of a recovery. */
interface FileSum {
  readonly count: number
  readonly bytes: number
}

/** Files of a recovery: those of a restore have to be copied, else all were found in the folder. */
export function recoveredFiles({ type, files, copiedFiles }: Recovery): {
  readonly total: FileSum
  readonly toCopy: FileSum
  readonly copied: FileSum
  readonly reused: FileSum
  /** Shares of what is there; `0.0%` where there are no files. */
  readonly filesPercent: string
  readonly bytesPercent: string
} {
  const total = sumOf(files)
  const isCopied = type === 'snapshot'
  const copied = isCopied ? sumOf(files.slice(0, copiedFiles)) : NO_FILES
  const there = isCopied ? copied : total
  return {
    total,
    toCopy: isCopied ? total : NO_FILES,
    copied,
    reused: isCopied ? NO_FILES : total,
    filesPercent: percentOf(there.count, total.count, 0),
    bytesPercent: percentOf(there.bytes, total.bytes, 0),
  }
}

const NO_FILES: FileSum = { count: 0, bytes: 0 }

function sumOf(files: Recovery['files']): FileSum {
  return { count: files.length, bytes: files.reduce((sum, { length }) => sum + length, 0) }
}

/** The share of the log's operations that are applied; all of none at all. */
export function replayedPercent({ loggedOperations, replayedOperations }: Recovery): string {
  return percentOf(replayedOperations, loggedOperations, 1)
}

function percentOf(part: number, whole: number, ofNothing: number): string {
  return `${(100 * (whole === 0 ? ofNothing : part / whole)).toFixed(1)}%`
}
