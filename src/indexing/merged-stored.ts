import type { StoredBlock, StoredReader } from '../codec/stored/reader.ts'
import { StoredWriter } from '../codec/stored/writer.ts'
import { forEachDoc, type MergedDocs, type Origins } from './merged-docs.ts'

/** Sources that are put into a new order at a time, uncompressed. */
const GATHERED_BYTES = 1 << 28

/** The stored-fields file of a merged segment. */
export function mergeStored(
  readers: readonly StoredReader[],
  docs: MergedDocs,
  segmentId: Uint8Array,
  gatheredBytes: number = GATHERED_BYTES,
): Uint8Array {
  const writer = new StoredWriter(segmentId)
  if (docs.origins !== null) gather(readers, docs, docs.origins, writer, gatheredBytes)
  else {
    const blocks = readers.map(reader => new OpenBlock(reader))
    forEachDoc(docs, (leaf, doc) => writer.add(blocks[leaf]!.source(doc)))
  }
  return writer.finish()
}

/**
 * Writes sources in another order than they lie in. Blocks are read from first to last, once for as many
 * documents as fit the memory: in the new order each document would need a block of its own.
 */
function gather(
  readers: readonly StoredReader[],
  { maxDoc, docMaps }: MergedDocs,
  { leaves, docs }: Origins,
  writer: StoredWriter,
  gatheredBytes: number,
): void {
  const starts = new Float64Array(maxDoc + 1)
  for (let target = 0; target < maxDoc; target++)
    starts[target + 1] = starts[target]! + readers[leaves[target]!]!.sourceLength(docs[target]!)
  for (let from = 0; from < maxDoc; ) {
    const base = starts[from]!
    let to = from + 1
    while (to < maxDoc && starts[to + 1]! - base <= gatheredBytes) to++
    const sources = new Uint8Array(starts[to]! - base)
    for (const [leaf, reader] of readers.entries()) {
      const block = new OpenBlock(reader)
      const docMap = docMaps[leaf]!
      for (let doc = 0; doc < docMap.length; doc++) {
        const target = docMap[doc]!
        if (target >= from && target < to) sources.set(block.source(doc), starts[target]! - base)
      }
    }
    for (let target = from; target < to; target++)
      writer.add(sources, starts[target]! - base, starts[target + 1]! - base)
    from = to
  }
}

/** Reads sources of one segment, block by block as long as they are asked for in order. */
class OpenBlock {
  readonly #reader: StoredReader
  #block: StoredBlock | null = null
  #number = -1

  constructor(reader: StoredReader) {
    this.#reader = reader
  }

  /** A view, valid until the next call. */
  source(doc: number): Uint8Array {
    const number = this.#reader.blockOf(doc)
    if (this.#block === null || number !== this.#number) {
      this.#block = this.#reader.readBlock(number)
      this.#number = number
    }
    return this.#reader.sourceIn(this.#block, doc)
  }
}
