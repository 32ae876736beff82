/** The functions of vectors that scripts of several contexts call by their name alone. */

import { lateInteractionScore } from '../../doc/late-interaction.ts'
import { compareVectors, type VectorFunction, type VectorValues } from '../../doc/vector-values.ts'
import type { ScriptRun } from '../../script-run.ts'
import type { ScriptList, ScriptMap } from '../../value/script-value.ts'
import type { Member } from './class-type.ts'
import { members } from './members.ts'

const COMPARISONS: readonly VectorFunction[] = [
  'l2Squared',
  'l1Norm',
  'lInfNorm',
  'innerProduct',
  'cosineSimilarity',
  'hamming',
]

const DEFAULT_SPACE = 'l2'

/** Functions by `name/arity`; none has a receiver. */
export const VECTOR_FUNCTIONS: Readonly<Record<string, Member>> = members({
  ...Object.fromEntries(
    COMPARISONS.map(name => [
      `float ${name}(List, KNNVectorScriptDocValues)`,
      (_run: ScriptRun, _: unknown, vector: ScriptList, values: VectorValues) =>
        compareVectors(name, vector, values, null),
    ]),
  ),
  'float cosineSimilarity(List, KNNVectorScriptDocValues, double)': (
    _run,
    _,
    vector: ScriptList,
    values: VectorValues,
    square: number,
  ) => compareVectors('cosineSimilarity', vector, values, Math.fround(square)),
  'float lateInteractionScore(List?, String?, Map?)': (
    run,
    _,
    vectors: ScriptList | null,
    field: string | null,
    source: ScriptMap | null,
  ) => lateInteractionScore(run, vectors, field, source, DEFAULT_SPACE),
  'float lateInteractionScore(List?, String?, Map?, String?)': (
    run,
    _,
    vectors: ScriptList | null,
    field: string | null,
    source: ScriptMap | null,
    space: string | null,
  ) => lateInteractionScore(run, vectors, field, source, space),
})
