/** The call of the kernel that walks a dictionary with an automaton. */
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type AutomatonTable, START } from '../../util/automaton/automaton.ts'
import type { NearWord } from '../../util/automaton/levenshtein.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import type { TermListener } from './matching-terms.ts'

/** The record that `kernels/assembly/term-automaton.ts` reads, as word indices. */
const RECORD = {
  index: 0,
  start: 1,
  end: 2,
  flags: 3,
  termCount: 4,
  groupCount: 5,
  moves: 6,
  classes: 7,
  first: 8,
  classStarts: 9,
  ascii: 10,
  term: 11,
  termBytes: 12,
  states: 13,
  out: 14,
  outEnd: 15,
  group: 16,
  outAt: 17,
  /** A float64. */
  postings: 18,
  tells: 20,
  word: 21,
  skips: 22,
  required: 23,
  requiredLength: 24,
  marks: 25,
} as const
const RECORD_BYTES = 128

/** The record of a word (`kernels/assembly/near-word.ts`), as word indices; masks of ASCII follow it. */
const WORD = { points: 0, length: 1, maxEdits: 2, swaps: 3, free: 4, masks: 6 } as const
const WORD_BYTES = 24 + 8 * 128
/** More positions than these have no bits. */
const MAX_POINTS = 62
const NEAR_BYTES = 48
const NEAR_SETS = 5
/** Of the high half. */
const ANY_POINT = 1 << 31
/** No text near a word of so many code points is longer. */
const NEAR_TEXT_BYTES = 4 * (MAX_POINTS + 4)

/** Terms that are longer are left to the walk in TypeScript, and so are larger tables. */
const TERM_BYTES = 4096
const MAX_TABLE_BYTES = 128 << 10
/** Several times the most that a group of terms may take. */
const OUT_BYTES = 32 << 10
/** Scratch for everything but marks of terms. */
const SCRATCH_BYTES = 256 << 10
/** Room for a term whose signature is made. */
const SIGNED_BYTES = 272

const TOLD_WORDS = 4
/** A longer term is told without its bytes. */
const TOLD_BYTES = 256

/** Of a text that every accepted term holds, so many bytes are looked for: its last ones. */
const MAX_REQUIRED_BYTES = 5

/** One walk; `close` frees its scratch. */
export class KernelMatching {
  readonly #leaf: Leaf
  readonly #terms: TermsReader
  readonly #mark: number
  readonly #record: number
  readonly #out: number

  /** @returns null where the kernel cannot run */
  static open(
    leaf: Leaf,
    field: string,
    form: AutomatonTable | NearWord | null,
    tells: boolean,
  ): KernelMatching | null {
    const terms = leaf.terms(field)
    if (terms === null || form === null || !fits(form)) return null
    if (!leaf.reserveScratch(SCRATCH_BYTES + marksBytes(terms.groupCount))) return null
    return new KernelMatching(leaf, field, terms, form, tells)
  }

  private constructor(
    leaf: Leaf,
    field: string,
    terms: TermsReader,
    form: AutomatonTable | NearWord,
    tells: boolean,
  ) {
    const { scratch, views } = leaf
    const { i32 } = views
    this.#leaf = leaf
    this.#terms = terms
    this.#mark = scratch.mark()
    this.#record = scratch.allocate(RECORD_BYTES)
    this.#out = scratch.allocate(OUT_BYTES)
    const at = this.#record >> 2
    i32.fill(0, at, at + (RECORD_BYTES >> 2))
    const { section, flags, index, termCount, groupCount } = terms
    i32[at + RECORD.index] = index
    i32[at + RECORD.start] = section.start
    i32[at + RECORD.end] = section.start + section.length
    i32[at + RECORD.flags] = flags
    i32[at + RECORD.termCount] = termCount
    i32[at + RECORD.groupCount] = groupCount
    i32[at + RECORD.term] = scratch.allocate(TERM_BYTES)
    i32[at + RECORD.termBytes] = TERM_BYTES
    i32[at + RECORD.out] = this.#out
    i32[at + RECORD.outEnd] = this.#out + OUT_BYTES
    i32[at + RECORD.tells] = tells ? 1 : 0
    const marks = form.kind === 'near' ? this.#markNear(field, form) : 0
    i32[at + RECORD.marks] = marks
    i32[at + RECORD.skips] = leaf.derivedTerms('termSkips', field, termCount, skips =>
      leaf.kernels.makeTermSkips(
        index,
        section.start,
        section.start + section.length,
        flags,
        termCount,
        skips,
      ),
    )
    if (form.kind === 'table') this.#writeTable(form)
    else this.#writeWord(form)
  }

  /** Sum of the document frequencies of the accepted terms so far. */
  get postings(): number {
    return this.#leaf.views.f64[(this.#record >> 3) + (RECORD.postings >> 1)]!
  }

  /**
   * Walks the dictionary.
   * @param take the output since the last call, valid during the call; false ends the walk
   * @returns false: the kernel gave up, and the rest is to be walked by other means
   */
  run(take: (words: Int32Array) => boolean): boolean {
    const { kernels, views } = this.#leaf
    for (;;) {
      const outcome = kernels.matchTerms(this.#record)
      if (outcome < 0) return false
      const end = views.i32[(this.#record >> 2) + RECORD.outAt]!
      if (!take(views.i32.subarray(this.#out >> 2, end >> 2)) || outcome === 0) return true
    }
  }

  /** The same, term by term. */
  tell(listener: TermListener): boolean {
    const { u8 } = this.#leaf.views
    return this.run(words => {
      for (let i = 0; i < words.length; ) {
        const edits = words[i + 1]!
        const docFreq = words[i + 2]!
        const length = words[i + 3]!
        const isTold = length <= TOLD_BYTES
        const at = this.#out + 4 * (i + TOLD_WORDS)
        const term = isTold ? u8.subarray(at, at + length) : this.#terms.termOfOrd(words[i]!)
        i += TOLD_WORDS + (isTold ? (length + 3) >> 2 : 0)
        if (!listener(term, docFreq, edits)) return false
      }
      return true
    })
  }

  close(): void {
    this.#leaf.scratch.release(this.#mark)
  }

  /**
   * Marks the terms that a word's signature leaves.
   * @returns where the marks stand; 0: there are none, because few beginnings are near one that is fixed
   */
  #markNear(field: string, { word, maxEdits, prefixLength }: NearWord): number {
    if (maxEdits === 0 || prefixLength > 0) return 0
    const { scratch, views, kernels } = this.#leaf
    const { section, flags, index, termCount, groupCount } = this.#terms
    const term = scratch.allocate(SIGNED_BYTES)
    const signatures = this.#leaf.derivedTerms('termSignatures', field, termCount, into =>
      kernels.makeTermSignatures(
        index,
        section.start,
        section.start + section.length,
        flags,
        termCount,
        term,
        into,
      ),
    )
    if (signatures === 0) return 0
    const marks = scratch.allocate(marksBytes(groupCount))
    const bytes = encodeUtf8(String.fromCodePoint(...word))
    views.u8.set(bytes, term)
    kernels.markNearTerms(signatures, termCount, term, bytes.length, maxEdits, marks)
    return marks
  }

  #writeTable({ moves, classStarts, asciiClasses, ends, required }: AutomatonTable): void {
    const { scratch, views } = this.#leaf
    const { i32, u8 } = views
    const at = this.#record >> 2
    const place = (field: number, bytes: number): number => {
      const address = scratch.allocate(bytes)
      i32[at + field] = address
      return address
    }
    const classes = classStarts.length
    const stateOf = (state: number): number => 4 * state * classes + ends[state]!
    const table = place(RECORD.moves, 4 * moves.length) >> 2
    for (let i = 0; i < moves.length; i++) i32[table + i] = stateOf(moves[i]!)
    i32[at + RECORD.first] = stateOf(START)
    i32[at + RECORD.classes] = classes
    i32.set(classStarts, place(RECORD.classStarts, 4 * classStarts.length) >> 2)
    const ascii = new Uint8Array(asciiClasses.buffer, asciiClasses.byteOffset, 2 * 128)
    u8.set(ascii, place(RECORD.ascii, ascii.length))
    place(RECORD.states, 4 * (TERM_BYTES + 1))
    const bytes = encodeUtf8(required).subarray(-MAX_REQUIRED_BYTES)
    // A single byte is in nearly every group of terms.
    if (bytes.length < 2) return
    u8.set(bytes, place(RECORD.required, MAX_REQUIRED_BYTES))
    i32[at + RECORD.requiredLength] = bytes.length
  }

  #writeWord({ word, maxEdits, prefixLength, swaps }: NearWord): void {
    const { scratch, views } = this.#leaf
    const { i32, u32 } = views
    const record = scratch.allocate(WORD_BYTES)
    const at = record >> 2
    const points = scratch.allocate(4 * MAX_POINTS)
    i32[(this.#record >> 2) + RECORD.word] = record
    i32.set(word, points >> 2)
    i32[at + WORD.points] = points
    i32[at + WORD.length] = word.length
    i32[at + WORD.maxEdits] = maxEdits
    i32[at + WORD.swaps] = swaps ? 1 : 0
    const all = lowBits(word.length + 1)
    const fixed = lowBits(prefixLength)
    const free: Bits = { low: all.low & ~fixed.low, high: all.high & ~fixed.high }
    setBits(u32, at + WORD.free, free.low, free.high)
    const masks = at + WORD.masks
    u32.fill(0, masks, masks + 256)
    for (let i = 0; i < word.length; i++) {
      const point = word[i]!
      if (point < 128) u32[masks + 2 * point + (i >> 5)]! |= 1 << (i & 31)
    }
    const states = scratch.allocate(NEAR_BYTES * (NEAR_TEXT_BYTES + 1))
    i32[(this.#record >> 2) + RECORD.states] = states
    // Before any text: nothing is read, or as much as may be deleted.
    let low = 1
    let high = 0
    let togetherLow = 0
    let togetherHigh = 0
    for (let edits = 0; edits < NEAR_SETS; edits++) {
      const isReached = edits <= maxEdits
      setBits(u32, (states >> 2) + 2 * edits, isReached ? low : 0, isReached ? high : 0)
      const freeLow = low & free.low
      const freeHigh = high & free.high
      if (isReached) {
        togetherLow |= low
        togetherHigh |= high
        if (edits < maxEdits && (freeLow | freeHigh) !== 0) togetherHigh |= ANY_POINT
      }
      low = (freeLow << 1) & all.low
      high = ((freeHigh << 1) | (freeLow >>> 31)) & all.high
    }
    setBits(u32, (states >> 2) + 2 * NEAR_SETS, togetherLow, togetherHigh)
  }
}

/** A set of 64 bits; a BigInt would be allocated for each step. */
interface Bits {
  readonly low: number
  readonly high: number
}

/** The lowest bits. @param count up to 63 */
function lowBits(count: number): Bits {
  return count < 32
    ? { low: (1 << count) - 1, high: 0 }
    : { low: -1, high: count === 32 ? 0 : (1 << (count - 32)) - 1 }
}

function setBits(u32: Uint32Array, word: number, low: number, high: number): void {
  u32[word] = low
  u32[word + 1] = high
}

/** Marks of terms (`kernels/assembly/term-signatures.ts`): a bit and a word for each group of terms. */
function marksBytes(groupCount: number): number {
  return 8 * Math.ceil(groupCount / 64) + 4 * groupCount
}

function fits(form: AutomatonTable | NearWord): boolean {
  if (form.kind === 'near') return form.word.length <= MAX_POINTS
  return 4 * form.moves.length + form.ends.length <= MAX_TABLE_BYTES && form.ends.length > START
}
