import type { Leaf } from '../../segment/leaf.ts'
import { CorruptSegmentError } from '../../util/errors.ts'

/** The error for a kernel's trap: bytes forged to pass their checksum led out of memory bounds. */
export function damageOf(leaf: Leaf, error: unknown): unknown {
  if (!(error instanceof WebAssembly.RuntimeError)) return error
  const expected = 'postings that lie in their section'
  return new CorruptSegmentError(leaf.record.name, 0, expected, error.message)
}
