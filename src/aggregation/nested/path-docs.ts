import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { ParentsReader } from '../../codec/parents/reader.ts'
import type { Query } from '../../search/query/query.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice } from '../aggregation-type.ts'

/** The nested objects of a path. */
export function nestedPathQuery(path: string): Query {
  return { kind: 'term', field: '_nested_path', term: path }
}

/** The documents of one level of nesting in a leaf: nested objects of a path, or those that are none. */
export class PathDocs {
  /** Ascending; null: the documents that are no nested objects. */
  readonly #docs: readonly number[] | null
  readonly #parents: ParentsReader | null

  /** @param weight matches the nested objects; null: those that are none */
  constructor(weight: Weight | null, leaf: Leaf, leafOrd: number, slice: AggregationSlice) {
    this.#parents = leaf.parents()
    this.#docs = weight === null ? null : listOf(weight, leaf, leafOrd, slice)
  }

  /** The last document of the level up to `doc`, −1 without one. */
  previous(doc: number): number {
    if (this.#docs === null) return this.#parents?.previous(doc) ?? doc
    return this.#docs[this.#countUpTo(doc) - 1] ?? -1
  }

  /** The first document of the level from `doc` on, −1 without one. */
  next(doc: number): number {
    if (this.#docs === null) return this.#parents?.next(doc) ?? doc
    return this.#docs[this.#countUpTo(doc - 1)] ?? -1
  }

  #countUpTo(doc: number): number {
    const docs = this.#docs!
    let from = 0
    let to = docs.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (docs[middle]! <= doc) from = middle + 1
      else to = middle
    }
    return from
  }
}

function listOf(
  weight: Weight,
  leaf: Leaf,
  leafOrd: number,
  slice: AggregationSlice,
): readonly number[] {
  const docs: number[] = []
  const iterator = slice.matches(weight, leaf, leafOrd)
  if (iterator === null) return docs
  for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc()) docs.push(doc)
  return docs
}
