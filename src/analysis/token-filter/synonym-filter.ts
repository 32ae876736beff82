/**
 * Synonyms without a graph: a rule's words are stacked on the matched tokens, word k on the kth
 * position, and beyond the last one onto what follows.
 */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'
import { SYNONYM_TYPE } from './synonym-graph-filter.ts'
import type { SynonymEntry, SynonymMap, SynonymNode } from './synonym-map.ts'

/** A word that a rule puts in. */
interface Output {
  readonly term: string
  /** −1 for that of the token at its position. */
  readonly endOffset: number
  readonly positionLength: number
}

/** A position ahead: the token there, if one was read, and what rules put there. */
class Slot {
  readonly state = new TokenState()
  /** Whether `state` holds the token; else it is the one at hand. */
  isCaptured = false
  isConsumed = true
  keepsOriginal = false
  isMatched = false
  startOffset = 0
  endOffset = 0
  outputs: Output[] = []
  /** Of the next output: 0 behind a token or another output. */
  positionIncrement = 1

  clearInput(): void {
    this.isCaptured = false
    this.isConsumed = true
    this.keepsOriginal = false
    this.isMatched = false
  }
}

/** Adds the synonyms of single and joined tokens, flattened. */
export class SynonymFilter extends TokenFilter {
  readonly #root: SynonymNode
  /** A ring; the longest side of a rule, and one more. */
  readonly #slots: readonly Slot[]
  #read = 0
  #write = 0
  /** How many slots are matched already or are to pass. */
  #skips = 0
  #isFinished = false
  #lastStartOffset = 0
  #lastEndOffset = 0

  constructor(input: TokenStream, synonyms: SynonymMap) {
    super(input)
    this.#root = synonyms.root
    this.#slots = Array.from({ length: synonyms.longest + 1 }, () => new Slot())
  }

  next(): boolean {
    for (;;) {
      while (this.#skips > 0) if (this.#giveFromSlot()) return true
      if (this.#isFinished && this.#read === this.#write) return this.#giveBehindEnd()
      this.#match()
    }
  }

  /** Gives the token or the next output of the slot to read; moves on when it has no more. */
  #giveFromSlot(): boolean {
    const { token } = this
    const slot = this.#slots[this.#read]!
    if (!slot.isConsumed && (slot.keepsOriginal || !slot.isMatched)) {
      if (slot.isCaptured) token.copyFrom(slot.state)
      slot.clearInput()
      if (slot.outputs.length > 0) slot.positionIncrement = 0
      else this.#moveOn()
      return true
    }
    slot.clearInput()
    const output = slot.outputs.shift()
    if (output === undefined) {
      this.#moveOn()
      return false
    }
    this.#give(output, slot)
    token.startOffset = slot.startOffset
    token.endOffset = output.endOffset < 0 ? slot.endOffset : output.endOffset
    token.positionLength = output.positionLength
    if (slot.outputs.length === 0) this.#moveOn()
    return true
  }

  /** Words of a rule may reach beyond the last token. */
  #giveBehindEnd(): boolean {
    const slot = this.#slots[this.#read]!
    const output = slot.outputs.shift()
    if (output === undefined) return false
    slot.clearInput()
    this.#give(output, slot)
    this.token.startOffset = this.#lastStartOffset
    this.token.endOffset = this.#lastEndOffset
    if (slot.outputs.length === 0) this.#write = this.#read = this.#after(this.#read)
    return true
  }

  #give(output: Output, slot: Slot): void {
    const { token } = this
    token.clear()
    token.term = output.term
    token.type = SYNONYM_TYPE
    token.positionIncrement = slot.positionIncrement
    slot.positionIncrement = slot.outputs.length === 0 ? 1 : 0
  }

  #moveOn(): void {
    this.#read = this.#after(this.#read)
    this.#skips--
  }

  #after(index: number): number {
    return index + 1 === this.#slots.length ? 0 : index + 1
  }

  /** Reads on as long as a rule may match, and lays out what the longest match says. */
  #match(): void {
    const { token } = this
    const slots = this.#slots
    let node: SynonymNode = this.#root
    let entry: SynonymEntry | null = null
    let matched = 0
    let matchEndOffset = -1
    let at = this.#read
    for (let count = 1; ; count++) {
      let term: string
      let endOffset: number
      if (at === this.#write) {
        if (this.#isFinished) break
        if (!this.input.next()) {
          this.#isFinished = true
          break
        }
        term = token.term
        const slot = slots[this.#write]!
        this.#lastStartOffset = slot.startOffset = token.startOffset
        this.#lastEndOffset = slot.endOffset = endOffset = token.endOffset
        if (this.#read !== this.#write) this.#capture()
        else slot.isConsumed = false
      } else {
        const slot = slots[at]!
        term = slot.state.term
        endOffset = slot.endOffset
      }
      const next = node.next.get(term)
      if (next === undefined) break
      node = next
      if (node.entry !== null) {
        entry = node.entry
        matched = count
        matchEndOffset = endOffset
      }
      if (node.next.size === 0) break
      if (this.#read === this.#write) this.#capture()
      at = this.#after(at)
    }
    if (this.#read === this.#write && !this.#isFinished) this.#write = this.#after(this.#write)
    if (entry !== null) {
      this.#skips = matched
      this.#layOut(entry, matched, matchEndOffset)
    } else if (this.#read !== this.#write) this.#skips = 1
  }

  #capture(): void {
    const slot = this.#slots[this.#write]!
    slot.state.copyFrom(this.token)
    slot.isCaptured = true
    slot.isConsumed = false
    this.#write = this.#after(this.#write)
  }

  #layOut(entry: SynonymEntry, matched: number, matchEndOffset: number): void {
    for (const words of entry.outputs) {
      // One word covers all that it stands for; of several none can say where it ends.
      const isSingle = words.length === 1
      const endOffset = isSingle ? matchEndOffset : -1
      const positionLength = isSingle && entry.keepsOriginal ? matched : 1
      let at = this.#read
      for (const term of words) {
        this.#slots[at]!.outputs.push({ term, endOffset, positionLength })
        at = this.#after(at)
      }
    }
    for (let i = 0, at = this.#read; i < matched; i++, at = this.#after(at)) {
      const slot = this.#slots[at]!
      slot.keepsOriginal ||= entry.keepsOriginal
      slot.isMatched = true
    }
  }

  override reset(): void {
    super.reset()
    for (const slot of this.#slots) {
      slot.clearInput()
      slot.outputs = []
      slot.positionIncrement = 1
    }
    this.#read = 0
    this.#write = 0
    this.#skips = 0
    this.#isFinished = false
  }
}
