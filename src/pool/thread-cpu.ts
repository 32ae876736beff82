import { nowInNanos } from '../util/clock.ts'

/** Times of a thread in microseconds, as newer versions of Node tell them. */
type ThreadCpuUsage = () => { readonly user: number; readonly system: number }

const { threadCpuUsage } = process as { readonly threadCpuUsage?: ThreadCpuUsage }

/**
 * Processor time of the calling thread. Where Node does not tell it (before 23.9), the common clock stands for
 * it: of work that waits for nothing, that is its time and what other processes have taken from it.
 */
export function threadCpuInNanos(): number {
  if (threadCpuUsage === undefined) return nowInNanos()
  const { user, system } = threadCpuUsage.call(process)
  return 1000 * (user + system)
}
