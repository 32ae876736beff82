import type { Markup } from './marked-text.ts'
import type { Cutter } from './plain-cutters.ts'
import type { WeightedTerms } from './weighted-terms.ts'

/** A part of a value, with its tags. */
export interface Fragment {
  text: string
  /** Weights of the different terms in it, float32. */
  score: number
  readonly ord: number
}

/** Tokens that overlap, which one pair of tags surrounds. */
interface TokenGroup {
  count: number
  start: number
  end: number
  /** Bounds of those that match. */
  matchStart: number
  matchEnd: number
  score: number
}

/** Tokens of a group; what overlaps beyond them is not looked at. */
const MAX_GROUP = 50

function newGroup(): TokenGroup {
  return { count: 0, start: 0, end: 0, matchStart: 0, matchEnd: 0, score: 0 }
}

/** Writes a value of `plain` token by token, and cuts it into fragments. */
export class FragmentWriter {
  readonly #text: string
  readonly #markup: Markup
  readonly #cutter: Cutter
  readonly #terms: WeightedTerms
  readonly #fragments: Fragment[] = [{ text: '', score: 0, ord: 0 }]
  #seen = new Set<string>()
  #group = newGroup()
  #position = -1
  /** Text up to here is written. */
  #written = 0

  constructor(text: string, markup: Markup, cutter: Cutter, terms: WeightedTerms) {
    this.#text = text
    this.#markup = markup
    this.#cutter = cutter
    this.#terms = terms
  }

  token(term: string, increment: number, start: number, end: number): void {
    const group = this.#group
    if (group.count > 0 && start >= group.end) {
      this.#flush()
      if (this.#cutter.isNewFragment(term, increment, end)) {
        this.#fragments.push({ text: '', score: 0, ord: this.#fragments.length })
        this.#seen = new Set()
      }
    }
    this.#add(start, Math.min(end, this.#text.length), this.#scoreOf(term, increment))
  }

  finish(): readonly Fragment[] {
    if (this.#group.count > 0) this.#flush()
    if (this.#written < this.#text.length)
      this.#fragments.at(-1)!.text += this.#markup.encode(this.#text.slice(this.#written))
    return this.#fragments
  }

  #scoreOf(term: string, increment: number): number {
    this.#position += increment
    const weighted = this.#terms.get(term)
    if (weighted === undefined) return 0
    const position = this.#position
    const isAnywhere = !weighted.isInSpans
    if (!isAnywhere && !weighted.spans.some(spans => spans.covers(position))) return 0
    if (!this.#seen.has(term)) {
      this.#seen.add(term)
      const fragment = this.#fragments.at(-1)!
      fragment.score = Math.fround(fragment.score + weighted.weight)
    }
    return weighted.weight
  }

  #add(start: number, end: number, score: number): void {
    const group = this.#group
    if (group.count === MAX_GROUP) return
    if (group.count === 0) {
      group.start = group.matchStart = start
      group.end = group.matchEnd = end
      group.score = score
    } else {
      group.start = Math.min(group.start, start)
      group.end = Math.max(group.end, end)
      if (score > 0) {
        if (group.score === 0) {
          group.matchStart = start
          group.matchEnd = end
        } else {
          group.matchStart = Math.min(group.matchStart, start)
          group.matchEnd = Math.max(group.matchEnd, end)
        }
        group.score = Math.fround(group.score + score)
      }
    }
    group.count++
  }

  /** Writes the group and the text ahead of it. */
  #flush(): void {
    const { matchStart, matchEnd, score } = this.#group
    const { preTag, postTag, encode } = this.#markup
    const fragment = this.#fragments.at(-1)!
    if (matchStart > this.#written)
      fragment.text += encode(this.#text.slice(this.#written, matchStart))
    const token = encode(this.#text.slice(matchStart, matchEnd))
    fragment.text += score > 0 ? preTag + token + postTag : token
    this.#written = Math.max(matchEnd, this.#written)
    this.#group = newGroup()
  }
}
