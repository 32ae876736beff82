import type { Scorer } from '../../scorer/scorer.ts'
import { compareDoubles, DoubleComparator } from '../double-comparator.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

/** By score. */
export const scoreSort: SortKind<SortKeyOf<'score'>> = {
  open: ({ descending }, capacity, after) => new ScoreComparator(descending, capacity, after),
  compare: compareDoubles,
  valueType: () => 'SCORE',
}

class ScoreComparator extends DoubleComparator {
  #scorer: Pick<Scorer, 'score'> | null = null

  override openLeaf(): void {
    // A leaf has a scorer of its own.
  }

  override setScorer(scorer: Pick<Scorer, 'score'>): void {
    this.#scorer = scorer
  }

  protected override read(): number {
    return this.#scorer!.score()
  }
}
