/** Current use of this process and its machine. */
import { freemem, totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/** The heap of the coordinating thread, in bytes. */
export function heapUse(): { readonly used: number; readonly max: number } {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return { used: used_heap_size, max: heap_size_limit }
}

/** The memory of the machine, in bytes and in percent of all. */
export function memoryUse(): Readonly<Record<string, number>> {
  const total = totalmem()
  const free = freemem()
  return {
    total_in_bytes: total,
    free_in_bytes: free,
    used_in_bytes: total - free,
    free_percent: Math.round((100 * free) / total),
    used_percent: Math.round((100 * (total - free)) / total),
  }
}
