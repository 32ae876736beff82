/** Shares of those for whom a chunk is written in the time that it takes. */
import type { ExecutionCounter } from '../util/cancellation.ts'
import type { WriteOperation } from './write-operation.ts'
import type { Chunk } from './write-queue.ts'

/** Of an operation, what the time that it takes rises with. */
export type Weight = (operation: WriteOperation) => number

/** Inversion: by the bytes of a document, and what any document takes. */
export const INVERSION: Weight = operation =>
  operation.kind === 'index' ? operation.source.length + DOCUMENT_BYTES : 0

/** Acceptance: alike for all. */
export const ACCEPTANCE: Weight = () => 1

/** A document costs its thread about as much as so many bytes of it. */
const DOCUMENT_BYTES = 256

/**
 * For whom a chunk is written: each is told of his share alone.
 * @returns null for nobody who counts
 */
export function writtenFor(chunk: Chunk, weight: Weight): ExecutionCounter | null {
  const [first] = chunk
  if (chunk.length === 1) return first!.batch.counter
  if (chunk.every(({ batch }) => batch.counter === null)) return null
  return { beginExecution: () => beginShares(chunk, weight) }
}

function beginShares(chunk: Chunk, weight: Weight): (cpuInNanos: number) => void {
  const ends = chunk.map(({ batch }) => batch.counter?.beginExecution?.())
  return cpuInNanos => {
    const weights = chunk.map(({ batch, start, end }) => {
      let sum = 0
      for (let i = start; i < end; i++) sum += weight(batch.operations[i]!)
      return sum
    })
    const all = weights.reduce((sum, each) => sum + each, 0)
    for (const [i, end] of ends.entries())
      end?.(all === 0 ? cpuInNanos / ends.length : (cpuInNanos * weights[i]!) / all)
  }
}
