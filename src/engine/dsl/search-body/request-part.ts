import type { JsonNode } from '../../../util/json/json-tree.ts'

/**
 * Keys of a search body that mean nothing to others: they are read one by one into a value of the part's
 * own, which the request carries under the part's name.
 */
export interface RequestPart<Asked> {
  /** The value of a request that has none of the keys. */
  readonly unasked: Asked
  /**
   * The keys, each with what reads it: it makes the new value of the one that the keys before it left,
   * and throws an `EngineError` of 400 at what is no such value.
   */
  readonly keys: { readonly [key: string]: (value: JsonNode, before: Asked) => Asked }
}
