import { bufferMemory, InvertedBuffer } from '../../indexing/inverted-buffer.ts'
import { MergeMemory } from '../../indexing/merge-memory.ts'
import { sealBuffer } from '../../indexing/seal.ts'
import { StagedBytes } from '../../indexing/staged-bytes.ts'
import { DocumentParser } from '../../schema/document-parser.ts'
import { GrowingMapping } from '../../schema/growing-mapping.ts'
import { mappingLimits } from '../../schema/mapping-limits.ts'
import { countsOverlaps, hasSimilarity } from '../../schema/similarity/similarity-settings.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { openWholeSegment, segmentFileName } from '../../segment/open-segment.ts'
import { MemoryDirectory } from '../../store/memory-directory.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'

const STEM = 'document'

let memory: MergeMemory | null = null

/**
 * Opens a leaf of documents that are indexed nowhere else, in their order.
 * @param sources JSON of an object each
 * @param use     reads the leaf, which is gone afterwards
 * @throws {EngineError} the index would refuse a document
 */
export function withDocuments<T>(
  { mapping, settings, analysis }: Pick<IndexMetadata, 'mapping' | 'settings' | 'analysis'>,
  sources: readonly Uint8Array[],
  use: (leaf: Leaf) => T,
): T {
  const own = bufferMemory()
  const { plainRun } = own.kernels
  const limits = mappingLimits(settings)
  const parser = new DocumentParser(mapping, limits.depth, plainRun, limits.nestedObjects)
  const context = {
    limits,
    hasAnalyzer: (name: string) => analysis.hasAnalyzer(name),
    hasNormalizer: (name: string) => analysis.hasNormalizer(name),
    hasSimilarity: (name: string) => hasSimilarity(name, settings),
  }
  const staged = new StagedBytes(own)
  const buffer = new InvertedBuffer()
  memory ??= new MergeMemory()
  try {
    const growing = new GrowingMapping(parser, context, plainRun)
    for (const [i, source] of sources.entries()) {
      const at = staged.put(source)
      const { parser: read } = growing.read(own.views.u8, at, at + source.length, '_id')
      buffer.useMapping(read.mapping, analysis, name => countsOverlaps(name, settings))
      buffer.addDocument(read.document, String(i), null)
    }
    const { slotCount } = buffer
    const { segment } = sealBuffer(buffer, {
      seqNos: new Float64Array(slotCount),
      versions: new BigInt64Array(slotCount).fill(1n),
      primaryTerms: new Float64Array(slotCount).fill(1),
      deadSlots: new Int32Array(0),
      segmentId: new Uint8Array(16),
      created: 0,
      sort: '',
    })
    const directory = new MemoryDirectory()
    directory.write(segmentFileName(STEM), segment)
    return use(openWholeSegment(directory, STEM, null, memory))
  } finally {
    staged.release()
    buffer.release()
    memory.clear()
  }
}
