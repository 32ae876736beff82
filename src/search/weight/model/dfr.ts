/** Divergence from randomness, as Lucene's `DFRSimilarity`. */
import type { Dfr } from '../../../schema/similarity/dfr.ts'
import { countOf, type Explanation, step } from '../explanation.ts'
import type { ModelType } from './model-type.ts'
import { adjustedFreq, explainNormalization } from './normalization.ts'
import { log2, type TermFacts } from './term-facts.ts'

/**
 * A basic model. Lucene divides the after effect's 1 + tfn out of both formulas, so that scores
 * cannot fall as frequencies rise.
 */
interface BasicModel {
  /**
   * @param gain  what the after effect gives, times 1 + tfn
   * @returns of tfn, the adjusted frequency, the score without its boost
   */
  scorer(facts: TermFacts, gain: number): (tfn: number) => number
  /** Name and formula, and the steps after the frequency. */
  explain(facts: TermFacts): { readonly text: string; readonly details: readonly Explanation[] }
}

const DOCUMENTS = 'N, total number of documents with field'

const BASIC_MODELS: Readonly<Record<Dfr['basicModel'], BasicModel>> = {
  g: {
    scorer(facts, gain) {
      const lambda = lambdaOf(facts)
      const floor = log2(lambda + 1)
      const ceiling = log2((1 + lambda) / lambda)
      return tfn => (ceiling - (ceiling - floor) / (1 + tfn)) * gain
    },
    explain(facts) {
      const details = [
        step(facts.totalTermFreq + 1, 'F, total number of occurrences of term across all docs + 1'),
        step(facts.docCount, DOCUMENTS),
      ]
      return {
        text: 'BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda) from:',
        details: [step(lambdaOf(facts), 'lambda, computed as F / (N + F) from:', details)],
      }
    },
  },
  if: {
    scorer: ({ docCount, totalTermFreq }, gain) =>
      rising(log2(1 + (docCount + 1) / (totalTermFreq + 0.5)), gain),
    explain: ({ docCount, totalTermFreq }) => ({
      text: 'BasicModelIF, computed as tfn * log2(1 + (N + 1) / (F + 0.5)) from:',
      details: [
        countOf(docCount, DOCUMENTS),
        countOf(totalTermFreq, 'F, total number of occurrences of term across all documents'),
      ],
    }),
  },
  in: {
    scorer: ({ docCount, docFreq }, gain) => rising(log2((docCount + 1) / (docFreq + 0.5)), gain),
    explain: ({ docCount, docFreq }) => ({
      text: 'BasicModelIn, computed as tfn * log2((N + 1) / (n + 0.5)) from:',
      details: [
        countOf(docCount, DOCUMENTS),
        countOf(docFreq, 'n, number of documents containing term'),
      ],
    }),
  },
  ine: {
    scorer: (facts, gain) => rising(log2((facts.docCount + 1) / (expectedOf(facts) + 0.5)), gain),
    explain(facts) {
      const details = [
        step(facts.totalTermFreq, 'F, total number of occurrences of term across all docs'),
        step(facts.docCount, DOCUMENTS),
      ]
      return {
        text: 'BasicModelIne, computed as tfn * log2((N + 1) / (ne + 0.5)) from:',
        details: [
          step(
            expectedOf(facts),
            'ne, computed as N * (1 - Math.pow((N - 1) / N, F)) from:',
            details,
          ),
        ],
      }
    },
  },
}

interface AfterEffect {
  /** The effect times 1 + tfn. */
  gain(facts: TermFacts): number
  /** Name and formula, and its steps. */
  explain(
    facts: TermFacts,
    tfn: Explanation,
  ): { readonly text: string; readonly details: readonly Explanation[] }
}

const AFTER_EFFECTS: Readonly<Record<Dfr['afterEffect'], AfterEffect>> = {
  b: {
    gain: ({ totalTermFreq, docFreq }) => (totalTermFreq + 2) / (docFreq + 1),
    // Lucene prints the counts without the one that their names add.
    explain: ({ totalTermFreq, docFreq }, tfn) => ({
      text: 'AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:',
      details: [
        tfn,
        countOf(totalTermFreq, 'F, total number of occurrences of term across all documents + 1'),
        countOf(docFreq, 'n, number of documents containing term + 1'),
        tfn,
      ],
    }),
  },
  l: {
    gain: () => 1,
    explain: (_facts, tfn) => ({
      text: 'AfterEffectL, computed as 1 / (tfn + 1) from:',
      details: [tfn],
    }),
  },
}

export const dfr: ModelType<Dfr> = {
  className: 'DFRSimilarity',
  scorer({ basicModel, afterEffect, normalization }, facts) {
    const score = BASIC_MODELS[basicModel].scorer(facts, AFTER_EFFECTS[afterEffect].gain(facts))
    return (freq, length) => facts.boost * score(adjustedFreq(normalization, facts, freq, length))
  },
  explain({ basicModel, afterEffect, normalization }, facts, { value: freq }, length) {
    const model = BASIC_MODELS[basicModel]
    const effect = AFTER_EFFECTS[afterEffect]
    const tfn = adjustedFreq(normalization, facts, freq, length)
    const tfnStep = step(tfn, 'tfn, normalized term frequency')
    const gain = effect.gain(facts)
    const ofModel = model.explain(facts)
    const ofEffect = effect.explain(facts, tfnStep)
    const score = model.scorer(facts, gain)(tfn)
    return {
      text: 'computed as boost * basicModel.score(stats, tfn) * afterEffect.score(stats, tfn) from:',
      details: [
        ...(facts.boost === 1 ? [] : [step(facts.boost, 'boost, query boost')]),
        explainNormalization(normalization, facts, freq, length),
        step((score * (1 + tfn)) / gain, ofModel.text, [tfnStep, ...ofModel.details]),
        step(gain / (1 + tfn), ofEffect.text, ofEffect.details),
      ],
    }
  },
}

function rising(information: number, gain: number): (tfn: number) => number {
  return tfn => information * gain * (1 - 1 / (1 + tfn))
}

/** The share of occurrences among occurrences and documents. */
function lambdaOf({ totalTermFreq, docCount }: TermFacts): number {
  const occurrences = totalTermFreq + 1
  return occurrences / (docCount + occurrences)
}

/** Documents that as many occurrences would be in, if they fell where they may. */
function expectedOf({ docCount, totalTermFreq }: TermFacts): number {
  return docCount * (1 - ((docCount - 1) / docCount) ** totalTermFreq)
}
