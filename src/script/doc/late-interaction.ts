/** Late interaction: how near the vectors of a document, one for each of its tokens, are to those of a query. */
import {
  angleSimilarity,
  distanceSimilarity,
  productSimilarity,
} from '../../util/vector-similarity.ts'
import { dotFloats, squaredFloats } from '../../util/vector-sums.ts'
import { classCast, illegalArgument, illegalState, nullPointer } from '../java-faults.ts'
import type { ScriptRun } from '../script-run.ts'
import { isNumber, toDouble } from '../value/java-numbers.ts'
import {
  classNameOf,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
} from '../value/script-value.ts'

/** Components that cost as much as a step of a script. */
const COMPONENTS_OF_STEP = 32

/** A similarity of two vectors of one length, float32. */
type Similarity = (one: Float32Array, other: Float32Array) => number

/** By space, in the order in which errors list them; null: the space has none. */
const SIMILARITIES: Readonly<Record<string, Similarity | null>> = {
  l2: (one, other) => distanceSimilarity(squaredFloats(one, other)),
  cosinesimil: (one, other) =>
    angleSimilarity(dotFloats(one, other), dotFloats(one, one) * dotFloats(other, other)),
  l1: null,
  linf: null,
  innerproduct: (one, other) => productSimilarity(dotFloats(one, other)),
  hamming() {
    throw illegalState('Hamming space is not supported with float vectors')
  },
}

/**
 * The sum, over the vectors of a query, of each one's greatest similarity to a vector of the document; float32.
 * @param vectors of the query: lists of numbers
 * @param field   of the document, which holds a list of such lists
 * @param source  the document
 * @param space   the name of a space in any case
 * @throws {ScriptFault} what is missing or empty, no such space, lists of another kind or lengths
 */
export function lateInteractionScore(
  run: ScriptRun,
  vectors: ScriptList | null,
  field: string | null,
  source: ScriptMap | null,
  space: string | null,
): number {
  if (vectors === null) throw illegalArgument('Query vectors cannot be null')
  if (vectors.length === 0) throw illegalArgument('Query vectors cannot be empty')
  if (field === null || field === '')
    throw illegalArgument('Document field name cannot be null or empty')
  if (source === null) throw illegalArgument('Document cannot be null')
  if (space === null || space === '') throw illegalArgument('Space type cannot be null or empty')
  const given = source.get(field) ?? null
  if (given !== null && !Array.isArray(given))
    throw illegalArgument(`Field ${field} must contain a list of vector lists`)
  if (given === null || given.length === 0)
    throw illegalArgument('Document vectors cannot be null or empty')
  const similarity = similarityOf(space)
  const own = given.map(listOf).filter(list => list !== null && list.length > 0)
  const documents = own.map(list => floatsOf(list!))
  return vectors.reduce<number>((sum, each) => {
    const list = listOf(each)
    if (list === null || list.length === 0)
      throw illegalArgument('Every single vector within query vectors cannot be empty or null')
    return Math.fround(sum + greatest(run, floatsOf(list), documents, similarity))
  }, 0)
}

/** The greatest similarity of one vector to some; 0 where there are none. */
function greatest(
  run: ScriptRun,
  vector: Float32Array,
  others: readonly Float32Array[],
  similarity: Similarity,
): number {
  if (others.length === 0) return 0
  const similarities = others.map(other => {
    run.step(1 + Math.ceil(vector.length / COMPONENTS_OF_STEP))
    if (vector.length !== other.length)
      throw illegalArgument(`vector dimensions differ: ${vector.length}!=${other.length}`)
    return similarity(vector, other)
  })
  // One that is no number wins, as in Java's streams.
  return similarities.reduce((most, each) => Math.max(most, each))
}

function similarityOf(name: string): Similarity {
  const lower = name.toLowerCase()
  const similarity = Object.hasOwn(SIMILARITIES, lower) ? SIMILARITIES[lower]! : null
  if (similarity !== null) return similarity
  if (Object.hasOwn(SIMILARITIES, lower) || lower === 'undefined')
    throw illegalArgument(`Space type ${name} does not support vector similarity function`)
  throw illegalArgument(
    `Unable to find space: ${name} . Valid values are: [${Object.keys(SIMILARITIES).join(', ')}]`,
  )
}

function listOf(value: ScriptValue): ScriptList | null {
  if (value === null || Array.isArray(value)) return value
  throw classCast(classNameOf(value), 'java.util.List')
}

function floatsOf(list: ScriptList): Float32Array {
  return Float32Array.from(list, value => {
    if (value === null) throw nullPointer('a component of a vector is null')
    if (!isNumber(value)) throw classCast(classNameOf(value), 'java.lang.Number')
    return toDouble(value)!
  })
}
