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

/** Files of a recovery: those of a restore are all copied, else all were found in the folder. */
export function recoveredFiles({ type, files }: Recovery): {
  readonly count: number
  readonly bytes: number
  readonly isCopied: boolean
  /** `100.0%`, or `0.0%` where there are none. */
  readonly percent: string
} {
  const bytes = files.reduce((sum, { length }) => sum + length, 0)
  return {
    count: files.length,
    bytes,
    isCopied: type === 'snapshot',
    percent: files.length === 0 ? '0.0%' : '100.0%',
  }
}

/** The share of the log's operations that are applied; all of none at all. */
export function replayedPercent({ loggedOperations, replayedOperations }: Recovery): string {
  const share = loggedOperations === 0 ? 1 : replayedOperations / loggedOperations
  return `${(100 * share).toFixed(1)}%`
}
