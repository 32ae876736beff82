import { readFileSync } from 'node:fs'
import type { Line } from './lines.ts'
import type { PreparedCorpus } from './prepared-corpus.ts'
import type { Answer, Answers } from './protocol.ts'

/** One query on which two engines that score alike differ. */
export interface Difference {
  readonly line: string
  readonly query: string
  readonly what: string
}

/** What holding answers against each other gave. */
export interface Comparison {
  readonly differences: Difference[]
  /** Answers that were compared, and how many of them found anything. */
  compared: number
  withHits: number
}

/** Adds two engines' answers to a line, every query answered by both. */
export function compare(into: Comparison, line: Line, ours: Answers, theirs: Answers): void {
  for (const [i, query] of line.texts.entries()) {
    const [our, their] = [ours.answers[i]!, theirs.answers[i]!]
    into.compared++
    if (our.docs.length > 0 || (our.total ?? 0) > 0) into.withHits++
    const what = differenceOf(our, their)
    if (what !== null) into.differences.push({ line: line.name, query, what })
  }
}

function differenceOf(ours: Answer, theirs: Answer): string | null {
  if (ours.docs.join() !== theirs.docs.join())
    return `documents [${ours.docs}] against [${theirs.docs}], keys [${ours.keys}] against [${theirs.keys}]`
  if (ours.keys.join() !== theirs.keys.join())
    return `keys [${ours.keys}] against [${theirs.keys}] of documents [${ours.docs}]`
  return totalDifference(ours, theirs)
}

/** A bound says only that there are more; where both count exactly they must agree. */
function totalDifference(ours: Answer, theirs: Answer): string | null {
  if (ours.total === null || theirs.total === null) return null
  if (ours.exact === theirs.exact && (!ours.exact || ours.total === theirs.total)) return null
  const shown = ({ total, exact }: Answer): string => `${exact ? '=' : '≥'} ${total}`
  return `total ${shown(ours)} against ${shown(theirs)}`
}

/**
 * How much of the exact ten best an engine with other scores finds, 0–1, as a mean over the queries
 * that match anything. A document that scores as the exact tenth counts, whichever of them it is.
 * @param reference the exact hundred best of the same queries
 */
export function recall(answers: Answers, reference: Answers): number | null {
  let sum = 0
  let count = 0
  for (let i = 0; i < answers.answers.length; i++) {
    const exact = reference.answers[i]
    if (exact === undefined || exact.docs.length === 0) continue
    const wanted = Math.min(10, exact.docs.length)
    const last = exact.keys[wanted - 1]!
    // Bits of positive floats stand in the order of the floats.
    const good = new Set(exact.docs.filter((_, at) => exact.keys[at]! >= last))
    const hits = answers.answers[i]!.docs.filter(doc => good.has(doc)).length
    sum += Math.min(hits, wanted) / wanted
    count++
  }
  return count === 0 ? null : sum / count
}

/** Where an engine's terms differ from what Lamella's analyzer makes of the same documents. */
export function termDifferences(file: string, corpus: PreparedCorpus): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
    const [term, docFreq, totalTermFreq] = line.split('\t') as [string, string, string]
    seen.add(term)
    const counts = corpus.terms.get(term)
    const theirs = `${docFreq}/${totalTermFreq}`
    const ours = counts === undefined ? 'none' : `${counts.docFreq}/${counts.totalTermFreq}`
    if (ours !== theirs) found.push(`${term}: ${ours} against ${theirs}`)
  }
  for (const term of corpus.terms.keys()) if (!seen.has(term)) found.push(`${term}: not there`)
  return found
}
