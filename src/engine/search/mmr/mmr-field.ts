/** The field whose vectors are compared: of one kind in all indices of a search. */
import type { VectorElement, VectorSpace } from '../../../schema/knn-vector/vector-space.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { notSupportedYet } from '../../dsl/parse-error.ts'
import type { IndexView } from '../../metadata/index-view.ts'
import type { MmrRequest } from './mmr-request.ts'

/** A field of vectors, as its indices agree on it. */
export interface MmrField {
  readonly path: string
  readonly element: VectorElement
  readonly space: VectorSpace
}

/**
 * Finds the field in the indices of a search.
 * @throws {EngineError} 400: it is none of vectors, or in a nested object; indices or the request disagree on its kind
 */
export function mmrField(
  path: string,
  { element, space }: Pick<MmrRequest, 'element' | 'space'>,
  views: readonly IndexView[],
): MmrField {
  const nested = views.map(({ mapping }) => mapping.nestedAround(path)).find(each => each !== null)
  if (nested !== undefined)
    throw new IllegalArgumentError(
      `MMR search extension cannot support the field ${path} because it is in the nested field ` +
        `${nested!.slice(nested!.lastIndexOf('.') + 1)}.`,
    )
  const mapped = views.flatMap(({ index, mapping }) => {
    const field = mapping.field(path)
    return field === null ? [] : { index: index.name, field }
  })
  const others = mapped.filter(({ field }) => field.type !== 'knn_vector')
  if (others.length > 0)
    throw new IllegalArgumentError(
      'MMR query extension cannot support non knn_vector field ' +
        `[${others.map(({ index }) => `${index}:${path}`).join(',')}].`,
    )
  // The real server reads vectors of no mapped field out of sources.
  if (mapped.length === 0) throw notSupportedYet(`mmr of a field that is not mapped: ${path}`)
  const kinds = mapped.flatMap(({ field }) =>
    field.type === 'knn_vector'
      ? { element: field.element, space: field.space ?? defaultSpace(field.element) }
      : [],
  )
  const agreed = <T extends string>(words: string, own: T | null, values: readonly T[]): T => {
    const [first] = values
    const other = values.find(each => each !== first)
    if (other !== undefined)
      throw new IllegalArgumentError(
        `MMR query extension cannot support different ${words} [${first}, ${other}] for the ` +
          `knn_vector field at path ${path}.`,
      )
    if (own !== null && own !== first)
      throw new IllegalArgumentError(
        `The ${words} [${own}] provided in the MMR query extension does not match the ${words} ` +
          `[${first}] in target indices.`,
      )
    return first!
  }
  return {
    path,
    space: agreed(
      'space type',
      space,
      kinds.map(kind => kind.space),
    ),
    element: agreed(
      'vector data type',
      element,
      kinds.map(kind => kind.element),
    ),
  }
}

function defaultSpace(element: VectorElement): VectorSpace {
  return element === 'binary' ? 'hamming' : 'l2'
}
