/** `hammingbit`, the space of scripts of `lang: knn` that compares the bits of numbers. */
import type { ScriptRequest } from '../../../script/script-request.ts'
import type { ScriptPlan } from '../../../search/script/script-plan.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { notSupportedYet } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { scriptPlan, scriptText } from '../script-plan.ts'

/** The name of the space, in any case. */
export const BIT_SPACE = 'hammingbit'
const LONG_BITS = 64
/** Whole numbers as Java reads them. */
const WHOLE = /^-?\d+$/

/**
 * The score of a script of that space: 1 by 1 more than the bits in which two longs differ, 0 without a value.
 * Runs as a script of painless, whose numbers are Java's.
 * @param field of type `long`
 * @param value the number that documents' are compared with
 * @throws {EngineError} a field of another type, no long, or scripts that are not allowed
 */
export function bitScore(
  script: ScriptRequest,
  field: string,
  value: JsonNode,
  context: QueryContext,
): ScriptPlan {
  const mapped = context.mapping.field(field)
  if (mapped?.type === 'binary') throw notSupportedYet(`${BIT_SPACE} of binary fields`)
  if (mapped?.type !== 'long')
    throw new IllegalArgumentError(
      `Incompatible field_type for ${BIT_SPACE} space. The field type must of type long or binary.`,
    )
  const own = longOf(value)
  const values = `doc['${field.replaceAll(/['\\]/g, '\\$&')}']`
  const distance = `Long.bitCount(${own}L ^ ${values}.value)`
  const source = `${values}.size() == 0 ? 0.0f : 1.0f / (1 + ${distance})`
  const request = { source, id: null, lang: 'painless', params: null, options: script.options }
  return { ...scriptPlan(request, 'score', context), text: scriptText(script) }
}

function longOf(node: JsonNode): bigint {
  const text = node.kind === 'number' ? node.text : ''
  const value = WHOLE.test(text) ? BigInt(text) : null
  if (value !== null && BigInt.asIntN(LONG_BITS, value) === value) return value
  throw new IllegalArgumentError('Object cannot be parsed as a Long.')
}
