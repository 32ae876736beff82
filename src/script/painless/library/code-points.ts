/** Code points of texts, by offsets in UTF-16 units. */
import { indexOutOfBounds } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import { partOf, unitAt } from './text-parts.ts'

/**
 * How many code points a part of a text has.
 * @throws {ScriptFault} `string_index_out_of_bounds_exception`
 */
export function codePointCount(run: ScriptRun, text: string, start: number, end: number): number {
  let count = 0
  for (const _ of partOf(run, text, start, end)) count++
  return count
}

/**
 * The code point that ends before an index.
 * @throws {ScriptFault} `index_out_of_bounds_exception`
 */
export function codePointBefore(text: string, index: number): number {
  const last = unitAt(text, index - 1)
  const before = index > 1 ? text.codePointAt(index - 2)! : 0
  return before > 0xffff ? before : last
}

/**
 * The offset of so many code points further, or back.
 * @throws {ScriptFault} `index_out_of_bounds_exception`
 */
export function offsetByCodePoints(text: string, index: number, count: number): number {
  if (index < 0 || index > text.length) throw indexOutOfBounds(index, text.length)
  let at = index
  for (let left = Math.abs(count); left > 0; left--) {
    if (count > 0 ? at >= text.length : at <= 0) throw indexOutOfBounds(at, text.length)
    if (count > 0) at += text.codePointAt(at)! > 0xffff ? 2 : 1
    else at -= codePointBefore(text, at) > 0xffff ? 2 : 1
  }
  return at
}
