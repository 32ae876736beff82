/** Language models smoothed by a Dirichlet prior, as Lucene's `LMDirichletSimilarity`. */
import type { LmDirichlet } from '../../../schema/similarity/lm-dirichlet.ts'
import { step } from '../explanation.ts'
import { COLLECTION, collectionShare, FREQ, LENGTH, SHARE } from './collection-share.ts'
import type { ModelType } from './model-type.ts'

export const lmDirichlet: ModelType<LmDirichlet> = {
  className: 'LMDirichletSimilarity',
  scorer({ mu }, facts) {
    const share = collectionShare(facts)
    return (freq, length) => {
      const score = facts.boost * (Math.log(1 + freq / (mu * share)) + Math.log(mu / (length + mu)))
      // Below 0 where the collection's model expects the term more often; not a number where mu is 0.
      return Number.isNaN(score) ? 0 : Math.max(score, 0)
    }
  },
  explain({ mu }, facts, { value: freq }, length) {
    const share = collectionShare(facts)
    return {
      text: 'computed as boost * (term weight + document norm) from:',
      details: [
        ...(facts.boost === 1 ? [] : [step(facts.boost, 'query boost')]),
        step(mu, 'mu'),
        step(
          Math.log(1 + freq / (mu * share)),
          'term weight, computed as log(1 + freq /(mu * P)) from:',
          [step(freq, FREQ), step(share, SHARE)],
        ),
        step(Math.log(mu / (length + mu)), 'document norm, computed as log(mu / (dl + mu))'),
        step(length, LENGTH),
        step(share, COLLECTION),
      ],
    }
  },
}
