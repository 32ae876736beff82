/**
 * Walks entries of ranges from the best score down. A heap holds nodes of the maxima with the best score
 * that an entry below them may have; the best one is taken, and replaced by its children. Entries come
 * out in order of their scores, equal ones in order of their numbers.
 */
import { COMPLETIONS_FANOUT } from './format.ts'
import type { CompletionCursor, CompletionsReader } from './reader.ts'

/** A range of entries, and what their weights become. */
export interface ScoredRange {
  readonly start: number
  readonly end: number
  /** The score of a weight; it never falls where the weight rises. */
  readonly scoreOf: (weight: number) => number
}

/** Level of an entry by itself. */
const ENTRY = -1

/** The entries of ranges, best first. */
export class BestFirst {
  readonly #reader: CompletionsReader
  readonly #ranges: readonly ScoredRange[]
  readonly #cursor: CompletionCursor
  /** The heap, in parallel arrays: score, number of the first entry, level, ord of the range. */
  readonly #scores: number[] = []
  readonly #firsts: number[] = []
  readonly #levels: number[] = []
  readonly #owners: number[] = []
  /** Entries below a node of each level. */
  readonly #spans: readonly number[]
  /** Of the entry at which the walk stands. */
  entry = -1
  score = 0
  /** Ord of its range. */
  range = -1

  /** @param ranges disjoint */
  constructor(reader: CompletionsReader, ranges: readonly ScoredRange[]) {
    this.#reader = reader
    this.#ranges = ranges
    this.#cursor = reader.cursor()
    this.#spans = Array.from(
      { length: reader.levelCount },
      (_, level) => COMPLETIONS_FANOUT ** (level + 1),
    )
    for (let ord = 0; ord < ranges.length; ord++) this.#addRange(ord)
  }

  /** Moves to the next best entry; false when there is none. */
  next(): boolean {
    while (this.#scores.length > 0) {
      const score = this.#scores[0]!
      const first = this.#firsts[0]!
      const level = this.#levels[0]!
      const owner = this.#owners[0]!
      this.#removeTop()
      if (level === ENTRY) {
        this.entry = first
        this.score = score
        this.range = owner
        return true
      }
      if (level === 0) this.#addEntries(first, first + COMPLETIONS_FANOUT, owner)
      else this.#addChildren(first, level, owner)
    }
    return false
  }

  #addRange(owner: number): void {
    const { start, end } = this.#ranges[owner]!
    if (start >= end) return
    const firstBlock = Math.ceil(start / COMPLETIONS_FANOUT)
    const isToTheEnd = end === this.#reader.count
    const endBlock = isToTheEnd ? this.#reader.blockCount : Math.floor(end / COMPLETIONS_FANOUT)
    if (firstBlock >= endBlock) {
      this.#addEntries(start, end, owner)
      return
    }
    this.#addEntries(start, firstBlock * COMPLETIONS_FANOUT, owner)
    this.#addEntries(endBlock * COMPLETIONS_FANOUT, end, owner)
    // Whole blocks, by the largest nodes that hold nothing else.
    for (let block = firstBlock; block < endBlock; ) {
      let level = 0
      let span = 1
      while (level + 1 < this.#reader.levelCount) {
        const wider = span * COMPLETIONS_FANOUT
        if (block % wider !== 0) break
        const node = block / wider
        const isLast = isToTheEnd && node + 1 === this.#reader.levelSize(level + 1)
        if (block + wider > endBlock && !isLast) break
        span = wider
        level++
      }
      this.#addNode(block / span, level, owner)
      block += span
    }
  }

  #addChildren(first: number, level: number, owner: number): void {
    const below = level - 1
    const node = first / this.#spans[below]!
    const end = Math.min(node + COMPLETIONS_FANOUT, this.#reader.levelSize(below))
    for (let child = node; child < end; child++) this.#addNode(child, below, owner)
  }

  #addNode(node: number, level: number, owner: number): void {
    const score = this.#ranges[owner]!.scoreOf(this.#reader.maxWeight(level, node))
    this.#add(score, node * this.#spans[level]!, level, owner)
  }

  #addEntries(start: number, end: number, owner: number): void {
    const last = Math.min(end, this.#reader.count)
    for (let entry = start; entry < last; entry++) {
      this.#cursor.moveTo(entry)
      this.#add(this.#ranges[owner]!.scoreOf(this.#cursor.weight), entry, ENTRY, owner)
    }
  }

  #add(score: number, first: number, level: number, owner: number): void {
    let at = this.#scores.length
    this.#scores.push(score)
    this.#firsts.push(first)
    this.#levels.push(level)
    this.#owners.push(owner)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(score, first, parent)) break
      this.#move(parent, at)
      at = parent
    }
    this.#set(at, score, first, level, owner)
  }

  #removeTop(): void {
    const score = this.#scores.pop()!
    const first = this.#firsts.pop()!
    const level = this.#levels.pop()!
    const owner = this.#owners.pop()!
    const count = this.#scores.length
    if (count === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      if (
        child + 1 < count &&
        this.#isBefore(this.#scores[child + 1]!, this.#firsts[child + 1]!, child)
      )
        child++
      if (this.#isBefore(score, first, child)) break
      this.#move(child, at)
      at = child
    }
    this.#set(at, score, first, level, owner)
  }

  /** Whether an item comes out before the one at an index of the heap. */
  #isBefore(score: number, first: number, other: number): boolean {
    const otherScore = this.#scores[other]!
    return score === otherScore ? first < this.#firsts[other]! : score > otherScore
  }

  #move(from: number, to: number): void {
    this.#set(
      to,
      this.#scores[from]!,
      this.#firsts[from]!,
      this.#levels[from]!,
      this.#owners[from]!,
    )
  }

  #set(at: number, score: number, first: number, level: number, owner: number): void {
    this.#scores[at] = score
    this.#firsts[at] = first
    this.#levels[at] = level
    this.#owners[at] = owner
  }
}
