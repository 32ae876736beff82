import { SliceState } from '../../dist/search/collector/collector.js'
import { SearchControl } from '../../dist/search/collector/search-control.js'
import { TopScoreCollector } from '../../dist/search/collector/top-score-collector.js'
import { Random } from '../../dist/util/random.js'
import { micro } from '../lib/harness.ts'
import type { Bench } from '../lib/result.ts'

const MATCHES = 50_000

/** The top-k heap under random scores, and under scores that rise, its worst case. */
export const heap: Bench = {
  name: 'heap',
  run() {
    const random = new Random(6)
    const shuffled = Float64Array.from({ length: MATCHES }, () => random.next())
    const rising = Float64Array.from({ length: MATCHES }, (_, i) => i / MATCHES)
    const collect = (scores: Float64Array, k: number) => () => {
      const state = new SliceState(new SearchControl(), Number.POSITIVE_INFINITY, false)
      const collector = new TopScoreCollector(k, state, false)
      let doc = 0
      const scorer = { score: () => scores[doc]! }
      collector.openLeaf({ docBase: 0 } as never)
      collector.setScorer(scorer as never)
      for (; doc < MATCHES; doc++) collector.collect(doc)
      return collector.hits().length
    }
    return micro(
      'heap',
      [
        { name: 'top 10 of random scores', run: collect(shuffled, 10) },
        { name: 'top 1,000 of random scores', run: collect(shuffled, 1000) },
        { name: 'top 10 of rising scores', run: collect(rising, 10) },
      ],
      'ns/match',
      MATCHES,
    )
  },
}
