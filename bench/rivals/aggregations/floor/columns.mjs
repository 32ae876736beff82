/** The columns of the table, packed in the memory of the loops. */

const KEYS = ['k10', 'k1000', 'k100000']
const ROOM_BYTES = 16 * 2 ** 20

export class Columns {
  count = 0
  /** Keys of each column of texts, in order. @type {Record<string, string[]>} */
  keys = {}
  /** Packed columns: address, bits of a value, the least value, by which all are lowered. */
  packed = {}
  /** Documents by the range of `p` that a case asks for. */
  listed = {}
  #memory
  #end = 1024
  #values = { n: [], d: [], t: [], p: [], tags: [], k10: [], k1000: [], k100000: [] }

  constructor(memory) {
    this.#memory = memory
  }

  add(row) {
    this.count++
    for (const name of ['n', 'd', 't', 'p', ...KEYS]) this.#values[name].push(row[name])
    for (const tag of row.tags) this.#values.tags.push(tag)
  }

  /** Packs what was added. */
  pack() {
    for (const name of [...KEYS, 'tags']) {
      const keys = [...new Set(this.#values[name])].sort()
      const ords = new Map(keys.map((key, ord) => [key, ord]))
      this.keys[name] = keys
      this.packed[name] = this.#pack(this.#values[name].map(key => ords.get(key)))
    }
    for (const name of ['n', 't']) this.packed[name] = this.#pack(this.#values[name])
    const doubles = this.allocate(8 * this.count)
    new Float64Array(this.#memory.buffer, doubles, this.count).set(this.#values.d)
    this.packed.d = { at: doubles, width: 64n, base: 0, count: this.count }
    for (const [name, holds] of [
      ['tenth', p => p < 10],
      ['hundredth', p => p === 7],
    ]) {
      const docs = this.#values.p.flatMap((p, doc) => (holds(p) ? [doc] : []))
      const at = this.allocate(4 * docs.length)
      this.u32(at, docs.length).set(docs)
      this.listed[name] = { at, count: docs.length }
    }
    this.#values = {}
    this.room = this.allocate(ROOM_BYTES)
  }

  u32(at, length) {
    return new Uint32Array(this.#memory.buffer, at, length)
  }

  f64(at, length) {
    return new Float64Array(this.#memory.buffer, at, length)
  }

  u8(at, length) {
    return new Uint8Array(this.#memory.buffer, at, length)
  }

  allocate(bytes) {
    const at = this.#end
    // Values are read 8 bytes at a time.
    this.#end = Math.ceil((at + bytes + 8) / 64) * 64
    return at
  }

  #pack(values) {
    let base = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    for (const value of values) {
      base = Math.min(base, value)
      most = Math.max(most, value)
    }
    const width = (most - base).toString(2).length
    const at = this.allocate(Math.ceil((values.length * width) / 8))
    const bytes = this.u8(at, Math.ceil((values.length * width) / 8))
    for (const [i, value] of values.entries()) {
      let rest = value - base
      let left = width
      for (let bit = i * width; left > 0; ) {
        const from = bit % 8
        const taken = Math.min(8 - from, left)
        bytes[Math.floor(bit / 8)] |= (rest % 2 ** taken) << from
        rest = Math.floor(rest / 2 ** taken)
        bit += taken
        left -= taken
      }
    }
    return { at, width: BigInt(width), base, count: values.length }
  }
}
