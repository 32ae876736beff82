/**
 * Recursive graph bisection: a document order that puts documents with common terms near each
 * other, so that gaps in postings are small and impacts within a block are alike. (Dhulipala,
 * Kabiljo, Karrer, Ottaviano, Pupyrev, Shalita, "Compressing Graphs and Indexes with Recursive
 * Graph Bisection", KDD 2016.)
 *
 * Documents are split into two halves. A document's gain grows with the frequency of its terms in
 * the right half over the left; documents are selected by gain, and the half with the lowest gains
 * becomes the left one. This repeats until nothing improves, and then recurses into each half.
 */

/** The distinct terms of each document. */
export interface ForwardIndex {
  readonly docCount: number
  readonly termCount: number
  /** Document d has `terms[starts[d], starts[d + 1])`, each once. */
  readonly starts: Float64Array
  readonly terms: Int32Array
}

/** Parts of up to this many documents keep their order. */
const MIN_DOCS = 32
const MAX_ROUNDS = 20
/** Increase of the min gain of an exchange per round, in bits. */
const COOLING = 1
/** Size of the logarithm table. */
const LOG_COUNT = 1 << 14

/** Documents by new doc ID. A pure function of the index. */
export function bisect(index: ForwardIndex): Int32Array {
  return new Bisection(index).run()
}

class Bisection {
  readonly #starts: Float64Array
  readonly #terms: Int32Array
  /** By new doc ID, its document and that document's gain from moving right. */
  readonly #docs: Int32Array
  readonly #pulls: Float32Array
  /** By document, 1 while it is in the right half. */
  readonly #isRight: Uint8Array
  // By term, while its part is split: the documents with it in the left and the right half, and its
  // gain for a document in the left and in the right half.
  readonly #leftCounts: Int32Array
  readonly #rightCounts: Int32Array
  readonly #leftPulls: Float32Array
  readonly #rightPulls: Float32Array
  /** The terms of the part. */
  readonly #seen: Int32Array
  #seenCount = 0
  #min = 0
  #max = 0
  readonly #logs: Float32Array

  constructor({ docCount, termCount, starts, terms }: ForwardIndex) {
    this.#starts = starts
    this.#terms = terms
    this.#docs = Int32Array.from({ length: docCount }, (_, i) => i)
    this.#pulls = new Float32Array(docCount)
    this.#isRight = new Uint8Array(docCount)
    this.#leftCounts = new Int32Array(termCount)
    this.#rightCounts = new Int32Array(termCount)
    this.#leftPulls = new Float32Array(termCount)
    this.#rightPulls = new Float32Array(termCount)
    this.#seen = new Int32Array(termCount)
    this.#logs = Float32Array.from({ length: LOG_COUNT }, (_, i) => (i === 0 ? 0 : Math.log2(i)))
  }

  run(): Int32Array {
    this.#cut(0, this.#docs.length)
    return this.#docs
  }

  #cut(from: number, to: number): void {
    if (to - from <= MIN_DOCS) {
      this.#docs.subarray(from, to).sort()
      return
    }
    const middle = (from + to) >>> 1
    this.#count(from, middle, to)
    for (let round = 0; round < MAX_ROUNDS && this.#improve(from, middle, to, round); round++);
    for (let i = 0; i < this.#seenCount; i++) {
      this.#leftCounts[this.#seen[i]!] = 0
      this.#rightCounts[this.#seen[i]!] = 0
    }
    this.#cut(from, middle)
    this.#cut(middle, to)
  }

  #count(from: number, middle: number, to: number): void {
    const terms = this.#terms
    let seenCount = 0
    for (let index = from; index < to; index++) {
      const doc = this.#docs[index]!
      const isRight = index >= middle
      this.#isRight[doc] = isRight ? 1 : 0
      const counts = isRight ? this.#rightCounts : this.#leftCounts
      for (let i = this.#starts[doc]!; i < this.#starts[doc + 1]!; i++) {
        const term = terms[i]!
        if (this.#leftCounts[term]! + this.#rightCounts[term]! === 0) this.#seen[seenCount++] = term
        counts[term]!++
      }
    }
    this.#seenCount = seenCount
  }

  /** One round of exchanges; false once the halves no longer improve. */
  #improve(from: number, middle: number, to: number, round: number): boolean {
    // One more document among n shortens a term's gaps by about the logarithm of n; a document's
    // own occurrence is left out.
    for (let i = 0; i < this.#seenCount; i++) {
      const term = this.#seen[i]!
      const left = this.#leftCounts[term]!
      const right = this.#rightCounts[term]!
      this.#leftPulls[term] = this.#log(right + 1) - this.#log(left)
      this.#rightPulls[term] = this.#log(right) - this.#log(left + 1)
    }
    this.#pull(from, middle, this.#leftPulls)
    const leftMin = this.#min
    const leftMax = this.#max
    this.#pull(middle, to, this.#rightPulls)
    // The min gain of an exchange rises each round, so that no two documents swap forever. Swapping
    // whole halves gains nothing.
    if (leftMax - this.#min <= round * COOLING || leftMin > this.#max) return false
    this.#select(from, middle, to)
    return this.#move(from, middle, to) > 0
  }

  /** Sums the gains of documents, and tracks their min and max. */
  #pull(from: number, to: number, pulls: Float32Array): void {
    const starts = this.#starts
    const terms = this.#terms
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (let index = from; index < to; index++) {
      const doc = this.#docs[index]!
      const end = starts[doc + 1]!
      let sum = 0
      for (let i = starts[doc]!; i < end; i++) sum += pulls[terms[i]!]!
      this.#pulls[index] = sum
      if (sum < min) min = sum
      if (sum > max) max = sum
    }
    this.#min = min
    this.#max = max
  }

  /** Moves the lowest gains into [from, middle): Hoare's selection. */
  #select(from: number, middle: number, to: number): void {
    const docs = this.#docs
    const pulls = this.#pulls
    let low = from
    let high = to - 1
    while (low < high) {
      const pivotAt = (low + high) >>> 1
      const pivot = pulls[pivotAt]!
      const pivotDoc = docs[pivotAt]!
      let i = low
      let j = high
      while (i <= j) {
        while (pulls[i]! < pivot || (pulls[i] === pivot && docs[i]! < pivotDoc)) i++
        while (pulls[j]! > pivot || (pulls[j] === pivot && docs[j]! > pivotDoc)) j--
        if (i > j) break
        const pull = pulls[i]!
        pulls[i] = pulls[j]!
        pulls[j] = pull
        const doc = docs[i]!
        docs[i] = docs[j]!
        docs[j] = doc
        i++
        j--
      }
      if (middle <= j) high = j
      else if (middle >= i) low = i
      else break
    }
  }

  /** Records the half of each document; returns how many changed it. */
  #move(from: number, middle: number, to: number): number {
    let moved = 0
    for (let index = from; index < to; index++) {
      const doc = this.#docs[index]!
      const isRight = index >= middle ? 1 : 0
      if (this.#isRight[doc] === isRight) continue
      this.#isRight[doc] = isRight
      const step = isRight === 1 ? 1 : -1
      for (let i = this.#starts[doc]!; i < this.#starts[doc + 1]!; i++) {
        const term = this.#terms[i]!
        this.#rightCounts[term]! += step
        this.#leftCounts[term]! -= step
      }
      moved++
    }
    return moved
  }

  #log(count: number): number {
    return count < LOG_COUNT ? this.#logs[count]! : Math.log2(count)
  }
}
