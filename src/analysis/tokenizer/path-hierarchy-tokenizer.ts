/** The folders on the way to a path, or the domains on the way down to a host. */
import { Tokenizer } from '../token-stream.ts'

/** How paths are cut. */
export interface PathOptions {
  /** One UTF-16 unit each. */
  readonly delimiter: string
  readonly replacement: string
  /** Parts at the start, or with `reverse` at the end, that are left out. */
  readonly skip: number
}

/** Tokenizer `path_hierarchy`: `/a/b` gives `/a` and, stacked on it, `/a/b`. */
export class PathHierarchyTokenizer extends Tokenizer {
  readonly #options: PathOptions
  #replaced = ''
  /** Where every token starts; where the one given last ends, −1 before the first. */
  #start = 0
  #end = -1

  constructor(options: PathOptions) {
    super()
    this.#options = options
  }

  reset(): void {
    const { delimiter, replacement, skip } = this.#options
    const { text } = this
    this.#replaced =
      delimiter === replacement ? text : text.replaceAll(delimiter, () => replacement)
    this.#end = -1
    // A part ends where the next delimiter stands; a delimiter at the very start begins the first.
    this.#start = 0
    for (let i = 0; i < skip && this.#start < text.length; i++) {
      const next = text.indexOf(delimiter, this.#start + 1)
      this.#start = next < 0 ? text.length : next
    }
  }

  next(): boolean {
    const { text } = this
    const from = this.#end < 0 ? this.#start : this.#end
    if (from >= text.length) return false
    const next = text.indexOf(this.#options.delimiter, from + 1)
    const end = next < 0 ? text.length : next
    const { token } = this
    token.clear()
    token.positionIncrement = this.#end < 0 ? 1 : 0
    token.term = this.#replaced.slice(this.#start, end)
    token.startOffset = this.correctOffset(this.#start)
    token.endOffset = this.correctOffset(end)
    this.#end = end
    return true
  }
}

/** With `reverse`: `a.b.c` cut at `.` gives `a.b.c`, `b.c` and `c`, all at one position. */
export class ReversePathHierarchyTokenizer extends Tokenizer {
  readonly #options: PathOptions
  #replaced = ''
  /** Where tokens start, and the text's end; all tokens end at `#end`. */
  #starts: readonly number[] = []
  #end = 0
  #given = 0

  constructor(options: PathOptions) {
    super()
    this.#options = options
  }

  reset(): void {
    const { delimiter, replacement, skip } = this.#options
    const { text } = this
    this.#replaced =
      delimiter === replacement ? text : text.replaceAll(delimiter, () => replacement)
    const starts = [0]
    for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1))
      starts.push(at + 1)
    if (starts.at(-1)! < text.length) starts.push(text.length)
    this.#starts = starts
    this.#end = starts[starts.length - 1 - skip] ?? 0
    this.#given = 0
  }

  next(): boolean {
    if (this.#given >= this.#starts.length - 1 - this.#options.skip) return false
    const start = this.#starts[this.#given]!
    const { token } = this
    token.clear()
    token.positionIncrement = this.#given === 0 ? 1 : 0
    token.term = this.#replaced.slice(start, this.#end)
    token.startOffset = this.correctOffset(start)
    token.endOffset = this.correctOffset(this.#end)
    this.#given++
    return true
  }
}
