/** Every match of a search in order of documents, with its score if it is read. */
import type { GatherType, MatchBatch, SliceGather } from './gather.ts'

/** Lists all matches. */
export interface ListedMatches {
  readonly kind: 'listedMatches'
  readonly withScores: boolean
}

/** Ascending matches of one leaf. */
export interface MatchRun {
  readonly leafOrd: number
  readonly docs: Int32Array
  /** By index of the document; null where they are not read. */
  readonly scores: Float32Array | null
}

/** The gather of all matches: runs in order of leaves and documents, whichever slices found them. */
export const listedMatches: GatherType<
  ListedMatches,
  ListedMatches,
  readonly MatchRun[],
  readonly MatchRun[]
> = {
  demands: ({ withScores }) => ({ scores: withScores, parts: 1 }),
  prepare: gather => gather,
  open: ({ withScores }) => new SliceList(withScores),
  closeShard: (_ready, partials) => inOrder(partials.flat()),
}

/** Runs never overlap, as slices share no documents. */
function inOrder(runs: readonly MatchRun[]): readonly MatchRun[] {
  return [...runs].sort((a, b) => a.leafOrd - b.leafOrd || a.docs[0]! - b.docs[0]!)
}

class SliceList implements SliceGather<readonly MatchRun[]> {
  readonly #runs: MatchRun[] = []
  readonly #withScores: boolean

  constructor(withScores: boolean) {
    this.#withScores = withScores
  }

  openLeaf(): void {}

  closeLeaf(): void {}

  collect(batch: MatchBatch): void {
    const { leafOrd, count, scores } = batch
    this.#runs.push({
      leafOrd,
      docs: batch.docs().slice(0, count),
      scores: this.#withScores ? scores!.slice(0, count) : null,
    })
  }

  finish(): readonly MatchRun[] {
    return this.#runs
  }
}
