/** How many edits a fuzzy search allows, as requests say it. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { Fuzziness } from './field/many-terms.ts'
import { readText } from './json-scalars.ts'

/** No edit below 3 code points, one below 6, else two. */
export const AUTO_FUZZINESS: Fuzziness = { edits: null, low: 3, high: 6 }

/**
 * Reads `0`, `1`, `2`, `AUTO` or `AUTO:⟨low⟩,⟨high⟩`.
 * @throws {EngineError} it is none of these
 */
export function readFuzziness(value: JsonNode): Fuzziness {
  return fuzzinessOf(readText(value))
}

/** The same for a text. */
export function fuzzinessOf(text: string): Fuzziness {
  const upper = text.toUpperCase()
  if (upper === 'AUTO') return AUTO_FUZZINESS
  if (upper.startsWith('AUTO:')) return customAuto(text)
  const edits = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (edits === 0 || edits === 1 || edits === 2) return { edits }
  if (Number.isNaN(edits))
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  throw new IllegalArgumentError(`Valid edit distances are [0, 1, 2] but was [${text}]`)
}

function customAuto(text: string): Fuzziness {
  const parts = text.slice('AUTO:'.length).split(',')
  if (parts.length !== 2)
    throw new EngineError({
      type: 'parse_exception',
      reason: 'failed to find low and high distance values',
    })
  const [low, high] = parts.map(part => (/^[+-]?\d{1,9}$/.test(part) ? Number(part) : Number.NaN))
  if (low === undefined || high === undefined || Number.isNaN(low) || Number.isNaN(high))
    throw new EngineError({
      type: 'parse_exception',
      reason: `failed to parse [${text}] as a "auto:int,int"`,
    })
  if (low < 0 || high < 0 || low > high)
    throw new IllegalArgumentError(
      'fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and ' +
        'lowDistance <= highDistance ',
    )
  return { edits: null, low, high }
}
