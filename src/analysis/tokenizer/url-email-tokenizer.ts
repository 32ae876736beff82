/** The standard tokenizer that keeps URLs and mail addresses whole, as Lucene's UAX29URLEmail. */
import { DEAD, START } from '../../util/automaton/automaton.ts'
import { MAX_TOKEN_LENGTH } from './byte-tokenizer.ts'
import { TOKEN_TYPES } from './generated/word-break-data.ts'
import { StandardTokenizer } from './standard-tokenizer.ts'
import {
  EMAIL_RULE,
  HOST_RULE,
  MAILTO_RULE,
  URL_RULE,
  urlEmailGrammar,
} from './url-email-grammar.ts'

/** Characters that must not follow a host that stands alone. */
const WORD = /^[-\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u

/** Tokenizer `uax_url_email`. */
export class UrlEmailTokenizer extends StandardTokenizer {
  readonly #grammar = urlEmailGrammar()
  /** Ends of the longest matches at the place last looked at; −1 where there is none. */
  #url = -1
  #mailto = -1
  #email = -1
  /** A host that something may stand behind, one that runs into a word, one at the very end. */
  #host = -1
  #badHost = -1
  #lastHost = -1

  constructor(maxTokenLength: number = MAX_TOKEN_LENGTH) {
    super(maxTokenLength)
  }

  override reset(): void {
    super.reset()
    this.#grammar.trim()
  }

  override next(): boolean {
    const { text } = this
    let isBad = false
    while (this.at < text.length) {
      const start = this.at
      const most = Math.min(text.length, start + this.maxTokenLength)
      this.#match(start, most)
      const hasWord = this.run(start, most)
      // The longest wins, what follows a host counted in; of equal ones the first of these.
      const lengths = [
        this.#url,
        this.#host < 0 ? -1 : this.#host + 1,
        isBad ? -1 : this.#lastHost,
        isBad || this.#badHost < 0 ? -1 : this.#badHost + 1,
        this.#mailto,
        this.#email,
        hasWord ? this.tokenEnd : -1,
      ]
      let best = 0
      for (let i = 1; i < lengths.length; i++) if (lengths[i]! > lengths[best]!) best = i
      if (lengths[best]! < 0) {
        this.at += text.codePointAt(start)! > 0xffff ? 2 : 1
        continue
      }
      switch (best) {
        case 0:
          return this.take(start, this.#url, '<URL>')
        case 1:
          return this.take(start, this.#host, '<URL>')
        case 2:
          return this.take(start, this.#lastHost, '<URL>')
        case 3:
          isBad = true
          continue
        case 4:
          return this.take(start, start + 'mailto'.length, '<ALPHANUM>')
        case 5:
          return this.take(start, this.#email, '<EMAIL>')
        default:
          return this.take(start, this.tokenEnd, TOKEN_TYPES[this.type]!)
      }
    }
    return false
  }

  /** A run may be a part of what this keeps whole. */
  override takeUnits(): boolean {
    return false
  }

  #match(start: number, most: number): void {
    const { text } = this
    const grammar = this.#grammar
    this.#url = -1
    this.#mailto = -1
    this.#email = -1
    this.#host = -1
    this.#badHost = -1
    this.#lastHost = -1
    let state = START
    for (let at = start; at < most; ) {
      // The grammar is of ASCII.
      state = grammar.step(state, text.charCodeAt(at))
      if (state === DEAD) return
      at++
      const rules = grammar.accepts(state)
      if (rules === 0) continue
      if ((rules & URL_RULE) !== 0) this.#url = at
      if ((rules & MAILTO_RULE) !== 0) this.#mailto = at
      if ((rules & EMAIL_RULE) !== 0) this.#email = at
      if ((rules & HOST_RULE) === 0) continue
      if (at === most) this.#lastHost = at
      else if (WORD.test(String.fromCodePoint(text.codePointAt(at)!))) this.#badHost = at
      else this.#host = at
    }
  }
}
