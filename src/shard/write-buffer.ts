/**
 * What the coordinator keeps of the buffer that a write worker fills for one shard: the numbers of
 * each slot, which it hands over when the buffer is sealed.
 */
export class WriteBuffer {
  /** Names the buffer towards the worker; rises. */
  readonly number: number
  /** Sequence number of the first operation that may lie in it: where a replay starts. */
  readonly firstSeqNo: number
  #seqNos = new Float64Array(256)
  #versions = new Float64Array(256)
  #primaryTerms = new Float64Array(256)
  #count = 0
  readonly #dead = new Set<number>()
  /** About what it takes in the worker. */
  bytes = 0

  constructor(number: number, firstSeqNo: number) {
    this.number = number
    this.firstSeqNo = firstSeqNo
  }

  /** Slots handed out, dead ones too. */
  get slotCount(): number {
    return this.#count
  }

  get isEmpty(): boolean {
    return this.#count === this.#dead.size
  }

  /** The worker holds `count` slots, though the numbers of the last are not decided yet. */
  expect(count: number): void {
    this.#count = Math.max(this.#count, count)
    while (count > this.#seqNos.length) this.#grow()
  }

  /** Notes the numbers of a slot, which follows the last. */
  fill(slot: number, seqNo: number, version: number, primaryTerm: number): void {
    while (slot >= this.#seqNos.length) this.#grow()
    this.#seqNos[slot] = seqNo
    this.#versions[slot] = version
    this.#primaryTerms[slot] = primaryTerm
    this.#count = Math.max(this.#count, slot + 1)
  }

  /** The slot's document was refused, or a later operation superseded it. */
  kill(slot: number): void {
    this.#dead.add(slot)
    this.#count = Math.max(this.#count, slot + 1)
  }

  /** What a seal needs. */
  columns(): {
    seqNos: Float64Array
    versions: Float64Array
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
    this.#versions = grow(this.#versions)
    this.#primaryTerms = grow(this.#primaryTerms)
  }
}
