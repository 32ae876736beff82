import type { FloatKind } from '../../schema/field-storage.ts'
import { BitSet } from '../../util/bit-set.ts'
import { ByteWriter } from '../../util/byte-writer.ts'
import { putBits } from '../packed-bits.ts'
import { FLOAT_KINDS, isFloatKind } from './float-kinds.ts'
import {
  ALL_DOCS,
  DOC_VALUES_HEADER_BYTES,
  DOC_VALUES_PADDING_BYTES,
  DOC_VALUES_VERSION,
  EVEN_DOC_VALUES_VERSION,
  EVENLY_SPACED,
  HAS_EXPONENTS,
  MULTI_VALUED,
  RANK_DOCS,
  SPAN_DOCS,
  VALUES_PER_BLOCK,
} from './format.ts'
import { compareLongs, type LongColumn } from './long-column.ts'
import type { ValueKind } from './value-kind.ts'

/**
 * Writes the doc-values section of one numeric field.
 *
 * @param docs   doc IDs, ascending, one for each value: a document with several values is repeated
 * @param values the values, `docs.length` of them, ascending within a document
 * @param count  used length of both
 * @param kind   the encoding of the integers
 * @param mayBeEven whether evenly spaced values may be stored without blocks, which kernels cannot
 *                 read
 */
export function writeNumericDocValues(
  docs: Int32Array,
  values: LongColumn,
  count: number,
  maxDoc: number,
  kind: ValueKind,
  mayBeEven = false,
): Uint8Array {
  const { hi, lo } = values
  const step = mayBeEven ? stepOf(values, count) : -1
  const present = new BitSet(maxDoc)
  let docCount = 0
  for (let i = 0; i < count; i++) {
    if (i > 0 && docs[i] === docs[i - 1]) continue
    present.add(docs[i]!)
    docCount++
  }
  const multiValued = docCount < count
  const hasAll = docCount === maxDoc
  const floating = isFloatKind(kind)
  const out = new ByteWriter(
    DOC_VALUES_HEADER_BYTES + (step < 0 ? count * 8 : 0) + maxDoc / 4 + 256,
  )
  for (let i = 0; i < DOC_VALUES_HEADER_BYTES; i += 4) out.u32(0)
  out.setU32(0, step < 0 ? DOC_VALUES_VERSION : EVEN_DOC_VALUES_VERSION)
  out.setU32(
    4,
    (hasAll ? ALL_DOCS : 0) |
      (multiValued ? MULTI_VALUED : 0) |
      (floating ? HAS_EXPONENTS : 0) |
      (step < 0 ? 0 : EVENLY_SPACED),
  )
  out.setU32(8, maxDoc)
  out.setU32(12, docCount)
  out.setU32(16, count)
  if (!hasAll) {
    out.setU32(20, out.length)
    out.array(present.words)
    out.setU32(24, out.length)
    let rank = 0
    for (let doc = 0; doc < maxDoc; doc++) {
      if (doc % RANK_DOCS === 0) out.u32(rank)
      if (present.has(doc)) rank++
    }
  }
  if (multiValued) {
    out.setU32(28, out.length)
    for (let i = 0; i < count; i++) if (i === 0 || docs[i] !== docs[i - 1]) out.u32(i)
    out.u32(count)
  }
  out.setU32(32, out.length)
  const total = new Span()
  let next = 0
  for (let doc = 0; doc < maxDoc; doc += SPAN_DOCS) {
    const span = new Span()
    for (; next < count && docs[next]! < doc + SPAN_DOCS; next++)
      span.add(hi[next]!, lo[next]!, next === 0 || docs[next] !== docs[next - 1])
    span.write(out)
    total.merge(span)
  }
  if (step < 0) writeBlocks(out, values, count)
  else {
    out.setU32(36, out.length)
    out.setU32(40, out.length)
    out.setU32(88, step)
  }
  out.setU32(44, out.length)
  total.writeHeader(out)
  if (floating) {
    const bounds = exponentBounds(values, count, kind)
    out.setU32(80, bounds.max)
    out.setU32(84, bounds.min)
  }
  out.bytes(new Uint8Array(DOC_VALUES_PADDING_BYTES))
  return out.view()
}

/**
 * Writes the doc-values section of one keyword field: ordinals of its dictionary, ascending within
 * a document. Parameters as for numbers.
 */
export function writeOrdinalDocValues(
  docs: Int32Array,
  ords: LongColumn,
  count: number,
  maxDoc: number,
): Uint8Array {
  return writeNumericDocValues(docs, ords, count, maxDoc, 'ordinal')
}

/** The common difference, 0 or 1, of successive values; −1 without one. */
function stepOf({ hi, lo }: LongColumn, count: number): number {
  const step = count > 1 ? lo[1]! - lo[0]! : 0
  if (step !== 0 && step !== 1) return -1
  // Carries into the upper half are left to blocks.
  for (let i = 1; i < count; i++) if (hi[i] !== hi[0] || lo[i]! - lo[i - 1]! !== step) return -1
  return step
}

function writeBlocks(out: ByteWriter, values: LongColumn, count: number): void {
  const { hi, lo } = values
  const blockCount = Math.ceil(count / VALUES_PER_BLOCK)
  const data = new ByteWriter(count * 2 + 64)
  out.setU32(36, out.length)
  for (let block = 0; block < blockCount; block++) {
    const start = block * VALUES_PER_BLOCK
    const end = Math.min(start + VALUES_PER_BLOCK, count)
    let minIndex = start
    let maxIndex = start
    for (let i = start + 1; i < end; i++) {
      if (compareLongs(hi[i]!, lo[i]!, hi[minIndex]!, lo[minIndex]!) < 0) minIndex = i
      if (compareLongs(hi[i]!, lo[i]!, hi[maxIndex]!, lo[maxIndex]!) > 0) maxIndex = i
    }
    const baseHi = hi[minIndex]!
    const baseLo = lo[minIndex]!
    const spreadLo = lo[maxIndex]! - baseLo
    const spreadHi = (hi[maxIndex]! - baseHi - (spreadLo < 0 ? 1 : 0)) >>> 0
    const width = spreadHi === 0 ? 32 - Math.clz32(spreadLo) : 64 - Math.clz32(spreadHi)
    out.u32(baseLo)
    out.u32(baseHi)
    out.u32(data.length)
    out.u32(width)
    packBlock(data, hi, lo, start, end, baseHi, baseLo, width)
  }
  out.align(4)
  out.setU32(40, out.length)
  out.bytes(data.view())
}

const packed = new Uint32Array(2 * VALUES_PER_BLOCK + 2)

function packBlock(
  data: ByteWriter,
  hi: Int32Array,
  lo: Uint32Array,
  start: number,
  end: number,
  baseHi: number,
  baseLo: number,
  width: number,
): void {
  if (width === 0) return
  packed.fill(0)
  for (let i = start; i < end; i++) {
    const low = lo[i]! - baseLo
    const bit = (i - start) * width
    putBits(packed, bit, low >>> 0, Math.min(width, 32))
    if (width > 32)
      putBits(packed, bit + 32, (hi[i]! - baseHi - (low < 0 ? 1 : 0)) >>> 0, width - 32)
  }
  const words = Math.ceil(((end - start) * width) / 32)
  data.array(packed.subarray(0, words))
}

/** Min, max and sum of the values of a run of documents. */
class Span {
  #count = 0
  #docCount = 0
  #minHi = 0
  #minLo = 0
  #maxHi = 0
  #maxLo = 0
  /** The sum's four 32-bit words as numbers that may overflow; `#carry` normalizes them. */
  readonly #sum = new Float64Array(4)

  add(hi: number, lo: number, isFirstOfDoc: boolean): void {
    if (this.#count === 0 || compareLongs(hi, lo, this.#minHi, this.#minLo) < 0) {
      this.#minHi = hi
      this.#minLo = lo
    }
    if (this.#count === 0 || compareLongs(hi, lo, this.#maxHi, this.#maxLo) > 0) {
      this.#maxHi = hi
      this.#maxLo = lo
    }
    this.#count++
    if (isFirstOfDoc) this.#docCount++
    const sum = this.#sum
    // A double adds 2²¹ numbers of 32 bits exactly; the signed upper half carries the sign.
    sum[0] = sum[0]! + lo
    sum[1] = sum[1]! + hi
    if ((this.#count & 0xfffff) === 0) this.#carry()
  }

  merge(other: Span): void {
    if (other.#count === 0) return
    if (
      this.#count === 0 ||
      compareLongs(other.#minHi, other.#minLo, this.#minHi, this.#minLo) < 0
    ) {
      this.#minHi = other.#minHi
      this.#minLo = other.#minLo
    }
    if (
      this.#count === 0 ||
      compareLongs(other.#maxHi, other.#maxLo, this.#maxHi, this.#maxLo) > 0
    ) {
      this.#maxHi = other.#maxHi
      this.#maxLo = other.#maxLo
    }
    this.#count += other.#count
    this.#docCount += other.#docCount
    other.#carry()
    for (let i = 0; i < 4; i++) this.#sum[i] = this.#sum[i]! + other.#sum[i]!
    this.#carry()
  }

  write(out: ByteWriter): void {
    this.#carry()
    out.u32(this.#minLo)
    out.u32(this.#minHi)
    out.u32(this.#maxLo)
    out.u32(this.#maxHi)
    for (const word of this.#sum) out.u32(word)
    out.u32(this.#count)
    out.u32(this.#docCount)
  }

  writeHeader(out: ByteWriter): void {
    this.#carry()
    out.setU32(48, this.#minLo)
    out.setU32(52, this.#minHi)
    out.setU32(56, this.#maxLo)
    out.setU32(60, this.#maxHi)
    for (let i = 0; i < 4; i++) out.setU32(64 + 4 * i, this.#sum[i]!)
  }

  /** Normalizes words 0–2 to 0 … 2³²−1 and the top word, which holds the sign, to 32 bits. */
  #carry(): void {
    const sum = this.#sum
    for (let i = 0; i < 3; i++) {
      const over = Math.floor(sum[i]! / 4294967296)
      sum[i] = sum[i]! - over * 4294967296
      sum[i + 1] = sum[i + 1]! + over
    }
    sum[3] = sum[3]! | 0
  }
}

/** The max exponent, and the exponent of the lowest set bit, over all finite non-zero values. */
function exponentBounds(
  values: LongColumn,
  count: number,
  kind: FloatKind,
): { max: number; min: number } {
  const bits = new DataView(new ArrayBuffer(8))
  const { decode } = FLOAT_KINDS[kind]
  let max = -1075
  let min = 1024
  for (let i = 0; i < count; i++) {
    const value = decode(values.hi[i]!, values.lo[i]!)
    if (value === 0 || !Number.isFinite(value)) continue
    bits.setFloat64(0, value)
    const upper = bits.getUint32(0)
    const biased = (upper >>> 20) & 0x7ff
    const fractionHi = upper & 0xfffff
    const fractionLo = bits.getUint32(4)
    const trailing =
      fractionLo !== 0
        ? 31 - Math.clz32(fractionLo & -fractionLo)
        : fractionHi !== 0
          ? 63 - Math.clz32(fractionHi & -fractionHi)
          : 52
    const scale = Math.max(biased, 1) - 1075
    const lowest = scale + trailing
    const highest = Math.floor(Math.log2(Math.abs(value)))
    if (highest > max) max = highest
    if (lowest < min) min = lowest
  }
  return { max, min }
}
