import { BucketTable } from '../bucket-table.ts'

/** Numbers tuples of an owning bucket and ids, by their prefixes. */
export class TupleTable {
  /** By place, prefixes with the id at the place. */
  readonly #places: readonly BucketTable[]

  /**
   * @param length ids of a tuple, at least 1
   * @param charge charges memory before it is taken; absent: another has charged it
   */
  constructor(length: number, charge?: (bytes: number) => void) {
    this.#places = Array.from({ length }, () => new BucketTable(charge))
  }

  /** Number of whole tuples. */
  get size(): number {
    return this.#places.at(-1)!.size
  }

  /**
   * The number of a prefix with one more id; of the last place, of a whole tuple.
   * @param prefix number of the prefix before; at place 0 an owning bucket
   */
  extend(place: number, prefix: number, id: number): number {
    return this.#places[place]!.bucketOf(prefix, 0, id)
  }

  /** The id of a tuple at a place. */
  id(tuple: number, place: number): number {
    return this.#places[place]!.low(this.#prefix(tuple, place))
  }

  owner(tuple: number): number {
    return this.#places[0]!.owner(this.#prefix(tuple, 0))
  }

  #prefix(tuple: number, place: number): number {
    let at = tuple
    for (let i = this.#places.length - 1; i > place; i--) at = this.#places[i]!.owner(at)
    return at
  }
}
