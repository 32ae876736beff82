import { bulkScratchBytes } from '../search/bulk/bulk-scratch.ts'
import { SCRATCH_BYTES_PER_POSTINGS } from '../segment/leaf.ts'
import { EngineError } from '../util/errors.ts'
import type { PreparedSearch } from './prepare.ts'

/** Scratch that every slice gets beside that of its postings iterators. */
const BASE_SCRATCH_BYTES = 16 * 1024

/** What a slice takes whichever executor runs it; `maxDoc` is its largest leaf's. */
export function scratchBytes(
  { weight, spec, openPostings }: PreparedSearch,
  maxDoc: number,
): number {
  return (
    BASE_SCRATCH_BYTES +
    openPostings * SCRATCH_BYTES_PER_POSTINGS +
    bulkScratchBytes(weight, spec, maxDoc)
  )
}

/** What a search answers for which there is no scratch or no control record. */
export function tooMany(): EngineError {
  return new EngineError({
    type: 'rejected_execution_exception',
    reason: 'too many searches run at the same time: send fewer, or raise memory.limit',
  })
}
