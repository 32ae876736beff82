import type { Kernels } from './kernel-module.ts'

/**
 * The kernels in TypeScript, over the same memory and under the same names: the oracle that the
 * SIMD code is held against, and the plain reading of the formats. `assembly/kernels.ts` documents
 * each function.
 */
export function twinKernels(memory: { readonly buffer: ArrayBufferLike }): Kernels {
  const u8 = new Uint8Array(memory.buffer)
  const i32 = new Int32Array(memory.buffer, 0, memory.buffer.byteLength >> 2)

  /** Row r of lane l is value 4r + l; row r starts at bit r·width of the lane's words. */
  const unpack = (width: number, at: number, out: number): void => {
    const mask = width === 32 ? 0xffffffff : 2 ** width - 1
    const target = out >> 2
    for (let lane = 0; lane < 4; lane++) {
      const start = at + 4 * lane
      let bit = 0
      for (let row = 0; row < 32; row++) {
        const word = start + ((bit >>> 5) << 4)
        const shift = bit & 31
        let value = readU32(u8, word) >>> shift
        if (shift + width > 32) value |= readU32(u8, word + 16) << (32 - shift)
        i32[target + 4 * row + lane] = value & mask
        bit += width
      }
    }
  }

  const unpackAligned = (width: number, at: number, out: number): void => {
    const mask = width === 32 ? -1 : 2 ** width - 1
    const source = at >> 2
    const target = out >> 2
    for (let lane = 0; lane < 4; lane++) {
      let word = source + lane
      let shift = 0
      let bits = i32[word]!
      for (let i = target + lane; i < target + 128 + lane; i += 4) {
        let value = bits >>> shift
        shift += width
        if (shift >= 32) {
          shift -= 32
          word += 4
          bits = shift > 0 || i + 4 < target + 128 ? i32[word]! : 0
          if (shift > 0) value |= bits << (width - shift)
        }
        i32[i] = value & mask
      }
    }
  }

  const patch = (at: number, width: number, out: number): number => {
    const count = u8[at]!
    let p = at + 1
    for (let i = 0; i < count; i++, p += 2) {
      const slot = (out >> 2) + u8[p]!
      i32[slot] = i32[slot]! | (u8[p + 1]! << width)
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
    let end = at + 16 * width
    if (width === 0) i32.fill(0, target, target + 128)
    else if ((at & 3) === 0) unpackAligned(width, at, out)
    else unpack(width, at, out)
    if ((bits & 0x40) !== 0) end = patch(end, width, out)
    let doc = before
    for (let i = target; i < target + 128; i++) i32[i] = doc = (doc + i32[i]! + 1) | 0
    return end
  }

  const decodeFreqs = (at: number, bits: number, out: number): number => {
    const target = out >> 2
    const width = bits & 0x3f
    let end = at + 16 * width
    if (width === 0) i32.fill(0, target, target + 128)
    else if ((at & 3) === 0) unpackAligned(width, at, out)
    else unpack(width, at, out)
    if ((bits & 0x40) !== 0) end = patch(end, width, out)
    for (let i = target; i < target + 128; i++) i32[i] = i32[i]! + 1
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

function readU32(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
}
