/**
 * Markup out of a text: tags, comments, scripts and styles go, entities become characters. Tags of blocks
 * leave a line break. Text that only looks like markup stays, as in Lucene's HTMLStripCharFilter.
 */
import { HTML_ENTITIES, LONGEST_ENTITY } from './html-entities.ts'
import { blankEnd, ELEMENT_TAIL, INLINE_TAGS, nameEnd, TAG_TAIL, TagTails } from './html-tags.ts'

/** The construct around the current character: a comment, a script or a quoted text in them. */
type Inside = 'comment' | 'script' | 'scriptComment' | 'style' | 'styleComment' | 'include'

const NEXT_MARKUP = /[<&]/g
/** A pair of references to the halves of one character. */
const SURROGATE_PAIR =
  /#(?:[xX]([dD][89aAbB][0-9a-fA-F]{2})|(5[56]\d{3}));&#(?:[xX]([dD][c-fC-F][0-9a-fA-F]{2})|(5[67]\d{3}));/y
const NUMBER = /[xX][0-9a-fA-F]+|[0-9]+/y

/** Strips one text. */
export class HtmlStripper {
  readonly #text: string
  /** Names of tags that stay, in lower case. */
  readonly #kept: ReadonlySet<string>
  readonly #tails: TagTails
  readonly #onShift: (at: number, difference: number) => void
  readonly #pieces: string[] = []
  #length = 0
  #difference = 0
  #at = 0
  #close = 0

  /**
   * @param kept    names of tags that stay, in lower case
   * @param onShift called wherever the result has another length from then on: with its offset there, and
   *   by how much it is shorter in all
   */
  constructor(
    text: string,
    kept: ReadonlySet<string>,
    onShift: (at: number, difference: number) => void = () => {},
  ) {
    this.#text = text
    this.#kept = kept
    this.#onShift = onShift
    this.#tails = new TagTails(text)
  }

  /** The text without markup. */
  strip(): string {
    const text = this.#text
    while (this.#at < text.length) {
      NEXT_MARKUP.lastIndex = this.#at
      const next = NEXT_MARKUP.exec(text)?.index ?? text.length
      this.#keep(this.#at, next)
      if (next === text.length) break
      this.#at = next
      if (text[next] === '<') this.#tag()
      else this.#reference()
    }
    return this.#pieces.join('')
  }

  /** Leaves a part of the text as it is and goes on behind it. */
  #keep(from: number, to: number): void {
    if (to > from) this.#put(this.#text.slice(from, to))
    this.#at = to
  }

  #put(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  /** Puts something in the place of the text from `from` to `to`, and goes on there. */
  #replace(from: number, to: number, replacement: string): void {
    this.#difference += to - from - replacement.length
    this.#onShift(this.#length + replacement.length, this.#difference)
    if (replacement !== '') this.#put(replacement)
    this.#at = to
  }

  // ---- references -------------------------------------------------------------------------------

  #reference(): void {
    const text = this.#text
    const start = this.#at
    if (text[start + 1] === '#') {
      this.#numericReference(start)
      return
    }
    let end = start + 1
    for (let to = Math.min(text.length, start + 1 + LONGEST_ENTITY); to > start + 1; to--)
      if (HTML_ENTITIES.has(text.slice(start + 1, to))) {
        end = to
        break
      }
    if (end === start + 1) this.#keep(start, end)
    else this.#endReference(start, end, HTML_ENTITIES.get(text.slice(start + 1, end))!)
  }

  #numericReference(start: number): void {
    const text = this.#text
    SURROGATE_PAIR.lastIndex = start + 1
    const pair = SURROGATE_PAIR.exec(text)
    if (pair !== null) {
      const high = unitOf(pair[1], pair[2])
      const low = unitOf(pair[3], pair[4])
      if (high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
        const char = String.fromCharCode(high, low)
        this.#replace(start, start + 1 + pair[0].length, char)
        return
      }
    }
    NUMBER.lastIndex = start + 2
    const number = NUMBER.exec(text)?.[0] ?? ''
    const end = start + 2 + number.length
    const isHex = /^[xX]/.test(number)
    const point = isHex ? Number.parseInt(number.slice(1), 16) : Number(number)
    // More digits than these are no reference to Lucene.
    if (number === '' || number.length > (isHex ? 6 : 7) || point > 0x10ffff) {
      this.#keep(start, end)
      return
    }
    const isHalf = point >= 0xd800 && point < 0xe000
    this.#endReference(start, end, isHalf ? '\ufffd' : String.fromCodePoint(point))
  }

  /** Only what a semicolon or the text's end follows is a reference. */
  #endReference(start: number, end: number, char: string): void {
    if (this.#text[end] === ';') this.#replace(start, end + 1, char)
    else if (end === this.#text.length) this.#replace(start, end, char)
    else this.#keep(start, end)
  }

  // ---- tags -------------------------------------------------------------------------------------

  #tag(): void {
    const text = this.#text
    const start = this.#at
    switch (text[start + 1]) {
      case '!':
        this.#declaration(start)
        return
      case '/':
        this.#endTag(start)
        return
      case '?': {
        const end = this.#nextClose(start + 2)
        const isInstruction = end > start + 2 && /[/?]/.test(text[end - 1]!)
        if (isInstruction) this.#replace(start, end + 1, '')
        else this.#keep(start, start + 1)
        return
      }
      default:
        this.#startTag(start)
    }
  }

  /** The next `>` from a place on, −1 for none; looked for once, however often it is asked for. */
  #nextClose(from: number): number {
    if (this.#close >= 0 && this.#close < from) this.#close = this.#text.indexOf('>', from)
    return this.#close
  }

  #startTag(start: number): void {
    const text = this.#text
    const from = blankEnd(text, start + 1)
    for (const special of ['br', 'script', 'style'] as const) {
      if (text.slice(from, from + special.length).toLowerCase() !== special) continue
      const tailStart = from + special.length
      const end = this.#tails.end(tailStart, special === 'br' ? TAG_TAIL : ELEMENT_TAIL)
      if (end < 0) continue
      if (special === 'br') {
        if (this.#kept.has('br')) this.#keep(start, end)
        else this.#replace(start, end, '\n')
      } else this.#element(start, end, special)
      return
    }
    const end = nameEnd(text, from)
    if (end === from) {
      this.#keep(start, from)
      return
    }
    const name = text.slice(from, end).toLowerCase()
    const isKept = this.#kept.has(name) && !SPECIAL.has(name)
    // The text's end right behind the name counts as the tag's, unless the tag stays anyway.
    if (end === text.length) {
      if (isKept) this.#keep(start, end)
      else this.#replace(start, end, '')
      return
    }
    const tail = this.#tails.end(end, TAG_TAIL)
    if (tail < 0 || isKept) this.#keep(start, tail < 0 ? end : tail)
    else this.#replace(start, tail, INLINE_TAGS.has(name) ? '' : '\n')
  }

  #endTag(start: number): void {
    const text = this.#text
    const from = blankEnd(text, start + 2)
    const end = nameEnd(text, from)
    const name = text.slice(from, end).toLowerCase()
    const close = blankEnd(text, end)
    // The rule for `br` wants the bracket; without it the name is one like others.
    if (text.slice(from, from + 2).toLowerCase() === 'br') {
      const behind = blankEnd(text, from + 2)
      if (text[behind] === '>') {
        if (this.#kept.has('br')) this.#keep(start, behind + 1)
        else this.#replace(start, behind + 1, '\n')
        return
      }
    }
    if (end === from) {
      this.#keep(start, from)
      return
    }
    const isKept = this.#kept.has(name) && !SPECIAL.has(name)
    if (text[close] === '>') {
      if (isKept) this.#keep(start, close + 1)
      else this.#replace(start, close + 1, INLINE_TAGS.has(name) ? '' : '\n')
    } else if (end === text.length && !isKept) this.#replace(start, end, '')
    else this.#keep(start, end)
  }

  /** `<!…>`, a comment or a CDATA section. */
  #declaration(start: number): void {
    const text = this.#text
    if (text.startsWith('--', start + 2)) {
      this.#at = start + 4
      this.#skip(start, 'comment')
    } else if (text.startsWith('[CDATA[', start + 2)) {
      this.#replace(start, start + 9, '')
      const end = text.indexOf(']]>', this.#at)
      this.#keep(this.#at, end < 0 ? text.length : end)
      if (end >= 0) this.#replace(end, end + 3, '')
    } else {
      const end = text.indexOf('>', start + 2)
      if (end < 0) this.#keep(start, text.length)
      else this.#replace(start, end + 1, '')
    }
  }

  /** A script or a style sheet: all that stands in it goes; its tags too, unless they are kept. */
  #element(start: number, contentStart: number, name: 'script' | 'style'): void {
    const isKept = this.#kept.has(name)
    if (isKept) this.#keep(start, contentStart)
    this.#at = contentStart
    this.#skip(isKept ? contentStart : start, name)
  }

  /**
   * Skips from `#at` to the end of a comment, script or style.
   * @param from where what is taken out began
   */
  #skip(from: number, outermost: 'comment' | 'script' | 'style'): void {
    const text = this.#text
    let inside: Inside = outermost
    let restore: Inside = outermost
    let previous: Inside = outermost
    for (let at = this.#at; at < text.length; ) {
      const char = text[at]!
      if ((char === "'" || char === '"') && /Comment$|include/.test(inside)) {
        if (inside === 'include') {
          previous = restore
          restore = 'include'
        } else restore = inside
        at = quotedEnd(text, at)
        if (at > text.length) break
        inside = restore
        restore = previous
        continue
      }
      if (char === '-' && text.startsWith('-->', at)) {
        if (inside === 'comment') {
          this.#replace(from, at + 3, '')
          return
        }
        if (inside === 'include') inside = restore
        else if (inside === 'scriptComment') inside = 'script'
        else if (inside === 'styleComment') inside = 'style'
        else {
          at++
          continue
        }
        at += 3
        continue
      }
      if (char === '<' && inside !== 'include') {
        if (text.startsWith('<!--#', at) && inside !== 'script' && inside !== 'style') {
          restore = inside
          inside = 'include'
          at += 5
          continue
        }
        if (text.startsWith('<!--', at) && (inside === 'script' || inside === 'style')) {
          inside = inside === 'script' ? 'scriptComment' : 'styleComment'
          at += 4
          continue
        }
        if ((inside === 'script' || inside === 'style') && text[at + 1] === '/') {
          const close = closingEnd(text, at, inside)
          if (close > 0) {
            this.#closeElement(from, at, close, inside)
            return
          }
        }
      }
      at++
    }
    // The text ended: nothing of it stays.
    this.#replace(from, text.length, '')
  }

  #closeElement(from: number, at: number, close: number, name: 'script' | 'style'): void {
    if (!this.#kept.has(name)) {
      this.#replace(from, close, '\n')
      return
    }
    this.#replace(from, at, '')
    this.#keep(at, close)
  }
}

/** Whose place in the list of kept tags has no say over tags of unusual form. */
const SPECIAL: ReadonlySet<string> = new Set(['br', 'script', 'style'])

function unitOf(hex: string | undefined, decimal: string | undefined): number {
  return hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
}

/** Behind the quote that ends a text; past the text where none does. A backslash hides the next. */
function quotedEnd(text: string, at: number): number {
  const quote = text[at]
  for (let to = at + 1; to < text.length; to++) {
    if (text[to] === '\\') to++
    else if (text[to] === quote) return to + 1
  }
  return text.length + 1
}

/** Behind `</script>`, blanks allowed in it; −1 where it is something else. */
function closingEnd(text: string, at: number, name: 'script' | 'style'): number {
  const from = blankEnd(text, at + 2)
  if (text.slice(from, from + name.length).toLowerCase() !== name) return -1
  const end = blankEnd(text, from + name.length)
  return text[end] === '>' ? end + 1 : -1
}
