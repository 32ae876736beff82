/** Terms and phrases of a text, the longest at each word, none of which overlap. */
import type { Turn } from '../../../../util/turns.ts'
import type { Reading } from '../../fetch-part.ts'
import type { FoundTerms, Occurrence } from '../found-terms.ts'
import type { PhraseNode } from './phrase-tree.ts'

/** A stretch of a text. */
export interface Stretch {
  readonly start: number
  end: number
}

/** A term or phrase of a text. */
export interface PhraseMatch {
  /** Words with nothing between them are one stretch. */
  stretches: Stretch[]
  /** Float32. */
  weight: number
  readonly ord: number
}

/** A token, in a ring with those at its position. */
interface Word extends Occurrence {
  readonly term: string
  next: Word
}

/** Words between two looks at the clock; one takes about a microsecond. */
const WORDS_PER_LOOK = 256

/**
 * The matches of a text in its order.
 * @param limit max number of matches
 */
export function* phraseMatches(
  root: PhraseNode,
  found: FoundTerms,
  limit: number,
  turn: Turn,
): Reading<readonly PhraseMatch[]> {
  const matches = new DistinctMatches()
  const stack = (yield* wordsOf(found, root, turn)).reverse()
  for (let count = 1; stack.length > 0 && matches.all.length < limit; count++) {
    if (count % WORDS_PER_LOOK === 0 && turn.isOver(WORDS_PER_LOOK)) yield
    const step = stepTo(root, stack.pop()!)
    if (step === null) continue
    let { node, word } = step
    const words = [word]
    for (;;) {
      const top = stack.pop()
      const next = top === undefined ? null : stepTo(node, top)
      if (next !== null) {
        ;({ node, word } = next)
        words.push(word)
        continue
      }
      if (top !== undefined) stack.push(top)
      takeLongest(root, node, words, stack, matches)
      break
    }
  }
  return matches.all
}

/** Takes the words, or as many from the first on as are something; others go back. */
function takeLongest(
  root: PhraseNode,
  last: PhraseNode,
  words: Word[],
  stack: Word[],
  matches: DistinctMatches,
): void {
  let node: PhraseNode | null = last
  while (node === null || !isMatch(node, words)) {
    if (words.length === 1) return
    stack.push(words.pop()!)
    node = nodeOf(root, words)
  }
  const { weight, ord } = node.end!
  matches.add({ stretches: stretchesOf(words), weight, ord })
}

/** Matches in the order in which they are found; one that overlaps another adds its weight to that. */
class DistinctMatches {
  readonly all: PhraseMatch[] = []
  /** No match ends behind it. */
  #end = 0

  add(match: PhraseMatch): void {
    // Mostly they follow one another.
    const before =
      startOf(match) >= this.#end ? undefined : this.all.find(each => overlaps(each, match))
    if (before === undefined) {
      this.all.push(match)
      this.#end = Math.max(this.#end, endOf(match))
    } else before.weight = Math.fround(before.weight + match.weight)
  }
}

function nodeOf(root: PhraseNode, words: readonly Word[]): PhraseNode | null {
  let node = root
  for (const { term } of words) {
    const next = node.next.get(term)
    if (next === undefined) return null
    node = next
  }
  return node
}

function isMatch({ end }: PhraseNode, words: readonly Word[]): boolean {
  if (end === null) return false
  return words.every(
    ({ position }, i) => i === 0 || Math.abs(position - words[i - 1]!.position - 1) <= end.slop,
  )
}

/** The first of the words at a position that goes on from a node; null: none does. */
function stepTo(from: PhraseNode, top: Word): { node: PhraseNode; word: Word } | null {
  let word = top
  do {
    const node = from.next.get(word.term)
    if (node !== undefined) return { node, word }
    word = word.next
  } while (word !== top)
  return null
}

function stretchesOf(words: readonly Word[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const [i, { position, start, end }] of words.entries()) {
    const last = stretches.at(-1)
    if (last !== undefined && position - words[i - 1]!.position === 1) last.end = end
    else stretches.push({ start, end })
  }
  return stretches
}

/** Where a match begins. */
export function startOf({ stretches }: PhraseMatch): number {
  return stretches[0]!.start
}

/** Where a match ends. */
export function endOf({ stretches }: PhraseMatch): number {
  return stretches.at(-1)!.end
}

function overlaps(a: PhraseMatch, b: PhraseMatch): boolean {
  const [aStart, aEnd, bStart, bEnd] = [startOf(a), endOf(a), startOf(b), endOf(b)]
  return (
    (aStart <= bStart && bStart < aEnd) ||
    (aStart < bEnd && bEnd <= aEnd) ||
    (bStart <= aStart && aStart < bEnd) ||
    (bStart < aEnd && aEnd <= bEnd)
  )
}

/** The first word at each position, in order, with the others of the position behind it. */
function* wordsOf(found: FoundTerms, root: PhraseNode, turn: Turn): Reading<Word[]> {
  const sought = new Set<string>()
  const nodes = [root]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop())
    for (const [term, next] of node.next) {
      sought.add(term)
      nodes.push(next)
    }
  const words: Word[] = []
  for (const term of [...found.keys()].sort())
    if (sought.has(term))
      for (const { position, start, end } of found.get(term)!) {
        const word = { position, start, end, term } as Word
        word.next = word
        if (words.push(word) % WORDS_PER_LOOK === 0 && turn.isOver(WORDS_PER_LOOK)) yield
      }
  words.sort((a, b) => a.position - b.position)
  const firsts: Word[] = []
  let last: Word | null = null
  for (const [i, word] of words.entries()) {
    if (i % WORDS_PER_LOOK === 0 && turn.isOver(WORDS_PER_LOOK)) yield
    if (last !== null && last.position === word.position) {
      word.next = last.next
      last.next = word
    } else firsts.push(word)
    last = word
  }
  return firsts
}

/** Matches of several fields in one order; those that touch are one. */
export function mergedMatches(lists: readonly (readonly PhraseMatch[])[]): readonly PhraseMatch[] {
  const sorted = lists
    .flat()
    .sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b) || a.weight - b.weight)
  const merged: PhraseMatch[] = []
  let group: PhraseMatch[] = []
  let groupEnd = -1
  const close = (): void => {
    if (group.length > 0) merged.push(group.length === 1 ? group[0]! : oneOf(group))
  }
  for (const match of sorted) {
    if (group.length > 0 && startOf(match) <= groupEnd) group.push(match)
    else {
      close()
      group = [match]
      groupEnd = -1
    }
    groupEnd = Math.max(groupEnd, endOf(match))
  }
  close()
  return merged
}

function oneOf(group: readonly PhraseMatch[]): PhraseMatch {
  const sorted = group
    .flatMap(({ stretches }) => stretches)
    .sort((a, b) => a.start - b.start || a.end - b.end)
  const stretches: Stretch[] = []
  for (const { start, end } of sorted) {
    const last = stretches.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else stretches.push({ start, end })
  }
  const weight = group.reduce((sum, each) => Math.fround(sum + each.weight), 0)
  return { stretches, weight, ord: group[0]!.ord }
}
