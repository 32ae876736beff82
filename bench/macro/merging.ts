import { AnalysisRegistry } from '../../dist/analysis/registry.js'
import { StoredReader } from '../../dist/codec/stored/reader.js'
import { InvertedBuffer } from '../../dist/indexing/inverted-buffer.js'
import { type MergeInput, mergeSegments } from '../../dist/indexing/merge.js'
import { MergeMemory } from '../../dist/indexing/merge-memory.js'
import { sealBuffer } from '../../dist/indexing/seal.js'
import { DocumentParser } from '../../dist/schema/document-parser.js'
import { DEFAULT_MAPPING_LIMITS } from '../../dist/schema/mapping.js'
import { parseMapping } from '../../dist/schema/mapping-parser.js'
import type { MergeOrder } from '../../dist/schema/merge-order.js'
import { openWholeSegment, segmentFileName } from '../../dist/segment/open-segment.js'
import { MemoryDirectory } from '../../dist/store/memory-directory.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { parseJsonTree } from '../../dist/util/json/json-tree.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { type Bench, resultOf } from '../lib/result.ts'
import { consume, interleave } from '../lib/rounds.ts'

const DOCUMENTS = 80_000
const SEGMENTS = 8
const ORDERS: readonly (readonly [string, MergeOrder])[] = [
  ['as they came', { kind: 'arrival' }],
  ['by bisection', { kind: 'bisection' }],
]

/** One segment of several, in one thread. */
export const merging: Bench = {
  name: 'merging',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, DOCUMENTS)
    const memory = new MergeMemory()
    const each = Math.ceil((documents.bounds.length - 1) / SEGMENTS)
    const inputs = Array.from({ length: SEGMENTS }, (_, i) =>
      segmentOf(documents, i * each, Math.min((i + 1) * each, documents.bounds.length - 1), memory),
    )
    let postings = 0
    for (const { leaf } of inputs) postings += leaf.fieldInfo(documents.textField)?.sumDocFreq ?? 0
    say(`merging: ${SEGMENTS} segments of ${each} documents of ${corpus}, ${postings} postings`)
    const readings = await interleave(
      ORDERS.map(([name, order]) => ({
        name,
        run: () => consume(mergeSegments(inputs, new Uint8Array(16), 0, order).maxDoc),
      })),
      rounds,
      1,
    )
    return ORDERS.map(([name]) =>
      resultOf(
        `merging/${SEGMENTS} segments, ${name}`,
        'ns/posting',
        readings.get(name)!.map(ms => (ms * 1e6) / postings),
      ),
    )
  },
}

function segmentOf(
  { textField, bytes, bounds }: Documents,
  from: number,
  to: number,
  memory: MergeMemory,
): MergeInput {
  const registry = new AnalysisRegistry(new Map())
  const mapping = parseMapping(
    parseJsonTree(encodeUtf8(`{"properties":{"${textField}":{"type":"text"}},"dynamic":false}`)),
    {
      limits: DEFAULT_MAPPING_LIMITS,
      hasAnalyzer: () => true,
      hasNormalizer: () => true,
      hasSimilarity: () => true,
    },
  )
  const parser = new DocumentParser(mapping, 20)
  const buffer = new InvertedBuffer()
  buffer.useMapping(mapping, registry)
  for (let i = from; i < to; i++) {
    parser.parse(bytes, bounds[i]!, bounds[i + 1]! - 1, '')
    buffer.addDocument(parser.document, String(i), null)
  }
  const ones = new Float64Array(buffer.slotCount).fill(1)
  const { segment, stored } = sealBuffer(buffer, {
    seqNos: Float64Array.from({ length: buffer.slotCount }, (_, i) => from + i),
    versions: new BigInt64Array(buffer.slotCount).fill(1n),
    primaryTerms: ones,
    deadSlots: new Int32Array(0),
    segmentId: new Uint8Array(16),
    created: 0,
    sort: '',
  })
  const directory = new MemoryDirectory()
  directory.write(segmentFileName('_0'), segment)
  return {
    leaf: openWholeSegment(directory, '_0', null, memory),
    stored: new StoredReader('_0.sto', stored.length, (at, length) =>
      stored.subarray(at, at + length),
    ),
    live: null,
  }
}
