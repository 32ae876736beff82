/** Sets of a leaf's documents as bits in its scratch: what filters admit and what queries exclude. */
import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Leaf, LeafRecord } from '../../segment/leaf.ts'
import { leadIterator } from '../scorer/scorer.ts'
import type { ScorerContext } from '../scorer/scorer-context.ts'
import { scorerSupplier } from '../scorer/scorer-supplier.ts'
import type { LeafStates, WeightNode } from '../weight/weight.ts'
import { bitsBytes } from './bulk-scratch.ts'
import { type CursorMaker, UNSCORED } from './cursor-maker.ts'
import { CURSOR_BYTES } from './plan-record.ts'

/** Makes the sets of one part of a leaf: documents in [from, to); bits outside may be anything. */
export class DocumentSets {
  readonly #leaf: Leaf
  readonly #cursors: CursorMaker
  readonly #context: ScorerContext
  readonly #from: number
  readonly #to: number
  readonly #bytes: number
  /** A cursor that sets borrow one after another. */
  #borrowed = -1

  constructor(
    context: ScorerContext,
    cursors: CursorMaker,
    part: { readonly minDoc: number; readonly maxDoc: number },
  ) {
    this.#leaf = context.leaf
    this.#context = context
    this.#cursors = cursors
    this.#from = part.minDoc
    this.#to = part.maxDoc
    this.#bytes = bitsBytes(this.#leaf.maxDoc)
  }

  /**
   * The documents that may match: in every filter, in no prohibited set, and live.
   * @param filters each with the context that knows its terms
   * @returns the bits' address; 0: all may, −1: none
   */
  accepted(filters: readonly SetNode[], prohibited: readonly SetNode[]): number {
    const live = liveBits(this.#leaf.record)
    if (filters.length === 0 && prohibited.length === 0) return live
    const { kernels } = this.#leaf
    const bits = this.#leaf.scratch.allocate(this.#bytes)
    let isFirst = true
    let other = -1
    const next = (): number => {
      if (isFirst) return bits
      if (other < 0) other = this.#leaf.scratch.allocate(this.#bytes)
      return other
    }
    for (const { node, context } of filters) {
      const target = next()
      kernels.fillBits(target, this.#bytes, 0)
      if (!this.#fill(target, node, context)) return -1
      if (!isFirst) kernels.andBits(bits, target, this.#bytes)
      isFirst = false
    }
    if (isFirst) kernels.fillBits(bits, this.#bytes, 255)
    isFirst = false
    for (const { node, context } of prohibited) {
      const target = next()
      kernels.fillBits(target, this.#bytes, 0)
      if (this.#fill(target, node, context)) kernels.andNotBits(bits, target, this.#bytes)
    }
    if (live !== 0) kernels.andBits(bits, live, 16 * ((this.#leaf.maxDoc + 127) >>> 7))
    return bits
  }

  /** The documents of a node; −1: none. */
  of(node: WeightNode): number {
    const bits = this.#leaf.scratch.allocate(this.#bytes)
    this.#leaf.kernels.fillBits(bits, this.#bytes, 0)
    return this.#fill(bits, node, this.#context) ? bits : -1
  }

  /** Sets the bits of a node's documents; false where the leaf has none. */
  #fill(bits: number, node: WeightNode, context: ScorerContext): boolean {
    const inner = node.kind === 'constant' ? node.child : node
    if (inner.kind === 'term') {
      const state = context.states.terms[inner.termId] ?? null
      if (state === null) return false
      this.#orTerm(bits, inner.field, state)
      return true
    }
    if (inner.kind === 'all') {
      this.#leaf.kernels.fillBits(bits, this.#bytes, 255)
      return true
    }
    const states = inner.kind === 'multiTerm' ? context.states.expansions[inner.expansionId] : null
    if (inner.kind === 'multiTerm' && states !== undefined && states !== null) {
      for (const state of states) this.#orTerm(bits, inner.field, state)
      return states.length > 0
    }
    return this.#iterate(bits, inner, context)
  }

  #orTerm(bits: number, field: string, state: LeafStates['terms'][number] & object): void {
    const { scratch, kernels } = this.#leaf
    if (this.#borrowed < 0) this.#borrowed = scratch.allocate(CURSOR_BYTES)
    const mark = scratch.mark()
    this.#cursors.term(this.#borrowed, field, state, UNSCORED)
    kernels.rewindAndOr(this.#borrowed, bits, this.#from, this.#to)
    scratch.release(mark)
  }

  /** Whatever else: the iterators say. */
  #iterate(bits: number, node: WeightNode, context: ScorerContext): boolean {
    const { scratch, views } = this.#leaf
    const mark = scratch.mark()
    const scorer = scorerSupplier(node, context)?.get(Number.MAX_SAFE_INTEGER) ?? null
    if (scorer === null) return false
    const check = scorer.twoPhase()
    const iterator = leadIterator(scorer)
    const words = views.i32
    const first = bits >> 2
    const end = Math.min(this.#to, NO_MORE_DOCS)
    for (let doc = iterator.advance(this.#from); doc < end; doc = iterator.nextDoc()) {
      context.watch.spend(1)
      if (check !== null && !check.matches()) continue
      const word = first + (doc >>> 5)
      words[word] = words[word]! | (1 << (doc & 31))
    }
    scratch.release(mark)
    return true
  }
}

/** A node with what its terms were looked up for. */
export interface SetNode {
  readonly node: WeightNode
  readonly context: ScorerContext
}

function liveBits(record: LeafRecord): number {
  return Math.max(record.liveDocs, 0)
}
