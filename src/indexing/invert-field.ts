import { LongColumn } from '../codec/doc-values/long-column.ts'
import { NO_NORM_CODE } from '../codec/norms/format.ts'
import { encodeLength } from '../codec/norms/length-code.ts'
import { type FieldPostings, PostingsWriter } from '../codec/postings/writer.ts'
import { BitSet } from '../util/bit-set.ts'
import type { BufferMemory } from './buffer-memory.ts'
import { DictionaryWriter } from './dictionary-writer.ts'
import type { FieldBuffer } from './field-buffer.ts'
import type { FieldSections, NumericColumn } from './field-sections.ts'
import { sortedTerms, type TermBytes } from './term-order.ts'

/** Terms that are written between two checks of whether to go on. */
const TERMS_BETWEEN_CHECKS = 1024

/** A field's postings and statistics. */
export interface Inverted {
  readonly postings: FieldPostings
  readonly termDocCount: number
  readonly averageLength: number
  readonly norms: FieldSections['norms']
  readonly ordinals: NumericColumn | null
}

/** Ints per term during inversion, so that a token touches one cache line. */
const STATE = 4
/**
 * Last document plus one; documents; tokens. In the second walk: write offsets of documents and
 * tokens.
 */
const SEEN = 0
const DOCS = 1
const TOKENS = 2

/**
 * Inverts a field's tokens into postings by term, in two walks over its log: one counts, one writes
 * every document and position at its offset.
 * @param goOn called every few milliseconds; throws to abandon it
 */
export function invertField(
  memory: BufferMemory,
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  maxDoc: number,
  goOn: () => void,
): Inverted {
  const { terms } = field.tokens
  return memory.withInts(STATE * terms.count, states => {
    const counts = countTokens(field, entries, docOfSlot, states)
    const { termDocCount, tokenCount, pairCount } = counts
    const docFreqs = Int32Array.from({ length: terms.count }, (_, i) => states[STATE * i + DOCS]!)
    goOn()
    const order = sortedTerms(terms, docFreqs)
    goOn()
    const ordinals = field.hasOrdinals ? ordinalColumn(field, entries, docOfSlot, order) : null
    if (field.indexOptions === 'none') {
      const postings = dictionary(field, order, docFreqs, pairCount)
      return { postings, termDocCount, averageLength: 0, norms: null, ordinals }
    }
    // Without frequencies a document counts once for each of its terms.
    const sumTotalTermFreq = field.indexOptions === 'docs' ? pairCount : tokenCount
    const averageLength = termDocCount === 0 ? 0 : Math.fround(sumTotalTermFreq / termDocCount)
    const norms = field.hasNorms ? norm(field, entries, docOfSlot, maxDoc) : null
    const writer = new PostingsWriter({
      hasFreqs: field.indexOptions !== 'docs',
      hasPositions: field.hasPositions,
      norms: norms?.codes ?? null,
      averageLength,
    })
    startOffsets(states, order)
    const positionStart = field.indexOptions === 'docs' ? pairCount : 2 * pairCount
    memory.withInts(positionStart + (field.hasPositions ? tokenCount : 0), ints => {
      const postings: SortedPostings = {
        docs: ints.subarray(0, pairCount),
        freqs: positionStart === pairCount ? null : ints.subarray(pairCount, 2 * pairCount),
        positions: field.hasPositions ? ints.subarray(positionStart) : null,
      }
      goOn()
      writeTokens(field, entries, docOfSlot, states, postings)
      writeTerms(writer, terms, order, states, postings, goOn)
    })
    return { postings: writer.finish(), termDocCount, averageLength, norms, ordinals }
  })
}

interface TokenCounts {
  readonly termDocCount: number
  readonly tokenCount: number
  /** Sum of document frequencies. */
  readonly pairCount: number
}

/** First walk: document and token counts of each term. */
function countTokens(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  states: Int32Array,
): TokenCounts {
  const { log } = field.tokens
  const { docs, logStarts, docCount, hasPositions } = field
  let termDocCount = 0
  let tokenCount = 0
  let pairCount = 0
  for (const entry of entries) {
    const seen = docOfSlot[docs[entry]!]! + 1
    const end = entry + 1 < docCount ? logStarts[entry + 1]! : log.length
    const before = tokenCount
    let freq = 1
    for (let at = logStarts[entry]!; at < end; at++) {
      const term = log[at]!
      if (term < 0) {
        if (!hasPositions) freq = -1 - term
        continue
      }
      tokenCount += freq
      freq = 1
      const state = STATE * term
      states[state + TOKENS] = states[state + TOKENS]! + 1
      if (states[state + SEEN] !== seen) {
        states[state + SEEN] = seen
        states[state + DOCS] = states[state + DOCS]! + 1
        pairCount++
      }
    }
    if (tokenCount > before) termDocCount++
  }
  return { termDocCount, tokenCount, pairCount }
}

/** Turns counts into start offsets of each term's documents and tokens. */
function startOffsets(states: Int32Array, order: Int32Array): void {
  let pairs = 0
  let tokens = 0
  for (const term of order) {
    const state = STATE * term
    const docs = states[state + DOCS]!
    const count = states[state + TOKENS]!
    states[state + SEEN] = 0
    states[state + DOCS] = pairs
    states[state + TOKENS] = tokens
    pairs += docs
    tokens += count
  }
}

/** Postings by term and document; null for columns that the field does not keep. */
interface SortedPostings {
  readonly docs: Int32Array
  readonly freqs: Int32Array | null
  readonly positions: Int32Array | null
}

/** Second walk: writes each term's documents, frequencies and positions at their offsets. */
function writeTokens(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  states: Int32Array,
  { docs, freqs, positions }: SortedPostings,
): void {
  const { log } = field.tokens
  const { docs: slots, logStarts, docCount, hasPositions } = field
  for (const entry of entries) {
    const doc = docOfSlot[slots[entry]!]!
    const end = entry + 1 < docCount ? logStarts[entry + 1]! : log.length
    let position = -1
    // To the next position, or the next token's frequency.
    let increment = 1
    for (let at = logStarts[entry]!; at < end; at++) {
      const term = log[at]!
      if (term < 0) {
        increment = -1 - term
        continue
      }
      const state = STATE * term
      let pair = states[state + DOCS]!
      if (states[state + SEEN] !== doc + 1) {
        states[state + SEEN] = doc + 1
        docs[pair] = doc
        states[state + DOCS] = ++pair
      }
      if (freqs !== null) freqs[pair - 1] = freqs[pair - 1]! + (hasPositions ? 1 : increment)
      if (positions !== null) {
        position += increment
        const offset = states[state + TOKENS]!
        positions[offset] = position
        states[state + TOKENS] = offset + 1
      }
      increment = 1
    }
  }
}

/** Each term's range ends at its write offset, where the next term's begins. */
function writeTerms(
  writer: PostingsWriter,
  { bytes, offsets }: TermBytes,
  order: Int32Array,
  states: Int32Array,
  { docs, freqs, positions }: SortedPostings,
  goOn: () => void,
): void {
  let from = 0
  let positionsFrom = 0
  let written = 0
  for (const term of order) {
    if (++written % TERMS_BETWEEN_CHECKS === 0) goOn()
    const end = states[STATE * term + DOCS]!
    const start = offsets[term]!
    writer.addTerm(
      bytes,
      start,
      offsets[term + 1]!,
      docs,
      freqs,
      from,
      end,
      positions,
      positionsFrom,
    )
    from = end
    positionsFrom = states[STATE * term + TOKENS]!
  }
}

/** A dictionary for ordinals alone. */
function dictionary(
  field: FieldBuffer,
  order: Int32Array,
  docFreqs: Int32Array,
  sumDocFreq: number,
): FieldPostings {
  const { bytes, offsets } = field.tokens.terms
  const writer = new DictionaryWriter()
  for (const term of order) writer.add(bytes, offsets[term]!, offsets[term + 1]!, docFreqs[term]!)
  return writer.finish(sumDocFreq)
}

function norm(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  maxDoc: number,
): FieldSections['norms'] {
  const codes = new Uint8Array(maxDoc)
  const isEvery = entries.length === maxDoc && field.normedCount >= field.docCount
  const present = isEvery ? null : new BitSet(maxDoc)
  for (const entry of entries) {
    const doc = docOfSlot[field.docs[entry]!]!
    if (entry >= field.normedCount) {
      codes[doc] = NO_NORM_CODE
      continue
    }
    codes[doc] = encodeLength(field.lengths[entry]!)
    present?.add(doc)
  }
  return { codes, present }
}

function ordinalColumn(
  field: FieldBuffer,
  entries: Int32Array,
  docOfSlot: Int32Array,
  order: Int32Array,
): NumericColumn | null {
  const { log, terms } = field.tokens
  const ordOf = new Int32Array(terms.count)
  for (const [ord, term] of order.entries()) ordOf[term] = ord
  const docs = new Int32Array(log.length)
  const values = new LongColumn(Math.max(log.length, 1))
  let ords = new Int32Array(16)
  for (const entry of entries) {
    const doc = docOfSlot[field.docs[entry]!]!
    const start = field.logStarts[entry]!
    const end = entry + 1 < field.docCount ? field.logStarts[entry + 1]! : log.length
    const count = end - start
    if (count > ords.length) ords = new Int32Array(count * 2)
    for (let i = 0; i < count; i++) ords[i] = ordOf[log[start + i]!]!
    if (count > 1) ords.subarray(0, count).sort()
    for (let i = 0; i < count; i++) {
      if (i > 0 && ords[i] === ords[i - 1]) continue
      docs[values.length] = doc
      values.push(0, ords[i]!)
    }
  }
  return values.length === 0 ? null : { docs, values, count: values.length }
}
