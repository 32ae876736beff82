/** The scores that the hits of a hybrid query were combined of, for those who ask why. */
export interface CombinedScores {
  /** The scoring by name: of a sub-query's scores, and of one score made of them. */
  readonly normalization: string
  readonly combination: string
  /** By document of the shard, one for each sub-query; 0 where it is not in the list. */
  readonly parts: ReadonlyMap<number, Float32Array>
}
