/**
 * One way to make a score of those that a document has in the lists. Each has a file beside this one and a
 * line in `combinations.ts`. Every step is in float32.
 */
export interface Combination {
  /**
   * @param scores  of documents, each with one of every sub-query; 0 where it is not in the list
   * @param start   of the document's
   * @param weights one for each sub-query, 0 to 1
   */
  combine(scores: Float32Array, start: number, weights: Float32Array): number
}
