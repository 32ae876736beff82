import { STORED_BLOCK_BYTES } from '../codec/stored/format.ts'
import type { StoredBlock, StoredReader } from '../codec/stored/reader.ts'
import { StoredWriter } from '../codec/stored/writer.ts'
import type { MergedDocs, Origins } from './merged-docs.ts'

/** Max uncompressed bytes reordered at a time. */
const GATHERED_BYTES = 1 << 28
/** Min run of blocks to copy whole for which a partial block is closed. */
const MIN_RUN = 16

/** Makes the stored-fields file of a merged segment. */
export function mergeStored(
  readers: readonly StoredReader[],
  docs: MergedDocs,
  segmentId: Uint8Array,
  goOn: () => void = () => {},
  gatheredBytes: number = GATHERED_BYTES,
): Uint8Array {
  const writer = new StoredWriter(segmentId)
  if (docs.origins !== null) gather(readers, docs, docs.origins, writer, goOn, gatheredBytes)
  else
    for (const [leaf, reader] of readers.entries())
      append(reader, docs.docMaps[leaf]!, writer, goOn)
  return writer.finish()
}

/** Appends a leaf's records in order; full blocks without dropped documents are copied whole. */
function append(
  reader: StoredReader,
  docMap: Int32Array,
  writer: StoredWriter,
  goOn: () => void,
): void {
  const { blockCount } = reader
  const open = new OpenBlock(reader)
  for (let block = 0; block < blockCount; block++) {
    goOn()
    const from = reader.firstDocOf(block)
    const to = reader.firstDocOf(block + 1)
    // New documents ascend: a span of equal length means that none in between is dropped.
    const isWhole = docMap[from]! >= 0 && docMap[to - 1]! - docMap[from]! === to - 1 - from
    const mayStart = writer.isAtBlockStart || blockCount - block >= MIN_RUN
    if (isWhole && mayStart && isFull(reader, from, to)) {
      writer.addBlock(reader, block)
      continue
    }
    for (let doc = from; doc < to; doc++) if (docMap[doc]! >= 0) open.addTo(writer, doc)
  }
}

/** Smaller blocks, the last ones of their files, are joined with their neighbours. */
function isFull(reader: StoredReader, from: number, to: number): boolean {
  let bytes = 0
  for (let doc = from; doc < to; doc++) bytes += reader.recordLength(doc)
  return bytes >= STORED_BLOCK_BYTES
}

/**
 * Writes records in another order. Blocks are read sequentially, once for each group of documents
 * that fits into memory: in the new order each document would decompress a block of its own.
 */
function gather(
  readers: readonly StoredReader[],
  { maxDoc, docMaps }: MergedDocs,
  { leaves, docs }: Origins,
  writer: StoredWriter,
  goOn: () => void,
  gatheredBytes: number,
): void {
  const starts = new Float64Array(maxDoc + 1)
  for (let target = 0; target < maxDoc; target++)
    starts[target + 1] = starts[target]! + readers[leaves[target]!]!.recordLength(docs[target]!)
  for (let from = 0; from < maxDoc; ) {
    const base = starts[from]!
    let to = from + 1
    while (to < maxDoc && starts[to + 1]! - base <= gatheredBytes) to++
    const records = new Uint8Array(starts[to]! - base)
    for (const [leaf, reader] of readers.entries()) {
      const block = new OpenBlock(reader)
      const docMap = docMaps[leaf]!
      for (let doc = 0; doc < docMap.length; doc++) {
        const target = docMap[doc]!
        if ((doc & 63) === 0) goOn()
        if (target >= from && target < to) records.set(block.record(doc), starts[target]! - base)
      }
    }
    for (let target = from; target < to; target++) {
      if ((target & 63) === 0) goOn()
      const start = starts[target]! - base
      const sourceLength = readers[leaves[target]!]!.sourceLength(docs[target]!)
      writer.add(records, start, starts[target + 1]! - base, start + sourceLength)
    }
    from = to
  }
}

/** Reads records of one segment; sequential reads decompress each block once. */
class OpenBlock {
  readonly #reader: StoredReader
  #block: StoredBlock | null = null
  #number = -1

  constructor(reader: StoredReader) {
    this.#reader = reader
  }

  /** A view, valid until the next call. */
  record(doc: number): Uint8Array {
    const number = this.#reader.blockOf(doc)
    if (this.#block === null || number !== this.#number) {
      this.#block = this.#reader.readBlock(number)
      this.#number = number
    }
    return this.#reader.recordIn(this.#block, doc)
  }

  addTo(writer: StoredWriter, doc: number): void {
    const record = this.record(doc)
    writer.add(record, 0, record.length, this.#reader.sourceLength(doc))
  }
}
