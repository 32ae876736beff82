/**
 * The terms and phrases that `fvh` looks for, as a tree of words: each path down to an end is one of
 * them. Phrases that overlap (`a b`, `b c`) are a longer one (`a b c`), too.
 */
import type { SoughtPhrase } from '../../../../search/query/term-visitor.ts'
import { type FoundTerms, termsLike } from '../found-terms.ts'
import type { SoughtClause } from '../sought.ts'

/** The words so far; an end where they are all of a term or phrase. */
export interface PhraseNode {
  readonly next: Map<string, PhraseNode>
  end: PhraseEnd | null
}

/** A term or phrase that is looked for. */
interface PhraseEnd {
  /** Positions that may lie between two words. */
  readonly slop: number
  readonly weight: number
  /** Which of the terms and phrases it is: they take the tags in turn. */
  readonly ord: number
}

interface Flat {
  readonly words: readonly string[]
  readonly slop: number
  readonly weight: number
}

/** Words of a phrase with alternatives beyond which each is looked for by itself. */
const MAX_ALTERNATIVES = 16

/** Words of phrases beyond which overlaps are not looked for: the time grows with the square. */
const MAX_OVERLAPPED = 2048

/**
 * The tree of a query's clauses. Spans and intervals are none of its phrases.
 * @param found terms of the text: those that patterns and prefixes of words stand for
 */
export function phraseTree(clauses: readonly SoughtClause[], found: FoundTerms): PhraseNode {
  const flats = new Map<string, Flat>()
  const add = (flat: Flat): void => {
    const key = JSON.stringify([flat.words, flat.slop, flat.weight])
    if (!flats.has(key)) flats.set(key, flat)
  }
  for (const clause of clauses) addClause(clause, found, add)
  const all = withOverlaps([...flats.values()])
  const root: PhraseNode = { next: new Map(), end: null }
  for (const [ord, { words, slop, weight }] of all.entries()) {
    let node = root
    for (const word of words) {
      let next = node.next.get(word)
      if (next === undefined) {
        next = { next: new Map(), end: null }
        node.next.set(word, next)
      }
      node = next
    }
    node.end = { slop, weight, ord }
  }
  return root
}

/** Whether a query's tree is the same for every text. */
export function isOneTree(clauses: readonly SoughtClause[]): boolean {
  return clauses.every(
    clause => clause.kind !== 'like' && !(clause.kind === 'phrase' && clause.phrase.isPrefix),
  )
}

function addClause(clause: SoughtClause, found: FoundTerms, add: (flat: Flat) => void): void {
  const { weight } = clause
  const term = (word: string): void => add({ words: [word], slop: 0, weight })
  if (clause.kind === 'term') term(clause.term)
  else if (clause.kind === 'like') for (const word of termsLike(found, clause).sort()) term(word)
  else if (clause.kind === 'phrase') addPhrase(clause.phrase, weight, found, add)
  else if (clause.kind === 'span' && clause.span.kind === 'term') term(clause.span.term)
}

function addPhrase(
  { terms, slop, isPrefix }: SoughtPhrase,
  weight: number,
  found: FoundTerms,
  add: (flat: Flat) => void,
): void {
  const words = terms.map((alternatives, i) => {
    if (!isPrefix || i < terms.length - 1) return alternatives
    return [...found.keys()].filter(word => alternatives.some(each => word.startsWith(each))).sort()
  })
  const isMany = words.some(({ length }) => length > 1)
  if (isMany && words.reduce((sum, { length }) => sum + length, 0) > MAX_ALTERNATIVES) {
    for (const word of words.flat()) add({ words: [word], slop: 0, weight: 1 })
    return
  }
  let paths: (readonly string[])[] = [[]]
  for (const alternatives of words)
    paths = paths.flatMap(path => alternatives.map(word => [...path, word]))
  for (const path of paths)
    if (path.length > 0)
      add({ words: path, slop: path.length === 1 ? 0 : slop, weight: isMany ? 1 : weight })
}

function withOverlaps(flats: readonly Flat[]): readonly Flat[] {
  const phrases = flats.filter(({ words }) => words.length > 1)
  const length = phrases.reduce((sum, { words }) => sum + words.length, 0)
  if (phrases.length < 2 || length > MAX_OVERLAPPED) return flats
  const all: Flat[] = []
  for (const [i, flat] of flats.entries()) {
    all.push(flat)
    if (flat.words.length < 2) continue
    for (const other of flats.slice(i + 1))
      if (other.words.length > 1 && other.slop === flat.slop)
        all.push(...joined(flat, other), ...joined(other, flat))
  }
  return all
}

/** The phrases that begin as one and end as another, which shares its end. */
function joined(first: Flat, second: Flat): readonly Flat[] {
  const phrases: Flat[] = []
  for (let at = 1; at < first.words.length; at++) {
    const shared = first.words.length - at
    if (shared >= second.words.length) continue
    if (first.words.slice(at).some((word, i) => word !== second.words[i])) continue
    const words = [...first.words, ...second.words.slice(shared)]
    phrases.push({ words, slop: first.slop, weight: 1 })
  }
  return phrases
}
