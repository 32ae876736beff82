import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../script/script-run.ts'
import { scriptEngine } from '../script/script-engine.ts'
import type { ScoredTerms, TermCounts } from '../similarity/scored-terms.ts'
import { countOf, type Explanation, step } from './explanation.ts'
import type { ScriptedSimilarity } from './similarity.ts'

/**
 * Explains the score that scripts make of a frequency, as `ScriptedSimilarity` of the reference server does.
 * @param freq   how it was counted
 * @param length of the document, tokens
 */
export function explainScripts(
  similarity: ScriptedSimilarity<ScoredTerms>,
  freq: Explanation,
  length: number,
): Explanation {
  const { terms } = similarity.terms
  const run = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  const scored = (of: readonly TermCounts[]): { score: number; weight: number } => {
    const own = { ...similarity, terms: { ...similarity.terms, terms: of } }
    const { weights, anyScore } = scriptEngine().frequencies(own, run)
    return { score: anyScore(freq.value, length), weight: weights[0] ?? 1 }
  }
  const parts = terms.map(term => {
    const { score, weight } = scored([term])
    return step(score, description(similarity), [
      step(weight, 'weight'),
      ...facts(similarity.terms, term),
      { ...freq, description: 'doc.freq', details: [] },
      countOf(length, 'doc.length'),
    ])
  })
  return parts.length === 1 ? parts[0]! : step(scored(terms).score, 'Sum of:', parts)
}

function description({ script, weightScript }: ScriptedSimilarity<ScoredTerms>): string {
  const scripts = `weightScript=[${weightScript?.text ?? null}], script=[${script.text}]`
  return `score from ScriptedSimilarity(${scripts}) computed from:`
}

function facts({ boost, field }: ScoredTerms, term: TermCounts): Explanation[] {
  return [
    step(boost, 'query.boost'),
    countOf(field.docCount, 'field.docCount'),
    countOf(field.sumDocFreq, 'field.sumDocFreq'),
    countOf(field.sumTotalTermFreq, 'field.sumTotalTermFreq'),
    countOf(term.docFreq, 'term.docFreq'),
    countOf(term.totalTermFreq, 'term.totalTermFreq'),
  ]
}
