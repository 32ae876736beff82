/** Bit sets of a leaf's documents in its scratch: filters and exclusions combined. */
import type { TermState } from '../../codec/terms/format.ts'
import type { DocList, KeptSet } from '../../segment/kept-sets.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { CollectSpec, LeafPart } from '../collector/collect-spec.ts'
import { leadIterator, membership } from '../scorer/scorer.ts'
import { MASK_OF_STEPS } from '../weight/add-postings.ts'
import type { ScorerContext } from '../weight/scorer-context.ts'
import { walkTerms } from '../weight/term-walk.ts'
import type { Expansion, LeafStates, Weight } from '../weight/weight.ts'
import type { BoxWeight, MultiTermWeight, WeightNode } from '../weight/weight-node.ts'
import { scorerSupplier, WEIGHT_OPS } from '../weight/weight-ops.ts'
import { bitsBytes } from './bulk-scratch.ts'
import { type CursorMaker, UNSCORED } from './cursor-maker.ts'
import { keptFilter } from './kept-filter.ts'
import { CURSOR_BYTES } from './plan-record.ts'
import { orPointSet } from './point-sets.ts'
import { setCost } from './set-cost.ts'

export const NO_STATES: LeafStates = { terms: [], expansions: [] }
/** Min documents of a leaf for each one that is looked up. */
const DOCS_PER_LEAD = 512
/** Postings or points that are noted while one document is looked up. */
export const ENTRIES_OF_LOOK_UP = 64

/** A term that the leaf has. */
interface TermOfLeaf {
  readonly field: string
  readonly state: TermState
}

/**
 * Makes the bit sets of one part of a leaf: documents in [from, to); bits outside are undefined.
 */
export class DocumentSets {
  readonly #leaf: Leaf
  readonly #cursors: CursorMaker
  readonly #contextOf: (weight: Weight) => ScorerContext
  #contexts: Map<Weight, ScorerContext> | null = null
  readonly #part: LeafPart
  /** The part's byte range of a set: its documents, rounded out to 128. */
  readonly #start: number
  readonly #bytes: number
  /** Two sets in scratch, each made on first use. */
  #first = -1
  #second = -1
  /** Address of the documents accepted so far: 0 all, `#first`, or a cached read-only set. */
  #admitted = 0
  /** The cached set that was found last. */
  #kept: KeptSet | null = null
  /** A cursor shared by the sets, one after another. */
  #borrowed = -1

  /** @param contextOf the scorer context of a weight's nodes */
  constructor(
    leaf: Leaf,
    cursors: CursorMaker,
    part: LeafPart,
    contextOf: (weight: Weight) => ScorerContext,
  ) {
    this.#leaf = leaf
    this.#cursors = cursors
    this.#part = part
    this.#contextOf = contextOf
    this.#start = 16 * (part.minDoc >>> 7)
    this.#bytes = bitsBytes(part.maxDoc) - this.#start
  }

  /**
   * The accepted documents: in every filter, the post filter included, in no prohibited set, and
   * live. At least one of these sets exists.
   * @param terms filter terms that the leaf has
   * @param leads terms of which every match has one: where their documents are few, these are looked up in what would
   *              take long to note
   * @returns the bits' address; 0: all documents, −1: none
   */
  accepted(
    search: { readonly weight: Weight; readonly spec: CollectSpec },
    shape: { readonly filters: readonly WeightNode[]; readonly prohibited: readonly WeightNode[] },
    terms: readonly TermOfLeaf[],
    leads: readonly TermOfLeaf[],
  ): number {
    const { weight, spec } = search
    const { filters, prohibited } = shape
    const { kernels, record } = this.#leaf
    const live = Math.max(record.liveDocs, 0)
    const { postFilter } = spec
    for (const { field, state } of terms) this.#admit(this.#setOfTerm(field, state))
    const few = leads.reduce((sum, { state }) => sum + state.docFreq, 0)
    const looksUp = (node: WeightNode): boolean =>
      few > 0 && few * DOCS_PER_LEAD <= this.#leaf.maxDoc && this.#isCostly(node, weight, few)
    if (filters.some(looksUp) || prohibited.some(looksUp)) this.#admit(this.#setOfTerms(leads))
    for (const node of filters) {
      const kept = this.#keptSet(node)
      if (kept < 0 && looksUp(node)) this.#keepMatching(node, weight, few, true)
      else if (!this.#admit(kept < 0 ? this.#madeSet(node, weight) : kept)) return -1
    }
    if (postFilter !== null && !this.#admit(this.#setOf(postFilter.root, postFilter))) return -1
    for (const node of prohibited) {
      const kept = this.#keptSet(node)
      if (kept < 0 && looksUp(node)) {
        this.#keepMatching(node, weight, few, false)
        continue
      }
      this.#own()
      const set = kept < 0 ? this.#madeSet(node, weight) : kept
      const from = this.#start
      if (set >= 0) kernels.andNotBits(this.#first + from, set + from, this.#bytes)
    }
    if (live !== 0) {
      this.#own()
      kernels.andBits(this.#first + this.#start, live + this.#start, this.#bytes - 64)
    }
    return this.#admitted
  }

  /** The accepted documents as a list, where they are one cached set that has one. */
  get list(): DocList | null {
    return this.#kept?.start === this.#admitted ? this.#kept.list : null
  }

  /** The documents of a node, possibly a cached read-only set; −1: none. */
  of(node: WeightNode, weight: Weight): number {
    const kept = this.#keptSet(node)
    if (kept >= 0) return kept
    const bits = this.#leaf.scratch.allocate(bitsBytes(this.#leaf.maxDoc))
    this.#leaf.kernels.fillBits(bits + this.#start, this.#bytes, 0)
    if (!this.#fill(bits, node, weight)) return -1
    this.#offer(node, bits)
    return bits
  }

  /** Sets the bits of a node's documents in an empty set of the caller's. */
  note(bits: number, node: WeightNode, weight: Weight): void {
    this.#fill(bits, node, weight)
  }

  /** The set of a node: cached, or made in scratch that is free; −1: none. */
  #setOf(node: WeightNode, weight: Weight): number {
    const kept = this.#keptSet(node)
    return kept < 0 ? this.#madeSet(node, weight) : kept
  }

  #madeSet(node: WeightNode, weight: Weight): number {
    if (node.kind === 'term') {
      const state = weight.leaves[this.#part.leafOrd]?.terms[node.termId] ?? null
      return state === null ? -1 : this.#setOfTerm(node.field, state)
    }
    const bits = this.#empty()
    if (!this.#fill(bits, node, weight)) return -1
    this.#offer(node, bits)
    return bits
  }

  #setOfTerm(field: string, state: TermState): number {
    const held = this.#cursors.bitsOf(field, state)
    if (held !== 0) return held
    const bits = this.#empty()
    this.#orTerm(bits, field, state)
    return bits
  }

  #setOfTerms(terms: readonly TermOfLeaf[]): number {
    const [only] = terms
    if (terms.length === 1) return this.#setOfTerm(only!.field, only!.state)
    const bits = this.#empty()
    for (const { field, state } of terms) this.#orTerm(bits, field, state)
    return bits
  }

  /** Whether to note a node's documents takes longer than to look so many up in it. */
  #isCostly(node: WeightNode, weight: Weight, few: number): boolean {
    const states = weight.leaves[this.#part.leafOrd] ?? NO_STATES
    return setCost(node, states, this.#leaf) > ENTRIES_OF_LOOK_UP * few
  }

  /**
   * Looks the accepted documents up in a node, and keeps those that match it, or the others.
   * @param most of them
   */
  #keepMatching(node: WeightNode, weight: Weight, most: number, wants: boolean): void {
    this.#own()
    const { kernels, scratch, views } = this.#leaf
    const { minDoc, maxDoc } = this.#part
    const context = this.#contextFor(weight)
    const mark = scratch.mark()
    // Listing writes two documents past the last one.
    const list = scratch.allocate(4 * most + 8)
    const from = this.#first + this.#start
    const count = kernels.listBits(from, this.#bytes - 64, 8 * this.#start, list)
    const scorer = scorerSupplier(node, context)?.get(count) ?? null
    const matches = scorer === null ? () => false : membership(scorer)
    const words = views.i32
    for (let i = 0; i < count; i++) {
      const doc = words[(list >> 2) + i]!
      if (doc < minDoc || doc >= maxDoc || matches(doc) === wants) continue
      const word = (this.#first >> 2) + (doc >>> 5)
      words[word] = words[word]! & ~(1 << (doc & 31))
    }
    context.watch.spend(count)
    scratch.release(mark)
  }

  #keptSet(node: WeightNode): number {
    const { keptSets } = this.#leaf
    const filter = keptSets === null ? null : keptFilter(node)
    const kept = filter === null ? null : keptSets!.find(filter.key)
    if (kept === null) return -1
    this.#kept = kept
    return kept.start
  }

  #offer(node: WeightNode, bits: number): void {
    const { keptSets, maxDoc } = this.#leaf
    const part = this.#part
    if (keptSets === null || part.minDoc > 0 || part.maxDoc < maxDoc) return
    const filter = keptFilter(node)
    if (filter !== null) keptSets.offer(filter.key, filter.minUses, bits, this.#bytes)
  }

  /** An empty set, beside the accepted one. */
  #empty(): number {
    const { kernels } = this.#leaf
    const isFirst = this.#first < 0 || this.#admitted !== this.#first
    if (isFirst && this.#first < 0) this.#first = this.#allocate()
    if (!isFirst && this.#second < 0) this.#second = this.#allocate()
    const target = isFirst ? this.#first : this.#second
    kernels.fillBits(target + this.#start, this.#bytes, 0)
    return target
  }

  #allocate(): number {
    return this.#leaf.scratch.allocate(bitsBytes(this.#leaf.maxDoc))
  }

  /** Intersects the accepted documents with a set; false when it is empty. */
  #admit(set: number): boolean {
    if (set < 0) return false
    const { kernels } = this.#leaf
    const from = this.#start
    const before = this.#admitted
    if (before === 0) {
      this.#admitted = set
      return true
    }
    if (set === this.#first) {
      kernels.andBits(set + from, before + from, this.#bytes)
      this.#admitted = set
      return true
    }
    this.#own()
    kernels.andBits(this.#first + from, set + from, this.#bytes)
    return true
  }

  /**
   * Copies the accepted documents into `#first` unless they are there, so that they may be written.
   */
  #own(): void {
    const { kernels, views } = this.#leaf
    if (this.#first < 0) this.#first = this.#allocate()
    const before = this.#admitted
    if (before === this.#first) return
    const from = this.#start
    if (before === 0) kernels.fillBits(this.#first + from, this.#bytes, 255)
    else views.u8.copyWithin(this.#first + from, before + from, before + from + this.#bytes)
    this.#admitted = this.#first
  }

  /** Sets the bits of a node's documents; false when the leaf has none. */
  #fill(bits: number, node: WeightNode, weight: Weight): boolean {
    const states = weight.leaves[this.#part.leafOrd] ?? NO_STATES
    const plan = WEIGHT_OPS.documentSet(node, states, this.#leaf)
    switch (plan.kind) {
      case 'all':
        this.#leaf.kernels.fillBits(bits + this.#start, this.#bytes, 255)
        return true
      case 'terms':
        for (const state of plan.states) this.#orTerm(bits, plan.field, state)
        return plan.states.length > 0
      case 'ranges':
        return this.#orRanges(bits, plan.node, states.expansions[plan.node.expansionId], weight)
      case 'points':
        orPointSet(this.#leaf, this.#part, plan.node, bits)
        return true
      case 'boxes':
        return this.#orBox(bits, plan.node, weight)
      case 'union':
        return this.#orAll(bits, plan.nodes, weight)
      case 'presence':
        this.#leaf.kernels.orBits(bits + this.#start, plan.at + this.#start, this.#bytes - 64)
        return true
      case 'iterators':
        return this.#iterate(bits, plan.node, weight)
    }
  }

  /** Sets the bits of the documents of all nodes. */
  #orAll(bits: number, nodes: readonly WeightNode[], weight: Weight): boolean {
    let hasAny = false
    for (const node of nodes) {
      const kept = this.#keptSet(node)
      if (kept >= 0)
        this.#leaf.kernels.orBits(bits + this.#start, kept + this.#start, this.#bytes - 64)
      hasAny = kept >= 0 || this.#fill(bits, node, weight) || hasAny
    }
    return hasAny
  }

  /** Walks dictionary ranges that hold too many terms to list. */
  #orRanges(
    bits: number,
    { field }: MultiTermWeight,
    expansion: Expansion | undefined,
    weight: Weight,
  ): boolean {
    const leaf = this.#leaf
    if (expansion === undefined || leaf.terms(field) === null) return false
    const { watch } = this.#contextFor(weight)
    const { minDoc, maxDoc } = this.#part
    const mark = leaf.scratch.mark()
    const cursor = leaf.scratch.allocate(CURSOR_BYTES)
    this.#cursors.documents(cursor, field)
    const target = { bits, minDoc, maxDoc, cursor }
    walkTerms(leaf, field, expansion.ranges, target, (count, postings) =>
      watch.spend(STEPS_PER_TERM * count + (postings >> 2)),
    )
    leaf.scratch.release(mark)
    return true
  }

  #orBox(bits: number, { field, lower, upper }: BoxWeight, weight: Weight): boolean {
    const boxes = this.#leaf.boxes(field)
    if (boxes === null) return false
    const { watch } = this.#contextFor(weight)
    const words = this.#leaf.views.i32
    let steps = 0
    boxes.intersect(lower, upper, doc => {
      setBit(words, bits, doc)
      if ((++steps & MASK_OF_STEPS) === 0) watch.spend(MASK_OF_STEPS)
    })
    return steps > 0
  }

  #orTerm(bits: number, field: string, state: TermState): void {
    const { minDoc, maxDoc } = this.#part
    const { scratch, kernels, views } = this.#leaf
    if (state.singleDoc >= 0) {
      setBit(views.i32, bits, state.singleDoc)
      return
    }
    if (state.firstBlock < 0) {
      const reader = this.#leaf.postingsReader(field)
      const at = reader.tailOf(state)
      kernels.orTail(at, state.docFreq, reader.hasFreqs ? 1 : 0, bits, maxDoc)
      return
    }
    const held = this.#cursors.bitsOf(field, state)
    if (held !== 0) {
      kernels.orBits(bits + this.#start, held + this.#start, this.#bytes - 64)
      return
    }
    if (this.#borrowed < 0) this.#borrowed = scratch.allocate(CURSOR_BYTES)
    const mark = scratch.mark()
    this.#cursors.term(this.#borrowed, field, state, UNSCORED, 0)
    kernels.rewindAndOr(this.#borrowed, bits, minDoc, maxDoc)
    scratch.release(mark)
  }

  #contextFor(weight: Weight): ScorerContext {
    this.#contexts ??= new Map()
    let context = this.#contexts.get(weight)
    if (context === undefined) {
      context = this.#contextOf(weight)
      this.#contexts.set(weight, context)
    }
    return context
  }

  /** Any other node: by its iterators. */
  #iterate(bits: number, node: WeightNode, weight: Weight): boolean {
    const { scratch, views } = this.#leaf
    const { minDoc, maxDoc } = this.#part
    const context = this.#contextFor(weight)
    const mark = scratch.mark()
    const scorer = scorerSupplier(node, context)?.get(Number.MAX_SAFE_INTEGER) ?? null
    if (scorer === null) return false
    const check = scorer.twoPhase()
    const iterator = leadIterator(scorer)
    for (let doc = iterator.advance(minDoc); doc < maxDoc; doc = iterator.nextDoc()) {
      context.watch.spend(1)
      if (check === null || check.matches()) setBit(views.i32, bits, doc)
    }
    scratch.release(mark)
    return true
  }
}

/** Cost of opening a term's postings, in iterator steps. */
const STEPS_PER_TERM = 8

function setBit(words: Int32Array, bits: number, doc: number): void {
  const word = (bits >> 2) + (doc >>> 5)
  words[word] = words[word]! | (1 << (doc & 31))
}
