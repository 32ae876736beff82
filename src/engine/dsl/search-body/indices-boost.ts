import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { readNumber } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'

/** A factor of all scores of some indices. */
export interface IndexBoost {
  /** An index, an alias or a pattern. */
  readonly name: string
  /** Float32. */
  readonly boost: number
}

/** Factors by index, and what is said of their form. */
export interface IndicesBoost {
  /** Of several that mean an index, the first counts. */
  readonly boosts: readonly IndexBoost[]
  readonly isOldForm: boolean
}

/** The warning of a request that writes factors as one object. */
export const OLD_FORM_WARNING =
  'Object format in indices_boost is deprecated, please use array format instead'

/**
 * Reads `indices_boost`: a list of objects of one key each, or an object of all.
 * @throws {EngineError} 400: neither
 */
export function parseIndicesBoost(node: JsonNode): IndicesBoost {
  if (node.kind === 'object') return { boosts: node.entries.map(boostOf), isOldForm: true }
  if (node.kind !== 'array')
    throw parsingError(
      node,
      `Expected [START_ARRAY] in [indices_boost] but found [${tokenName(node.kind)}]`,
    )
  const boosts = node.items.map(item => {
    const [entry, second] = item.kind === 'object' ? item.entries : []
    if (entry === undefined)
      throw parsingError(
        item,
        `Expected [START_OBJECT] in [indices_boost] but found [${tokenName(item.kind)}]`,
      )
    if (second !== undefined)
      throw parsingError(second, 'Expected [END_OBJECT] in [indices_boost] but found [FIELD_NAME]')
    return boostOf(entry)
  })
  return { boosts, isOldForm: false }
}

function boostOf({ key, value }: JsonEntry): IndexBoost {
  return { name: key, boost: Math.fround(readNumber(value)) }
}
