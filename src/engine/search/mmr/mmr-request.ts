/** `ext.mmr`: of the best hits those that differ from each other (maximal marginal relevance). */
import {
  VECTOR_SPACES,
  type VectorElement,
  type VectorSpace,
} from '../../../schema/knn-vector/vector-space.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { isScalar, readInteger, readNumber, readText } from '../../dsl/json-scalars.ts'
import { parsingError, tokenName } from '../../dsl/parse-error.ts'

/** What a search asks of it. */
export interface MmrRequest {
  /** 0: scores alone count; 1: only how much hits differ does. Float32. */
  readonly diversity: number
  /** Hits among which it is chosen; null: three for each that is asked for. */
  readonly candidates: number | null
  /** The field of the vectors that are compared; null: that of the query. */
  readonly field: string | null
  readonly element: VectorElement | null
  readonly space: VectorSpace | null
}

const ELEMENTS: readonly VectorElement[] = ['binary', 'byte', 'float']

const KEYS = {
  diversity: node => ({ diversity: Math.fround(readNumber(node)) }),
  candidates: node => ({ candidates: readInteger(node) }),
  vector_field_path: node => ({ field: readText(node) }),
  vector_field_data_type: node => ({ element: elementOf(readText(node)) }),
  vector_field_space_type: node => ({ space: spaceOf(readText(node)) }),
} as const satisfies Record<string, (node: JsonNode) => Partial<MmrRequest>>

/**
 * Reads the section.
 * @throws {EngineError} `parsing_exception`: an unknown key; `illegal_argument_exception`: a value out of range
 */
export function readMmr(node: JsonNode): MmrRequest {
  if (node.kind !== 'object')
    throw parsingError(node, `Expected [START_OBJECT] in [mmr] but found [${tokenName(node.kind)}]`)
  const asked: MmrRequest = {
    diversity: 0.5,
    candidates: null,
    field: null,
    element: null,
    space: null,
    ...Object.assign({}, ...node.entries.map(readEntry)),
  }
  if (!(asked.diversity >= 0 && asked.diversity <= 1))
    throw new IllegalArgumentError('diversity in mmr query extension must be between 0.0 and 1.0')
  if (asked.candidates !== null && asked.candidates < 0)
    throw new IllegalArgumentError('candidates in mmr query extension must be larger than 0.')
  if (asked.field === '')
    throw new IllegalArgumentError(
      'vector_field_path in mmr query extension should not be an empty string.',
    )
  return asked
}

function readEntry(entry: JsonEntry): Partial<MmrRequest> {
  const { key, value } = entry
  if (Object.hasOwn(KEYS, key) && isScalar(value)) return KEYS[key as keyof typeof KEYS](value)
  throw parsingError(entry, `[mmr] query extension does not support [${key}]`)
}

function elementOf(text: string): VectorElement {
  const found = ELEMENTS.find(each => each === text.toLowerCase())
  if (found !== undefined) return found
  throw new IllegalArgumentError(
    `vector_field_data_type in mmr query extension is not valid, valid values are ${ELEMENTS.join(',')}.`,
  )
}

function spaceOf(text: string): VectorSpace {
  const found = VECTOR_SPACES.find(each => each === text)
  if (found !== undefined) return found
  throw new IllegalArgumentError(
    `vector_field_space_type in mmr query extension is not valid, valid values are ${VECTOR_SPACES.join(',')}.`,
  )
}
