/**
 * Synonyms as side paths of a token graph: a rule's words go from the first matched token's start to
 * the last one's end, over positions of their own.
 */
import { TokenFilter, type TokenState, type TokenStream } from '../token-stream.ts'
import type { SynonymEntry, SynonymMap, SynonymNode } from './synonym-map.ts'

/** Type of tokens that a rule put in. */
export const SYNONYM_TYPE = '<SYNONYM>'

/** A token on its way, between two nodes of the graph that is given. */
interface WaitingToken {
  /** Null for one that a rule puts in. */
  readonly state: TokenState | null
  readonly term: string
  readonly startOffset: number
  readonly endOffset: number
  startNode: number
  endNode: number
}

/** Adds synonyms of several words as paths through a token graph. */
export class SynonymGraphFilter extends TokenFilter {
  readonly #root: SynonymNode
  /** Tokens to give next, then those that were read to see whether a rule goes on. */
  #ready: WaitingToken[] = []
  #lookahead: WaitingToken[] = []
  /** Where the last token read starts, and the last one given. */
  #inputNode = -1
  #outputNode = -1
  /** How many nodes rules have added so far. */
  #addedNodes = 0
  #isFinished = false

  constructor(input: TokenStream, synonyms: SynonymMap) {
    super(input)
    this.#root = synonyms.root
  }

  next(): boolean {
    const { token } = this
    if (this.#ready.length > 0) return this.#giveReady()
    if (this.#isFinished && this.#lookahead.length === 0) return false
    if (!this.#match()) return this.#ready.length > 0 && this.#giveReady()
    // The common way: a token with which no rule starts passes without a copy.
    this.#inputNode += token.positionIncrement
    const start = this.#inputNode + this.#addedNodes
    token.positionIncrement = start - this.#outputNode
    this.#outputNode = start
    return true
  }

  #giveReady(): true {
    const { token } = this
    const waiting = this.#ready.shift()!
    if (waiting.state !== null) token.copyFrom(waiting.state)
    else {
      token.clear()
      token.term = waiting.term
      token.startOffset = waiting.startOffset
      token.endOffset = waiting.endOffset
      token.type = SYNONYM_TYPE
    }
    token.positionIncrement = waiting.startNode - this.#outputNode
    this.#outputNode = waiting.startNode
    token.positionLength = waiting.endNode - waiting.startNode
    return true
  }

  /**
   * Follows the rules from the next token on and makes tokens ready.
   * @returns whether the token at hand is to be given as it is
   */
  #match(): boolean {
    const { token } = this
    const lookahead = this.#lookahead
    let node: SynonymNode = this.#root
    let entry: SynonymEntry | null = null
    let matched = 0
    let lastEndNode = -1
    for (let i = 0; ; i++) {
      if (i === lookahead.length) {
        if (this.#isFinished) break
        if (!this.input.next()) {
          this.#isFinished = true
          break
        }
        if (i === 0 && !node.next.has(token.term)) return true
        lookahead.push(this.#capture())
      }
      const waiting = lookahead[i]!
      // Words of a rule must follow one another: none stacked, none taken out between.
      if (lastEndNode !== -1 && lastEndNode !== waiting.startNode) break
      const next = node.next.get(waiting.term)
      if (next === undefined) break
      lastEndNode = waiting.endNode
      node = next
      if (node.entry !== null) {
        entry = node.entry
        matched = i + 1
      }
      if (node.next.size === 0) break
    }
    if (entry !== null) this.#insert(entry, matched)
    else if (lookahead.length > 0) this.#ready.push(lookahead.shift()!)
    return false
  }

  #capture(): WaitingToken {
    const { token } = this
    this.#inputNode += token.positionIncrement
    const startNode = this.#inputNode + this.#addedNodes
    return {
      state: token.clone(),
      term: token.term,
      startOffset: token.startOffset,
      endOffset: token.endOffset,
      startNode,
      endNode: startNode + token.positionLength,
    }
  }

  /** Lays the paths of a rule beside the matched tokens and makes all of them ready. */
  #insert(entry: SynonymEntry, matched: number): void {
    const lookahead = this.#lookahead
    const first = lookahead[0]!
    const { startNode, startOffset } = first
    const { endNode, endOffset } = lookahead[matched - 1]!
    const inputLength = endNode - startNode
    const paths: WaitingToken[][] = []
    // Each word behind the first of its path takes a node of its own.
    let inner = 0
    for (const words of entry.outputs)
      paths.push(
        words.map((term, i) => {
          const start = i === 0 ? startNode : startNode + ++inner
          const end = i === 0 ? startNode + inner + 1 : start + 1
          return { state: null, term, startOffset, endOffset, startNode: start, endNode: end }
        }),
      )
    const originals = lookahead.splice(0, matched)
    if (entry.keepsOriginal) {
      for (const [i, original] of originals.entries()) {
        if (i > 0) original.startNode += inner
        original.endNode += inner
      }
      paths.push(originals)
      inner += inputLength - 1
    }
    const added = inner - (inputLength - 1)
    this.#addedNodes += added
    for (const waiting of lookahead) {
      waiting.startNode += added
      waiting.endNode += added
    }
    for (const path of paths) {
      path[path.length - 1]!.endNode = startNode + inner + 1
      this.#ready.push(path[0]!)
    }
    for (const path of paths) for (let i = 1; i < path.length; i++) this.#ready.push(path[i]!)
  }

  override reset(): void {
    super.reset()
    this.#ready = []
    this.#lookahead = []
    this.#inputNode = -1
    this.#outputNode = -1
    this.#addedNodes = 0
    this.#isFinished = false
  }
}
