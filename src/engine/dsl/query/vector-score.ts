/** The scripts of `lang: knn`, which compare a vector with those of documents. */
import { type KnnVectorField, numberOfNode } from '../../../schema/field-type/knn-vector.ts'
import { checkComponent, checkWhole, givenLength } from '../../../schema/knn-vector/read-vector.ts'
import {
  type VectorElement,
  type VectorSpace,
  vectorSpace,
} from '../../../schema/knn-vector/vector-space.ts'
import type { ScriptRequest } from '../../../script/script-request.ts'
import type { Query } from '../../../search/query/query.ts'
import type { ScriptPlan } from '../../../search/script/script-plan.ts'
import { queryVector } from '../../../search/vector/comparison.ts'
import type { ScoreFunction } from '../../../search/weight/function/score-function.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { type JsonNode, type JsonObjectNode, jsonEntry } from '../../../util/json/json-tree.ts'
import { readText } from '../json-scalars.ts'
import type { QueryContext } from '../query-context.ts'
import { scriptText } from '../script-plan.ts'
import { BIT_SPACE, bitScore } from './bit-score.ts'

/** The language of such scripts, and the only script that it has. */
export const VECTOR_SCRIPTS = 'knn'
const SOURCE = 'knn_score'

/** Names of spaces in refusals, where they differ. */
const SHOWN: { readonly [S in VectorSpace]?: string } = { cosinesimil: 'cosine', linf: 'l-inf' }

/** What such a script compares. */
interface VectorScript {
  readonly field: string
  readonly space: VectorSpace
  readonly element: VectorElement
  readonly vector: readonly number[]
  /** The script as it prints. */
  readonly text: string
}

/**
 * A query's documents, scored by such a script.
 * @throws {EngineError} another script, or parameters that do not fit the index
 */
export function vectorScore(
  query: Query,
  script: ScriptRequest,
  minScore: number | null,
  context: QueryContext,
): Query {
  const read = readScript(script, context)
  return read.kind === 'bits'
    ? { kind: 'scriptScore', query, script: read.script, minScore }
    : { kind: 'vectorScore', query, minScore, ...read.compared }
}

/**
 * Such a script as a function of scores.
 * @throws {EngineError} another script, or parameters that do not fit the index
 */
export function vectorFunctionOf(script: ScriptRequest, context: QueryContext): ScoreFunction {
  const read = readScript(script, context)
  if (read.kind === 'bits') return { kind: 'script', script: read.script }
  const { field, space, element, vector, text } = read.compared
  return { kind: 'vector', field, space, vector: queryVector(vector, element), text }
}

/** A script of vectors, or of the bits of numbers. */
type ReadScript =
  | { readonly kind: 'vectors'; readonly compared: VectorScript }
  | { readonly kind: 'bits'; readonly script: ScriptPlan }

function readScript(script: ScriptRequest, context: QueryContext): ReadScript {
  const { vectorRequests } = context
  if (script.source !== SOURCE) {
    vectorRequests.compilations++
    vectorRequests.failedCompilations++
    throw new IllegalArgumentError(`Unknown script name ${script.source}`)
  }
  // There is one such script, which is compiled once.
  if (vectorRequests.scripts === 0) vectorRequests.compilations++
  vectorRequests.scripts++
  try {
    return readParameters(script, context)
  } catch (error) {
    vectorRequests.failedScripts++
    throw error
  }
}

function readParameters(script: ScriptRequest, context: QueryContext): ReadScript {
  const name = readText(parameterOf(script.params, 'field'))
  const spaceName = readText(parameterOf(script.params, 'space_type'))
  const value = parameterOf(script.params, 'query_value')
  if (spaceName.toLowerCase() === BIT_SPACE)
    return { kind: 'bits', script: bitScore(script, name, value, context) }
  const space = vectorSpace(spaceName)
  if (space === null)
    throw new IllegalArgumentError('Invalid space type. Please refer to the available space types.')
  const field = context.mapping.field(name)
  const shown = SHOWN[space] ?? space
  if (field?.type !== 'knn_vector')
    throw new IllegalArgumentError(
      `Incompatible field_type for ${shown} space. The field type must be knn_vector.`,
    )
  const { element } = field
  if ((element === 'binary') !== (space === 'hamming'))
    throw new IllegalArgumentError(
      `Incompatible field_type for ${shown} space. The data type should be ` +
        `${space === 'hamming' ? '[BINARY]' : '[FLOAT, BYTE]'} but got ${element.toUpperCase()}`,
    )
  const vector = vectorOf(value, element, field)
  checkWhole(vector, space)
  const compared = { field: field.name, space, element, vector, text: scriptText(script) }
  return { kind: 'vectors', compared }
}

function parameterOf(params: JsonObjectNode | null, name: string): JsonNode {
  const value = params === null ? null : (jsonEntry(params, name)?.value ?? null)
  if (value === null || value.kind === 'null')
    throw new IllegalArgumentError(`Missing parameter [${name}]`)
  return value
}

function vectorOf(
  node: JsonNode,
  element: VectorElement,
  field: KnnVectorField,
): readonly number[] {
  if (node.kind !== 'array')
    throw new IllegalArgumentError('[query_value] must be a list of numbers')
  const vector = node.items.map(numberOfNode)
  for (const value of vector) checkComponent(value, element)
  const expected = givenLength(field)
  if (vector.length === expected) return vector
  throw new EngineError({
    type: 'illegal_state_exception',
    reason: `Object's length=${vector.length} does not match the expected length=${expected}.`,
  })
}
