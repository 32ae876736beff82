/** Scalars of request bodies, read as leniently as the real API reads them: `"true"`, `"10"`. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { parsingError, tokenName } from './parse-error.ts'

/** Whether a node is a string, number or boolean. */
export function isScalar(node: JsonNode): boolean {
  return node.kind === 'string' || node.kind === 'number' || node.kind === 'boolean'
}

/** The text of a scalar as it was written; null for anything else. */
export function scalarText(node: JsonNode): string | null {
  if (node.kind === 'string') return node.value
  if (node.kind === 'number') return node.text
  return node.kind === 'boolean' ? String(node.value) : null
}

/** A boolean, or its text. */
export function readBoolean(node: JsonNode): boolean {
  if (node.kind === 'boolean') return node.value
  if (node.kind === 'string' && (node.value === 'true' || node.value === 'false'))
    return node.value === 'true'
  const text = scalarText(node)
  if (text === null)
    throw parsingError(node, `Expected a boolean but found [${tokenName(node.kind)}]`)
  throw new IllegalArgumentError(
    `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
  )
}

/** A whole number of 32 bits, or its text; a fraction is cut off. */
export function readInteger(node: JsonNode): number {
  const value = readNumber(node)
  const whole = Math.trunc(value)
  if (whole < -2147483648 || whole > 2147483647)
    throw new EngineError({
      type: 'input_coercion_exception',
      reason: `Numeric value (${scalarText(node)}) out of range of int (-2147483648 - 2147483647)`,
    })
  return whole
}

/** A finite number, or its text. */
export function readNumber(node: JsonNode): number {
  if (node.kind === 'number') return node.value
  const text = scalarText(node)
  if (text === null || node.kind === 'boolean')
    throw parsingError(node, `Expected a number but found [${tokenName(node.kind)}]`)
  const value = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(value))
    throw new EngineError({
      type: 'number_format_exception',
      reason: text === '' ? 'empty String' : `For input string: "${text}"`,
    })
  return value
}

/** The text of a scalar. */
export function readText(node: JsonNode): string {
  const text = scalarText(node)
  if (text === null)
    throw parsingError(node, `Expected a string but found [${tokenName(node.kind)}]`)
  return text
}

/** One text, or a list of them. */
export function readTexts(node: JsonNode): string[] {
  return node.kind === 'array' ? node.items.map(readText) : [readText(node)]
}

/** A boost, float32. */
export function readBoost(node: JsonNode, query: string): number {
  const boost = Math.fround(readNumber(node))
  if (boost < 0)
    throw new IllegalArgumentError(
      `negative [boost] are not allowed in [${query}], use a value between 0 and 1 to deboost`,
    )
  return boost
}
