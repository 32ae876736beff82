import type { SimilarityGroup } from './similarity-group.ts'

/** A kind of model as settings define it. */
export interface SimilarityModelType<M> {
  /** Keys of its settings. */
  readonly keys: readonly string[]
  /** @throws {IllegalArgumentError} a value that it does not take */
  read(group: SimilarityGroup): M
}
