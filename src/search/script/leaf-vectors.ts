import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import {
  VECTOR_VALUES,
  type VectorFunction,
  type VectorValues,
} from '../../script/doc/vector-values.ts'
import { ScriptArray } from '../../script/value/script-array.ts'
import type { ScriptValue } from '../../script/value/script-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Long } from '../../util/long.ts'
import {
  type Comparison,
  compareOne,
  cosineOf,
  queryVector,
  squareOf,
} from '../vector/comparison.ts'
import { LeafDocValues } from './leaf-doc-values.ts'
import type { ScriptField } from './script-field.ts'

const COMPARISONS: { readonly [F in VectorFunction]: Comparison } = {
  l2Squared: 'squared',
  l1Norm: 'absolute',
  lInfNorm: 'largest',
  innerProduct: 'dot',
  cosineSimilarity: 'dot',
  hamming: 'bits',
}

/** The vectors of a leaf as scripts see them. */
export class LeafVectors extends LeafDocValues implements VectorValues {
  override readonly numbers = null
  readonly field: string
  readonly element: VectorValues['element']
  readonly length: number
  readonly #vectors: DenseVectorsReader | null
  #ord = -1

  constructor({ column, element, length }: Extract<ScriptField, { kind: 'vector' }>, leaf: Leaf) {
    super(VECTOR_VALUES)
    this.field = column
    this.element = element
    this.length = length
    this.#vectors = leaf.denseVectors(column)
  }

  override at(): ScriptValue {
    const type = this.element === 'float' ? 'float' : 'byte'
    return new ScriptArray(type, [...this.#vectors!.numbers(this.#ord)])
  }

  override bareAt(): Long {
    return 0
  }

  compare(name: VectorFunction, vector: readonly number[], square: number | null): number {
    const vectors = this.#vectors!
    const query = queryVector(vector, this.element)
    const raw = compareOne(COMPARISONS[name], query, vectors, this.#ord)
    if (name !== 'cosineSimilarity') return raw
    return cosineOf(raw, square ?? squareOf(query), vectors.square(this.#ord))
  }

  protected override open(docId: number): number {
    this.#ord = this.#vectors?.ordOf(docId) ?? -1
    return this.#ord < 0 ? 0 : 1
  }
}
