import { highHalf, type Long, lowHalf } from '../util/long.ts'

/**
 * The coordinator's state of the buffer that a write worker fills for one shard: the numbers of
 * each slot, which are sent when the buffer is sealed.
 */
export class WriteBuffer {
  /** Identifies the buffer to the worker; ascending. */
  readonly number: number
  /** Sequence number of the first operation that it may hold: where a replay starts. */
  readonly firstSeqNo: number
  #seqNos = new Float64Array(256)
  #versions = new BigInt64Array(256)
  /** The halves of `#versions`, lower ones first: no version becomes a bigint on the way. */
  #versionHalves = new Int32Array(this.#versions.buffer)
  #primaryTerms = new Float64Array(256)
  #count = 0
  readonly #dead = new Set<number>()
  /** Estimated bytes in the worker. */
  bytes = 0

  constructor(number: number, firstSeqNo: number) {
    this.number = number
    this.firstSeqNo = firstSeqNo
  }

  /** Slots assigned, to dead and to nested documents too. */
  get slotCount(): number {
    return this.#count
  }

  /** True when no document is left; nested documents of dead ones may hide that. */
  get isEmpty(): boolean {
    return this.#count === this.#dead.size
  }

  /** The worker holds `count` slots, of which the last ones have no numbers yet. */
  expect(count: number): void {
    this.#count = Math.max(this.#count, count)
    while (count > this.#seqNos.length) this.#grow()
  }

  /** Records the numbers of the next slot. */
  fill(slot: number, seqNo: number, version: Long, primaryTerm: number): void {
    while (slot >= this.#seqNos.length) this.#grow()
    this.#seqNos[slot] = seqNo
    this.#versionHalves[2 * slot] = lowHalf(version)
    this.#versionHalves[2 * slot + 1] = highHalf(version)
    this.#primaryTerms[slot] = primaryTerm
    this.#count = Math.max(this.#count, slot + 1)
  }

  /** Marks a slot whose document was rejected or superseded. */
  kill(slot: number): void {
    this.#dead.add(slot)
    this.#count = Math.max(this.#count, slot + 1)
  }

  /** The columns of a seal request. */
  columns(): {
    seqNos: Float64Array
    versions: BigInt64Array
    primaryTerms: Float64Array
    deadSlots: Int32Array
  } {
    return {
      seqNos: this.#seqNos.slice(0, this.#count),
      versions: this.#versions.slice(0, this.#count),
      primaryTerms: this.#primaryTerms.slice(0, this.#count),
      deadSlots: Int32Array.from(this.#dead).sort(),
    }
  }

  #grow(): void {
    const grow = (old: Float64Array): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(old.length * 2)
      grown.set(old)
      return grown
    }
    this.#seqNos = grow(this.#seqNos)
    const versions = new BigInt64Array(this.#versions.length * 2)
    versions.set(this.#versions)
    this.#versions = versions
    this.#versionHalves = new Int32Array(versions.buffer)
    this.#primaryTerms = grow(this.#primaryTerms)
  }
}
