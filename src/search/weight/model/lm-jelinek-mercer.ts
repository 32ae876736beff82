/** Language models smoothed by interpolation, as Lucene's `LMJelinekMercerSimilarity`. */
import type { LmJelinekMercer } from '../../../schema/similarity/lm-jelinek-mercer.ts'
import { step } from '../explanation.ts'
import { COLLECTION, collectionShare, FREQ, LENGTH, SHARE } from './collection-share.ts'
import type { ModelType } from './model-type.ts'

export const lmJelinekMercer: ModelType<LmJelinekMercer> = {
  className: 'LMJelinekMercerSimilarity',
  scorer({ lambda }, facts) {
    const share = collectionShare(facts)
    const rest = Math.fround(1 - lambda)
    return (freq, length) => facts.boost * Math.log(1 + (rest * freq) / length / (lambda * share))
  },
  explain({ lambda }, facts, { value: freq }, length) {
    const share = collectionShare(facts)
    return {
      text: 'computed as boost * log(1 + ((1 - lambda) * freq / dl) /(lambda * P)) from:',
      details: [
        ...(facts.boost === 1 ? [] : [step(facts.boost, 'boost')]),
        step(lambda, 'lambda'),
        step(share, SHARE),
        step(freq, FREQ),
        step(length, LENGTH),
        step(share, COLLECTION),
      ],
    }
  },
}
