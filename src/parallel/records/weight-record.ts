/**
 * A weight as a word record: the part that slices read; each kind of node encodes its own words.
 */

import type { Expansion, LeafStates, Weight } from '../../search/weight/weight.ts'
import { WEIGHT_OPS } from '../../search/weight/weight-ops.ts'
import type { WordReader, WordWriter } from '../../util/word-record.ts'

type TermState = NonNullable<LeafStates['terms'][number]>

/** Appends the part of a weight that slices read. */
export function writeWeight(to: WordWriter, weight: Weight): void {
  WEIGHT_OPS.writeRecord(to, weight.root)
  to.list(weight.leaves, writeStates)
  to.number(weight.openPostings)
  to.number(weight.cost)
  to.flag(weight.hasScripts)
}

/** The weight without profile entries and section uses. */
export function readWeight(from: WordReader): Weight {
  return {
    root: WEIGHT_OPS.readRecord(from),
    nodes: [],
    leaves: from.list(readStates),
    sections: [],
    openPostings: from.number(),
    cost: from.number(),
    hasScripts: from.flag(),
  }
}

function writeStates(to: WordWriter, { terms, expansions }: LeafStates): void {
  to.list(terms, writeState)
  to.list(expansions, writeExpansion)
}

function readStates(from: WordReader): LeafStates {
  return { terms: from.list(readState), expansions: from.list(readExpansion) }
}

function writeExpansion(to: WordWriter, { states, ranges, postings }: Expansion): void {
  to.number(postings)
  to.flag(states !== null)
  if (states !== null) to.list(states, writeState)
  else to.bytes(new Uint8Array(ranges.buffer, ranges.byteOffset, ranges.byteLength))
}

function readExpansion(from: WordReader): Expansion {
  const postings = from.number()
  if (from.flag())
    return { states: from.list(each => readState(each)!), ranges: NO_RANGES, postings }
  return { states: null, ranges: new Int32Array(from.bytes().slice().buffer), postings }
}

const NO_RANGES = new Int32Array(0)

/** A term that the leaf lacks is one word, its document frequency of 0. */
function writeState(to: WordWriter, state: TermState | null): void {
  if (state === null) {
    to.number(0)
    return
  }
  to.number(state.docFreq)
  to.number(state.totalTermFreq)
  to.number(state.impact)
  to.number(state.firstBlock)
  to.number(state.singleDoc)
  to.number(state.tailAt)
  to.number(state.positionsAt)
  to.number(state.positionsWidth)
}

function readState(from: WordReader): TermState | null {
  const docFreq = from.number()
  if (docFreq === 0) return null
  return {
    docFreq,
    totalTermFreq: from.number(),
    impact: from.number(),
    firstBlock: from.number(),
    singleDoc: from.number(),
    tailAt: from.number(),
    positionsAt: from.number(),
    positionsWidth: from.number(),
  }
}
