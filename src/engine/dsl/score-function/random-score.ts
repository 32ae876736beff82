import type { RandomFunction } from '../../../search/weight/function/score-function.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { routingHash } from '../../../util/murmur3.ts'
import { mappedField } from '../field/field-searches.ts'
import { readText } from '../json-scalars.ts'
import { valuesKey } from '../number-column.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { type QueryContext, readNow } from '../query-context.ts'
import type { ParsedFunction } from './score-function-parser.ts'

/** `random_score`: a number in [0, 1), the same for the same seed and value. */
export function randomScoreParser(node: JsonObjectNode): ParsedFunction {
  let seed: number | null = null
  let field: string | null = null
  for (const { key, value, line, col } of node.entries) {
    if (key === 'seed') seed = readSeed(value)
    else if (key === 'field') field = readText(value)
    else throw parsingError({ line, col }, `random_score query does not support [${key}]`)
  }
  return context => ({
    kind: 'random',
    // Without a seed it is another one in each request.
    seed: seed ?? hashOf(BigInt(readNow(context))),
    salt: routingHash(context.index),
    source: seed === null && field === null ? { kind: 'documents' } : sourceOf(field, context),
  })
}

function readSeed(node: JsonNode): number {
  if (node.kind === 'string') return stringHash(node.value)
  if (node.kind !== 'number' || !/^-?\d+$/.test(node.text))
    throw parsingError(
      node,
      `random_score seed must be an int, long or string, not '${node.kind === 'number' ? node.text : tokenName(node.kind)}'`,
    )
  const value = BigInt(node.text)
  return BigInt.asIntN(32, value) === value ? Number(value) : hashOf(value)
}

/** Both halves of 64 bits in 32. */
function hashOf(value: bigint): number {
  return Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)))
}

function stringHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0
  return hash
}

function sourceOf(name: string | null, context: QueryContext): RandomFunction['source'] {
  if (name === null || name === '_id') return { kind: 'ids', field: '_id' }
  const field = mappedField(name, context)
  if (field === null)
    throw new IllegalArgumentError(
      `Field [${name}] is not mapped on [index [${context.index}]] and cannot be used as a source ` +
        'of random numbers.',
    )
  const key = valuesKey(field)
  if (key.kind === 'number') return { kind: 'numbers', field: key.field }
  if (key.kind === 'keyword' && key.fieldData === undefined && key.prefix === undefined)
    return { kind: 'terms', field: key.field }
  throw new IllegalArgumentError(`Field [${name}] cannot be used as a source of random numbers.`)
}
