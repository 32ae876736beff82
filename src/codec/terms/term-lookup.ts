/** Term look-ups in a dictionary; `format.ts` draws its section. */
import type { ArenaViews } from '../../store/arena.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { runBytes } from '../positions/writer.ts'
import { BLOCK_DOCS, HAS_FREQS, HAS_IMPACTS, HAS_POSITIONS } from '../postings/format.ts'
import type { Section } from '../section.ts'
import { GROUP_TERMS, HAS_POSTINGS, INDEX_ENTRY_BYTES, type TermState } from './format.ts'

/** The part of a dictionary's header that a look-up needs. */
export interface LookupPlan {
  readonly section: Section
  readonly flags: number
  readonly termCount: number
  readonly groupCount: number
  /** Address of the group index. */
  readonly index: number
  /** Inverse norms at the field's own average length, for the impacts of singletons. */
  readonly inverse: Float32Array
}

/** The kernel interface of look-ups. */
export interface LookupKernel {
  lookUpTerm(record: number): number
  /** Allocates bytes at a multiple of 64, until they are freed; −1: no room. */
  take(bytes: number): number
  giveBack(at: number): void
}

/**
 * The kernel's record as word indices, as in `kernels/assembly/term-lookup.ts`; the term follows
 * it.
 */
const RECORD = {
  index: 0,
  start: 1,
  end: 2,
  flags: 3,
  termCount: 4,
  groupCount: 5,
  target: 6,
  targetLength: 7,
  isEqual: 8,
  docFreq: 9,
  totalTermFreq: 10,
  impactAt: 11,
  firstBlock: 12,
  singleDoc: 13,
  tailAt: 14,
  positionsAt: 15,
  positionsWidth: 16,
}
const RECORD_BYTES = 128

/**
 * Looks up terms in place: a binary search over the groups' first terms, then a scan of one group
 * without copying its terms. A kernel does it if there is room for its record; when it gives up, on
 * very large numbers or corrupt bytes, the TypeScript code below runs. Cursors are local variables
 * of each step; fields hold rare state and results.
 */
export class TermLookup {
  readonly #views: ArenaViews
  readonly #plan: LookupPlan
  readonly #kernel: LookupKernel | null
  readonly #start: number
  readonly #end: number
  readonly #hasPostings: boolean
  readonly #hasFreqs: boolean
  readonly #hasImpacts: boolean
  readonly #hasPositions: boolean
  readonly #bits = new DataView(new ArrayBuffer(4))
  /** Address after the integer that `#long` read last. */
  #at = 0
  // Result: the term found.
  #isEqual = false
  #docFreq = 0
  #totalTermFreq = 0
  /** Address of the term's impact, or for a singleton the code of its document's length. */
  #impactAt = 0
  #firstBlock = -1
  #singleDoc = -1
  #tailAt = 0
  #positionsAt = 0
  #positionsWidth = 0

  constructor(plan: LookupPlan, kernel: LookupKernel | null) {
    const { section, flags } = plan
    this.#plan = plan
    this.#kernel = kernel
    this.#views = section.views
    this.#start = section.start
    this.#end = section.start + section.length
    this.#hasPostings = (flags & HAS_POSTINGS) !== 0
    this.#hasFreqs = (flags & HAS_FREQS) !== 0
    this.#hasImpacts = (flags & HAS_IMPACTS) !== 0
    this.#hasPositions = (flags & HAS_POSITIONS) !== 0
  }

  /**
   * The last group whose first term is not above `target`, or the first group; there must be one.
   * @throws {CorruptSegmentError} a group or its first term is outside the section
   */
  groupOf(target: Uint8Array): number {
    const { u8 } = this.#views
    const targetLength = target.length
    let low = 0
    let high = this.#plan.groupCount - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      // The first entry shares nothing: one zero byte, then the length.
      let at = this.startOf(middle) + 1
      let length = u8[at++]!
      if (length >= 0x80) {
        length = this.#long(at - 1)
        at = this.#at
      }
      if (at + length > this.#end) this.#pastEnd(at + length)
      const shared = Math.min(length, targetLength)
      let i = 0
      while (i < shared && u8[at + i] === target[i]) i++
      const order = i < shared ? u8[at + i]! - target[i]! : length - targetLength
      if (order <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /**
   * The state of a term, or null when the dictionary does not have it.
   * @throws {CorruptSegmentError} an entry is outside the section
   */
  find(target: Uint8Array): TermState | null {
    this.ceilingOf(target)
    return this.#isEqual ? this.#state() : null
  }

  /** The same for a term as text; ASCII is not copied. */
  findText(target: string): TermState | null {
    const record = this.#roomFor(target.length)
    if (record < 0) return this.find(encodeUtf8(target))
    const { u8 } = this.#views
    const start = record + RECORD_BYTES
    let i = 0
    for (; i < target.length; i++) {
      const unit = target.charCodeAt(i)
      if (unit > 0x7f) break
      u8[start + i] = unit
    }
    if (i < target.length) {
      this.#kernel!.giveBack(record)
      return this.find(encodeUtf8(target))
    }
    if (this.#run(record, target.length) < 0) this.#ceilingOf(encodeUtf8(target))
    return this.#isEqual ? this.#state() : null
  }

  #state(): TermState {
    return {
      docFreq: this.#docFreq,
      totalTermFreq: this.#totalTermFreq,
      impact: this.impactAt(this.#impactAt, this.#singleDoc, this.#totalTermFreq),
      firstBlock: this.#firstBlock,
      singleDoc: this.#singleDoc,
      tailAt: this.#tailAt,
      positionsAt: this.#positionsAt,
      positionsWidth: this.#positionsWidth,
    }
  }

  /**
   * The ord of the first term at or above `target`; the number of terms when there is none.
   * @throws {CorruptSegmentError} an entry is outside the section
   */
  ceilingOf(target: Uint8Array): number {
    const record = this.#roomFor(target.length)
    if (record < 0) return this.#ceilingOf(target)
    const { u8 } = this.#views
    const start = record + RECORD_BYTES
    for (let i = 0; i < target.length; i++) u8[start + i] = target[i]!
    const ord = this.#run(record, target.length)
    return ord < 0 ? this.#ceilingOf(target) : ord
  }

  /** Allocates the kernel's record; −1: the kernel cannot run. */
  #roomFor(targetLength: number): number {
    if (this.#kernel === null || this.#plan.groupCount === 0) return -1
    return this.#kernel.take(RECORD_BYTES + targetLength)
  }

  /**
   * Runs the kernel for the term behind its record, reads back its results and frees the record.
   * @returns the ord of the first term at or above it; −1: it gave up
   */
  #run(record: number, targetLength: number): number {
    const { flags, termCount, groupCount, index } = this.#plan
    const { i32 } = this.#views
    const at = record >> 2
    i32[at + RECORD.index] = index
    i32[at + RECORD.start] = this.#start
    i32[at + RECORD.end] = this.#end
    i32[at + RECORD.flags] = flags
    i32[at + RECORD.termCount] = termCount
    i32[at + RECORD.groupCount] = groupCount
    i32[at + RECORD.target] = record + RECORD_BYTES
    i32[at + RECORD.targetLength] = targetLength
    const ord = this.#kernel!.lookUpTerm(record)
    this.#kernel!.giveBack(record)
    this.#isEqual = ord >= 0 && i32[at + RECORD.isEqual]! !== 0
    if (!this.#isEqual) return ord
    this.#docFreq = i32[at + RECORD.docFreq]!
    this.#totalTermFreq = i32[at + RECORD.totalTermFreq]!
    this.#impactAt = i32[at + RECORD.impactAt]!
    this.#firstBlock = i32[at + RECORD.firstBlock]!
    this.#singleDoc = i32[at + RECORD.singleDoc]!
    this.#tailAt = i32[at + RECORD.tailAt]!
    this.#positionsAt = i32[at + RECORD.positionsAt]!
    this.#positionsWidth = i32[at + RECORD.positionsWidth]!
    return ord
  }

  #ceilingOf(target: Uint8Array): number {
    this.#isEqual = false
    if (this.#plan.groupCount === 0) return 0
    const group = this.groupOf(target)
    return group * GROUP_TERMS + this.#scan(target, group)
  }

  /** The ord of a term, or −1 when the dictionary does not have it. */
  ordOf(target: Uint8Array): number {
    const ord = this.ceilingOf(target)
    return this.#isEqual ? ord : -1
  }

  /**
   * Scans a group up to its first term at or above `target`. Terms are compared from the first
   * distinguishing byte on; if one is equal, its state is left in the fields.
   * @returns how many terms precede it
   */
  #scan(target: Uint8Array, group: number): number {
    const { termCount, index } = this.#plan
    const { u8, u32 } = this.#views
    const entry = (index + group * INDEX_ENTRY_BYTES) >> 2
    let nextBlock = u32[entry + 1]!
    let tailAt = u32[entry + 2]!
    let positionsAt = u32[entry + 3]!
    let at = this.startOf(group)
    const end = this.#end
    const targetLength = target.length
    const count = Math.min(GROUP_TERMS, termCount - group * GROUP_TERMS)
    // Length of the last term, which is below the target; and of the prefix that both share.
    let length = 0
    let matching = 0
    for (let i = 0; i < count; i++) {
      let shared = u8[at++]!
      if (shared >= 0x80) {
        shared = this.#long(at - 1)
        at = this.#at
      }
      let rest = u8[at++]!
      if (rest >= 0x80) {
        rest = this.#long(at - 1)
        at = this.#at
      }
      if (at + rest > end) this.#pastEnd(at + rest)
      if (shared > length) this.#corrupt(at, `at most ${length} shared`, `${shared}`)
      length = shared + rest
      let isEqual = false
      // A term that shares more with the previous one is below the target as well.
      if (shared <= matching) {
        matching = shared
        const limit = Math.min(length, targetLength)
        const from = at - shared
        while (matching < limit && u8[from + matching] === target[matching]) matching++
        if (matching < limit) {
          if (u8[from + matching]! > target[matching]!) return i
        } else if (length >= targetLength) {
          if (length > targetLength) return i
          isEqual = true
        }
      }
      at += rest
      let docFreq = u8[at++]!
      if (docFreq >= 0x80) {
        docFreq = this.#long(at - 1)
        at = this.#at
      }
      let totalTermFreq = 0
      let singleDoc = -1
      let impactAt = at
      let tailBytes = 0
      let width = 0
      if (this.#hasPostings) {
        if (docFreq === 1) {
          singleDoc = u8[at++]!
          if (singleDoc >= 0x80) {
            singleDoc = this.#long(at - 1)
            at = this.#at
          }
        }
        totalTermFreq = docFreq
        if (this.#hasFreqs) {
          let more = u8[at++]!
          if (more >= 0x80) {
            more = this.#long(at - 1)
            at = this.#at
          }
          totalTermFreq += more
        }
        impactAt = at
        if (this.#hasImpacts) at += docFreq === 1 ? 1 : 4
        if (docFreq < BLOCK_DOCS) {
          if (docFreq !== 1) {
            tailBytes = u8[at++]!
            if (tailBytes >= 0x80) {
              tailBytes = this.#long(at - 1)
              at = this.#at
            }
          }
          if (this.#hasPositions) width = u8[at++]!
        }
        if (at > end) this.#pastEnd(at)
      }
      const hasBlocks = this.#hasPostings && docFreq >= BLOCK_DOCS
      if (isEqual) {
        this.#isEqual = true
        this.#docFreq = docFreq
        this.#totalTermFreq = totalTermFreq
        this.#impactAt = impactAt
        this.#firstBlock = hasBlocks ? nextBlock : -1
        this.#singleDoc = singleDoc
        this.#tailAt = tailAt
        this.#positionsAt = positionsAt
        this.#positionsWidth = width
        return i
      }
      if (hasBlocks) nextBlock += Math.ceil(docFreq / BLOCK_DOCS)
      else if (width > 0) positionsAt += runBytes(totalTermFreq, width)
      tailAt += tailBytes
    }
    return count
  }

  /** @throws {CorruptSegmentError} a group starts outside the section */
  startOf(group: number): number {
    const { section, index } = this.#plan
    const entry = index + group * INDEX_ENTRY_BYTES
    const offset = this.#views.u32[entry >> 2]!
    if (offset >= section.length)
      this.#corrupt(entry, `an offset below ${section.length}`, `${offset}`)
    return this.#start + offset
  }

  /** As `TermsReader` documents it. */
  impactAt(at: number, singleDoc: number, totalTermFreq: number): number {
    if (!this.#hasPostings) return 0
    if (!this.#hasImpacts) return Number.POSITIVE_INFINITY
    const { u8 } = this.#views
    if (singleDoc >= 0)
      return Math.fround(Math.fround(totalTermFreq) * this.#plan.inverse[u8[at]!]!)
    const bits = this.#bits
    for (let i = 0; i < 4; i++) bits.setUint8(i, u8[at + i]!)
    return bits.getFloat32(0, true)
  }

  /** A varint; reads max seven bytes, corrupt or not. */
  #long(start: number): number {
    const { u8 } = this.#views
    let at = start
    let value = 0
    let scale = 1
    let byte: number
    do {
      byte = u8[at++]!
      value += (byte & 0x7f) * scale
      scale *= 0x80
    } while (byte >= 0x80 && scale < 2 ** 49)
    this.#at = at
    return value
  }

  #pastEnd(at: number): never {
    this.#corrupt(this.#end, 'an entry inside the section', `${at - this.#end} bytes past`)
  }

  #corrupt(at: number, expected: string, found: string): never {
    throw new CorruptSegmentError(this.#plan.section.name, at - this.#start, expected, found)
  }
}
