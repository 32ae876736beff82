/**
 * `plain`: each value is analysed anew and cut into fragments of about a size; the best are those
 * with the most different terms. As Lucene's first highlighter.
 */
import { IllegalArgumentError } from '../../../util/errors.ts'
import { type FieldAnalyzer, tokensOf } from './field-tokens.ts'
import type { FieldToHighlight, Highlighter, MatchedField } from './highlighter.ts'
import { checkLength } from './length-limit.ts'
import type { Markup } from './marked-text.ts'
import { type WeightedTerms, weightedTerms } from './weighted-terms.ts'

/** A part of a value, with its tags. */
interface Fragment {
  text: string
  /** Weights of the different terms in it, float32. */
  score: number
  readonly ord: number
}

/** See the file's header. */
export const plainHighlighter: Highlighter = {
  matchedFields: 'ignored',
  readsPositions: false,
  make(field) {
    const { options, matched } = field
    const own = matched.at(-1)!
    const { numberOfFragments, maxAnalyzerOffset } = options
    const fragmenter = fragmenterOf(field)
    return (document, given) => {
      if (given.length === 0) return null
      const fragments: Fragment[] = []
      for (const value of given) {
        checkLength(field, value.length, document)
        const text = maxAnalyzerOffset === null ? value : value.slice(0, maxAnalyzerOffset)
        const best = bestFragments(
          text,
          own,
          field.markup,
          fragmenter,
          Math.max(1, numberOfFragments),
        )
        for (const fragment of best) if (fragment.score > 0) fragments.push(fragment)
      }
      if (options.isByScore) fragments.sort((a, b) => Math.round(b.score - a.score))
      const isAll = numberOfFragments === 0 && given.length > 1
      const shown = isAll ? fragments : fragments.slice(0, Math.max(1, numberOfFragments))
      if (shown.length > 0) return shown.map(({ text }) => text)
      const end = noMatchEnd(given[0]!, options.noMatchSize, own.by)
      return end > 0 ? [given[0]!.slice(0, end)] : null
    }
  },
}

/** The state of cutting one value. */
interface Cutter {
  /** Whether a token begins a fragment, asked for each that stands behind another. */
  isNewFragment(term: string, increment: number, end: number): boolean
}

type MakeCutter = (text: string, terms: WeightedTerms) => Cutter

/** @throws {IllegalArgumentError} no such fragmenter */
function fragmenterOf({ name, options }: FieldToHighlight): MakeCutter {
  const { fragmenter, fragmentSize: size, numberOfFragments } = options
  if (numberOfFragments === 0) return () => ({ isNewFragment: () => false })
  if (fragmenter === 'simple') return () => new SizeCutter(size)
  if (fragmenter === null || fragmenter === 'span')
    return (text, terms) => new SpanCutter(size, text.length, terms)
  throw new IllegalArgumentError(
    `unknown fragmenter option [${fragmenter}] for the field [${name}]`,
  )
}

/** Cuts wherever a size is reached. */
class SizeCutter implements Cutter {
  readonly #size: number
  #count = 1

  constructor(size: number) {
    this.#size = size
  }

  isNewFragment(_term: string, _increment: number, end: number): boolean {
    const is = end >= this.#size * this.#count
    if (is) this.#count++
    return is
  }
}

/** The same, but neither within a phrase nor near the text's end. */
class SpanCutter implements Cutter {
  readonly #size: number
  readonly #length: number
  readonly #terms: WeightedTerms
  #count = 1
  #position = -1
  /** The position behind the span that is under way; −1: none is. */
  #spanEnd = -1

  constructor(size: number, length: number, terms: WeightedTerms) {
    this.#size = size
    this.#length = length
    this.#terms = terms
  }

  isNewFragment(term: string, increment: number, end: number): boolean {
    this.#position += increment
    if (this.#spanEnd <= this.#position) this.#spanEnd = -1
    else if (this.#spanEnd !== -1) return false
    const span = this.#terms.get(term)?.spans.find(({ start }) => start === this.#position)
    if (span !== undefined) this.#spanEnd = span.end
    const is = end >= this.#size * this.#count && this.#length - end >= this.#size >>> 1
    if (is) this.#count++
    return is
  }
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

/** The best fragments of a value, from the best down. */
function bestFragments(
  text: string,
  { sought, by }: MatchedField,
  markup: Markup,
  fragmenter: MakeCutter,
  count: number,
): readonly Fragment[] {
  const terms = weightedTerms(sought, tokensOf([text], by, sought, Number.POSITIVE_INFINITY))
  if (terms.size === 0) return []
  const writer = new FragmentWriter(text, markup, fragmenter(text, terms), terms)
  if (by === null) writer.token(text, 1, 0, text.length)
  else {
    const stream = by.analyzer.stream(text)
    const { token } = stream
    while (stream.next())
      writer.token(token.term, token.positionIncrement, token.startOffset, token.endOffset)
  }
  const fragments = writer.finish()
  return [...fragments].sort((a, b) => b.score - a.score || a.ord - b.ord).slice(0, count)
}

/** Writes a value token by token. */
class FragmentWriter {
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
    if (
      !isAnywhere &&
      !weighted.spans.some(({ start, end }) => position >= start && position < end)
    )
      return 0
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

/** Where the beginning of a text ends that is shown without a match: behind a token; −1: nowhere. */
function noMatchEnd(text: string, size: number, by: FieldAnalyzer | null): number {
  if (size <= 0) return -1
  if (by === null) return text.length <= size ? text.length : -1
  const stream = by.analyzer.stream(text)
  let end = -1
  while (stream.next()) {
    const { endOffset } = stream.token
    if (endOffset >= size) return endOffset === size ? size : end
    end = endOffset
  }
  return end
}
