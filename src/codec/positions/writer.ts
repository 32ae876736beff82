import { ByteWriter } from '../../util/byte-writer.ts'
import { POSITIONS_HEADER_BYTES, POSITIONS_PADDING_BYTES, POSITIONS_VERSION } from './format.ts'

/** Collects the runs of one field's positions; the format is in `format.ts`. */
export class PositionsWriter {
  readonly #small = new ByteWriter(1024)
  readonly #blocks = new ByteWriter(1024)

  /**
   * Adds the run of a term below 128 documents.
   * @returns the run's width in bits
   */
  addSmall(positions: Int32Array, start: number, end: number): number {
    return appendRun(this.#small, positions, start, end)
  }

  /** Offset of the next block's run from the start of the blocks region, in bytes. */
  get blockOffset(): number {
    return this.#blocks.length
  }

  /** Adds the run of one block and returns its width in bits. */
  addBlock(positions: Int32Array, start: number, end: number): number {
    return appendRun(this.#blocks, positions, start, end)
  }

  /** Offset of the blocks region in the finished section. */
  get blocksStart(): number {
    return POSITIONS_HEADER_BYTES + this.#small.length
  }

  finish(): Uint8Array {
    const out = new ByteWriter(this.blocksStart + this.#blocks.length + POSITIONS_PADDING_BYTES)
    out.u32(POSITIONS_VERSION)
    out.u32(this.blocksStart)
    out.u32(this.blocksStart + this.#blocks.length)
    out.u32(0)
    out.bytes(this.#small.view())
    out.bytes(this.#blocks.view())
    out.bytes(new Uint8Array(POSITIONS_PADDING_BYTES))
    return out.view()
  }
}

function appendRun(out: ByteWriter, positions: Int32Array, start: number, end: number): number {
  let all = 0
  for (let i = start; i < end; i++) all |= positions[i]!
  const width = 32 - Math.clz32(all)
  out.bits(positions, start, end, width)
  return width
}

/** Bytes of a run, for reader and writer. */
export function runBytes(count: number, width: number): number {
  return Math.ceil((count * width) / 8)
}
