import { readdirSync, readFileSync } from 'node:fs'

/** File descriptors of this process; −1 where the system does not tell. */
export interface OpenFiles {
  readonly count: number
  /** How many it may have. */
  readonly limit: number
}

/** Counts the open file descriptors of this process, as Linux lists them. */
export function openFiles(): OpenFiles {
  try {
    // Reading the list opens one more.
    const count = readdirSync('/proc/self/fd').length - 1
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const limit = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
    return { count, limit: limit === undefined ? -1 : Number(limit) }
  } catch {
    // Another system: the real server shows −1 there too.
    return { count: -1, limit: -1 }
  }
}
