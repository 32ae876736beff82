/** `hammingbit`, the space of scripts of `lang: knn` that compares the bits of numbers and of bytes. */
import type { ScriptRequest } from '../../../script/script-request.ts'
import { valueOfNode } from '../../../script/value/read-value.ts'
import { classNameOf } from '../../../script/value/script-value.ts'
import type { ScriptPlan } from '../../../search/script/script-plan.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { QueryContext } from '../query-context.ts'
import { scriptPlan, scriptText } from '../script-plan.ts'

/** The name of the space, in any case. */
export const BIT_SPACE = 'hammingbit'
const LONG_BITS = 64
/** Whole numbers as Java reads them. */
const WHOLE = /^-?\d+$/

/** The number of bits in which two longs differ. */
const BITS_OF_LONGS = 'return 1.0f / (1 + Long.bitCount(params.own ^ values.value));'

/** The same of two rows of bytes, which end together: each is a number in as many digits as it has bytes. */
const BITS_OF_BYTES = `
  byte[] bytes = values.value.bytes;
  List own = params.own;
  int count = bytes.length > own.size() ? bytes.length : own.size();
  int bits = 0;
  for (int i = 1; i <= count; i++) {
    int one = i > bytes.length ? 0 : bytes[bytes.length - i];
    int other = i > own.size() ? 0 : (int) own.get(own.size() - i);
    bits += Integer.bitCount((one ^ other) & 255);
  }
  return 1.0f / (1 + bits);`

/**
 * The score of a script of that space: 1 by 1 more than the bits that differ, 0 without a value. Runs as a
 * script of painless, whose numbers are Java's.
 * @param field of type `long` or `binary`
 * @param value the number that documents' are compared with, or bytes in base64
 * @throws {EngineError} a field of another type, no long, no base64, or scripts that are not allowed
 */
export function bitScore(
  script: ScriptRequest,
  field: string,
  value: JsonNode,
  context: QueryContext,
): ScriptPlan {
  const type = context.mapping.field(field)?.type
  if (type !== 'long' && type !== 'binary')
    throw new IllegalArgumentError(
      `Incompatible field_type for ${BIT_SPACE} space. The field type must of type long or binary.`,
    )
  const own = type === 'long' ? longOf(value) : bytesOf(value)
  const values = `doc['${field.replaceAll(/['\\]/g, '\\$&')}']`
  const source =
    `def values = ${values}; if (values.size() == 0) return 0.0f; ` +
    (type === 'long' ? BITS_OF_LONGS : BITS_OF_BYTES)
  const at = place(value)
  const params = { ...at, kind: 'object' as const, entries: [{ ...at, key: 'own', value: own }] }
  const request = { source, id: null, lang: 'painless', params, options: script.options }
  return { ...scriptPlan(request, 'score', context), text: scriptText(script) }
}

function place({ line, col }: JsonNode): { readonly line: number; readonly col: number } {
  return { line, col }
}

function longOf(node: JsonNode): JsonNode {
  const text = node.kind === 'number' ? node.text : ''
  const value = WHOLE.test(text) ? BigInt(text) : null
  if (value !== null && BigInt.asIntN(LONG_BITS, value) === value) return node
  throw new IllegalArgumentError('Object cannot be parsed as a Long.')
}

/** The bytes of a text in base64, whose padding may be left out. */
function bytesOf(node: JsonNode): JsonNode {
  if (node.kind !== 'string')
    throw new EngineError({
      type: 'class_cast_exception',
      reason: `class ${classNameOf(valueOfNode(node)!)} cannot be cast to class java.lang.String`,
    })
  const digits = node.value.replace(/={1,2}$/, '')
  const wrong = /[^A-Za-z0-9+/]/.exec(digits)
  if (wrong !== null)
    throw new IllegalArgumentError(
      `Illegal base64 character ${wrong[0].charCodeAt(0).toString(16)}`,
    )
  if (digits.length % 4 === 1)
    throw new IllegalArgumentError('Last unit does not have enough valid bits')
  const items = Array.from(Buffer.from(digits, 'base64'), value => ({
    ...place(node),
    kind: 'number' as const,
    text: `${value}`,
    value,
  }))
  return { ...place(node), kind: 'array', items }
}
