/** Models based on information, as Lucene's `IBSimilarity`. */
import type { Ib } from '../../../schema/similarity/ib.ts'
import { neighbour } from '../../../util/neighbour.ts'
import { countOf, type Explanation, step } from '../explanation.ts'
import type { ModelType } from './model-type.ts'
import { adjustedFreq, explainNormalization } from './normalization.ts'
import type { TermFacts } from './term-facts.ts'

interface Distribution {
  readonly className: string
  /** How surprising an adjusted frequency is. */
  score(tfn: number, lambda: number): number
}

const DISTRIBUTIONS: Readonly<Record<Ib['distribution'], Distribution>> = {
  ll: {
    className: 'DistributionLL',
    score: (tfn, lambda) => -Math.log(lambda / (tfn + lambda)),
  },
  spl: {
    className: 'DistributionSPL',
    score(tfn, lambda) {
      let share = 1 - 1 / (tfn + 1)
      if (share === 1) share = neighbour(1, false)
      let power = lambda ** share
      // Rounding must not make the logarithm that of 0.
      if (power === lambda) power = neighbour(lambda, lambda < 1)
      return -Math.log((power - lambda) / (1 - lambda))
    },
  },
}

interface Lambda {
  /** Float32, never 1, which the power law divides by what is left of. */
  of(facts: TermFacts): number
  /** Name and formula, and its steps. */
  explain(facts: TermFacts): { readonly text: string; readonly details: readonly Explanation[] }
}

const DOCUMENTS = 'N, total number of documents with field'

const LAMBDAS: Readonly<Record<Ib['lambda'], Lambda>> = {
  df: {
    of({ docFreq, docCount }) {
      const lambda = Math.fround((docFreq + 1) / (docCount + 1))
      return lambda === 1 ? 1 - 2 ** -24 : lambda
    },
    explain: ({ docFreq, docCount }) => ({
      text: 'LambdaDF, computed as (n + 1) / (N + 1) from:',
      details: [
        countOf(docFreq, 'n, number of documents containing term'),
        countOf(docCount, DOCUMENTS),
      ],
    }),
  },
  ttf: {
    of({ totalTermFreq, docCount }) {
      const lambda = Math.fround((totalTermFreq + 1) / (docCount + 1))
      return lambda === 1 ? 1 + 2 ** -23 : lambda
    },
    explain: ({ totalTermFreq, docCount }) => ({
      text: 'LambdaTTF, computed as (F + 1) / (N + 1) from:',
      details: [
        countOf(totalTermFreq, 'F, total number of occurrences of term across all documents'),
        countOf(docCount, DOCUMENTS),
      ],
    }),
  },
}

export const ib: ModelType<Ib> = {
  className: 'IBSimilarity',
  scorer({ distribution, lambda, normalization }, facts) {
    const { score } = DISTRIBUTIONS[distribution]
    const parameter = LAMBDAS[lambda].of(facts)
    return (freq, length) =>
      facts.boost * score(adjustedFreq(normalization, facts, freq, length), parameter)
  },
  explain({ distribution, lambda, normalization }, facts, { value: freq }, length) {
    const adjusted = explainNormalization(normalization, facts, freq, length)
    const { className, score } = DISTRIBUTIONS[distribution]
    const parameter = LAMBDAS[lambda].of(facts)
    const ofLambda = LAMBDAS[lambda].explain(facts)
    return {
      text:
        'computed as boost * distribution.score(stats, normalization.tfn(stats, freq, docLen), ' +
        'lambda.lambda(stats)) from:',
      details: [
        ...(facts.boost === 1 ? [] : [step(facts.boost, 'boost, query boost')]),
        adjusted,
        step(parameter, ofLambda.text, ofLambda.details),
        // As in Lucene, of the frequency as it is printed above: rounded, and 1 without a normalization.
        step(score(adjusted.value, parameter), className),
      ],
    }
  },
}
