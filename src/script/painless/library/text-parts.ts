/** Parts of texts with Java's checks of their bounds. */
import { stringBounds } from '../../java-faults.ts'
import { chargeText } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'

/**
 * The UTF-16 unit at an index.
 * @throws {ScriptFault} `string_index_out_of_bounds_exception`
 */
export function unitAt(text: string, index: number): number {
  if (index < 0 || index >= text.length)
    throw stringBounds(`Index ${index} out of bounds for length ${text.length}`)
  return text.charCodeAt(index)
}

/**
 * The units from `start` to `end`.
 * @throws {ScriptFault} `string_index_out_of_bounds_exception`
 */
export function partOf(run: ScriptRun, text: string, start: number, end: number): string {
  if (start < 0 || end > text.length || start > end)
    throw stringBounds(`begin ${start}, end ${end}, length ${text.length}`)
  chargeText(run, end - start)
  return text.slice(start, end)
}

/**
 * Puts texts together.
 * @throws {EngineError} `circuit_breaking_exception`: too long
 */
export function concatenate(run: ScriptRun, a: string, b: string): string {
  chargeText(run, a.length + b.length, b.length)
  return a + b
}

/**
 * A text with each `target` replaced.
 * @throws {EngineError} `circuit_breaking_exception`: too long
 */
export function replaceEach(
  run: ScriptRun,
  text: string,
  target: string,
  replacement: string,
): string {
  run.step(text.length >> 6)
  let count = 0
  if (target === '') count = text.length + 1
  else
    for (let at = text.indexOf(target); at >= 0; at = text.indexOf(target, at + target.length))
      count++
  if (count === 0) return text
  chargeText(run, text.length + count * (replacement.length - target.length))
  return text.replaceAll(target, () => replacement)
}

/** A text without the blanks and control characters at its ends, as `String.trim`. */
export function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 32) start++
  while (start < end && text.charCodeAt(end - 1) <= 32) end--
  return text.slice(start, end)
}

/** A unit's form by which Java compares without regard to case. */
export function foldedUnit(unit: number): number {
  if (unit < 128) return unit >= 65 && unit <= 90 ? unit + 32 : unit
  const upper = String.fromCharCode(unit).toUpperCase()
  const lower = (upper.length === 1 ? upper : String.fromCharCode(unit)).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : unit
}
