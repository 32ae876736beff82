/** A growing byte buffer: appends little-endian numbers, varints and byte strings. */
export class ByteWriter {
  #bytes: Uint8Array
  #view: DataView
  #length = 0

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get length(): number {
    return this.#length
  }

  /** Makes room for `count` more bytes; `bytes` is then valid until the next call that appends. */
  reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }

  u8(value: number): void {
    this.reserve(1)
    this.#bytes[this.#length++] = value
  }

  u16(value: number): void {
    this.reserve(2)
    this.#view.setUint16(this.#length, value, true)
    this.#length += 2
  }

  u32(value: number): void {
    this.reserve(4)
    this.#view.setUint32(this.#length, value, true)
    this.#length += 4
  }

  f32(value: number): void {
    this.reserve(4)
    this.#view.setFloat32(this.#length, value, true)
    this.#length += 4
  }

  f64(value: number): void {
    this.reserve(8)
    this.#view.setFloat64(this.#length, value, true)
    this.#length += 8
  }

  /** Appends an unsigned integer below 2⁵³ in groups of seven bits, lowest first. */
  varint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  /** Appends `source[start, end)`. */
  bytes(source: Uint8Array, start = 0, end: number = source.length): void {
    const count = end - start
    this.reserve(count)
    if (count < 24) {
      const target = this.#bytes
      const at = this.#length
      for (let i = 0; i < count; i++) target[at + i] = source[start + i]!
    } else this.#bytes.set(source.subarray(start, end), this.#length)
    this.#length += count
  }

  /**
   * Appends the lowest `width` bits (0–32) of each of `values[start, end)`, lowest bit first, and
   * zero bits up to a whole byte.
   */
  bits(values: Int32Array, start: number, end: number, width: number): void {
    this.reserve(Math.ceil(((end - start) * width) / 8))
    const bytes = this.#bytes
    let at = this.#length
    // Fewer than 8 bits are pending, and 24 more fit beside them.
    const low = Math.min(width, 24)
    const mask = (1 << low) - 1
    let pending = 0
    let held = 0
    for (let i = start; i < end; i++) {
      const value = values[i]!
      pending |= (value & mask) << held
      for (held += low; held >= 8; held -= 8) {
        bytes[at++] = pending
        pending >>>= 8
      }
      if (low === width) continue
      pending |= ((value >>> 24) & ((1 << (width - 24)) - 1)) << held
      for (held += width - 24; held >= 8; held -= 8) {
        bytes[at++] = pending
        pending >>>= 8
      }
    }
    if (held > 0) bytes[at++] = pending
    this.#length = at
  }

  /** Appends the memory of a typed array (little-endian on every platform of Node). */
  array(source: ArrayBufferView): void {
    this.bytes(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
  }

  /** Appends zeros until the length is a multiple of `step`. */
  align(step: number): void {
    const pad = (step - (this.#length % step)) % step
    this.reserve(pad)
    this.#bytes.fill(0, this.#length, this.#length + pad)
    this.#length += pad
  }

  /** Overwrites four bytes written before. */
  setU32(at: number, value: number): void {
    this.#view.setUint32(at, value, true)
  }

  clear(): void {
    this.#length = 0
  }

  /** The bytes written, as a view that the next append may invalidate. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** The bytes written, as a copy of exactly that size. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}
