import { bulkScratchBytes } from '../search/bulk/bulk-scratch.ts'
import { SCRATCH_BYTES_PER_POSTINGS } from '../segment/leaf.ts'
import { EngineError } from '../util/errors.ts'
import type { PreparedSearch } from './prepare.ts'

/** Scratch of every slice, in addition to that of its postings iterators. */
const BASE_SCRATCH_BYTES = 16 * 1024

/** Scratch of a slice for either executor; `maxDoc` is its largest leaf's. */
export function scratchBytes(
  { weight, spec, openPostings, gatherBytes }: PreparedSearch,
  maxDoc: number,
): number {
  return (
    BASE_SCRATCH_BYTES +
    gatherBytes +
    openPostings * SCRATCH_BYTES_PER_POSTINGS +
    bulkScratchBytes(weight, spec, maxDoc)
  )
}

/** The error of a search without scratch or control record. */
export function tooMany(): EngineError {
  return new EngineError({
    type: 'rejected_execution_exception',
    reason: 'too many searches run at the same time: send fewer, or raise memory.limit',
  })
}
