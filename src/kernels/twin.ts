import type { Decoders } from './kernel-module.ts'

/**
 * The decoders in TypeScript, over the same memory and under the same names: the oracle of the SIMD
 * code, and a plain reading of the formats. `assembly/decode.ts` documents each function.
 */
export function twinKernels(memory: { readonly buffer: ArrayBufferLike }): Decoders {
  const u8 = new Uint8Array(memory.buffer)
  const i32 = new Int32Array(memory.buffer, 0, memory.buffer.byteLength >> 2)

  const words = new Int32Array(4 * 32 + 4)

  /**
   * Row r of lane l is value 4r + l; row r starts at bit r·width of the lane's words. Values are
   * stored minus one, as gaps and frequencies are.
   * @param before base of the first value
   * @param keep   −1: each value adds to the previous one; 0: values are independent
   */
  const unpack = (width: number, at: number, out: number, before: number, keep: number): void => {
    // Blocks start at any byte: the words are assembled first, as each is read several times.
    for (let i = 0, p = at; i < 4 * width; i++, p += 4)
      words[i] = u8[p]! | (u8[p + 1]! << 8) | (u8[p + 2]! << 16) | (u8[p + 3]! << 24)
    const mask = width === 32 ? -1 : 2 ** width - 1
    let target = out >> 2
    let sum = before
    let w0 = words[0]!
    let w1 = words[1]!
    let w2 = words[2]!
    let w3 = words[3]!
    let next = 4
    let shift = 0
    for (let row = 0; row < 32; row++, target += 4) {
      let a = w0 >>> shift
      let b = w1 >>> shift
      let c = w2 >>> shift
      let d = w3 >>> shift
      shift += width
      if (shift >= 32) {
        shift -= 32
        w0 = words[next]!
        w1 = words[next + 1]!
        w2 = words[next + 2]!
        w3 = words[next + 3]!
        next += 4
        if (shift > 0) {
          const rest = width - shift
          a |= w0 << rest
          b |= w1 << rest
          c |= w2 << rest
          d |= w3 << rest
        }
      }
      i32[target] = a = (a & mask) + 1 + sum
      i32[target + 1] = b = (b & mask) + 1 + (a & keep)
      i32[target + 2] = c = (c & mask) + 1 + (b & keep)
      i32[target + 3] = d = (d & mask) + 1 + (c & keep)
      sum = d & keep
    }
  }

  const patch = (at: number, width: number, out: number): number => {
    const count = u8[at]!
    let p = at + 1
    for (let i = 0; i < count; i++, p += 2) {
      const slot = (out >> 2) + u8[p]!
      i32[slot] = i32[slot]! + (u8[p + 1]! << width)
    }
    return p
  }

  const decodeDocs = (
    at: number,
    bits: number,
    before: number,
    last: number,
    out: number,
  ): number => {
    const target = out >> 2
    if ((bits & 0x80) !== 0) {
      const byteLength = (last - before + 7) >>> 3
      let slot = target
      for (let i = 0; i < byteLength; i++) {
        let byte = u8[at + i]!
        while (byte !== 0 && slot < target + 128) {
          i32[slot++] = before + 1 + 8 * i + (31 - Math.clz32(byte & -byte))
          byte &= byte - 1
        }
      }
      return at + byteLength
    }
    const width = bits & 0x3f
    const end = at + 16 * width
    const isPatched = (bits & 0x40) !== 0
    if (width > 0) unpack(width, at, out, isPatched ? 0 : before, isPatched ? 0 : -1)
    else i32.fill(1, target, target + 128)
    const after = isPatched ? patch(end, width, out) : end
    if (isPatched || width === 0)
      for (let i = target, doc = before; i < target + 128; i++) i32[i] = doc = (doc + i32[i]!) | 0
    return after
  }

  const decodeFreqs = (at: number, bits: number, out: number): number => {
    const target = out >> 2
    const width = bits & 0x3f
    let end = at + 16 * width
    if (width === 0) i32.fill(1, target, target + 128)
    else unpack(width, at, out, 0, 0)
    if ((bits & 0x40) !== 0) end = patch(end, width, out)
    return end
  }

  const decodeTail = (
    at: number,
    count: number,
    hasFreqs: number,
    before: number,
    docs: number,
    freqs: number,
  ): number => {
    let p = at
    let doc = before
    const readVarint = (): number => {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = u8[p++]!
        value |= (byte & 0x7f) << shift
        if (byte < 0x80) return value >>> 0
      }
    }
    for (let i = 0; i < count; i++) {
      let code = readVarint()
      let freq = 1
      if (hasFreqs !== 0) {
        if ((code & 1) === 0) freq = readVarint() + 2
        code >>>= 1
      }
      doc += code + 1
      i32[(docs >> 2) + i] = doc
      i32[(freqs >> 2) + i] = freq
    }
    i32.fill(doc, (docs >> 2) + count, (docs >> 2) + 128)
    i32.fill(1, (freqs >> 2) + count, (freqs >> 2) + 128)
    return p
  }

  const sumFreqs = (freqs: number, out: number): void => {
    let sum = 0
    for (let i = 0; i < 128; i++) {
      const freq = i32[(freqs >> 2) + i]!
      i32[(out >> 2) + i] = sum
      sum = (sum + freq) | 0
    }
  }

  const unpackPositions = (
    at: number,
    width: number,
    start: number,
    count: number,
    out: number,
  ): void => {
    let bit = start * width
    for (let i = 0; i < count; i++, bit += width) {
      let value = 0
      for (let got = 0; got < width; ) {
        const at2 = at + Math.floor((bit + got) / 8)
        const shift = (bit + got) % 8
        const take = Math.min(8 - shift, width - got)
        value += ((u8[at2]! >>> shift) & (2 ** take - 1)) * 2 ** got
        got += take
      }
      i32[(out >> 2) + i] = value | 0
    }
  }

  const cross = (value: number): number => value
  return { decodeDocs, decodeFreqs, decodeTail, sumFreqs, unpackPositions, cross }
}
