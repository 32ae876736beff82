import { AnalysisRegistry } from '../../dist/analysis/registry.js'
import { openEngine } from '../../dist/engine/engine.js'
import { FieldBuffer } from '../../dist/indexing/field-buffer.js'
import { bufferMemory, InvertedBuffer } from '../../dist/indexing/inverted-buffer.js'
import { sealBuffer } from '../../dist/indexing/seal.js'
import { StagedBytes } from '../../dist/indexing/staged-bytes.js'
import { DocumentParser } from '../../dist/schema/document-parser.js'
import { DEFAULT_MAPPING_LIMITS } from '../../dist/schema/mapping.js'
import { parseMapping } from '../../dist/schema/mapping-parser.js'
import { trusted } from '../../dist/task/call-context.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { parseJsonTree } from '../../dist/util/json/json-tree.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { load } from '../lib/loaded-engine.ts'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { consume, interleave } from '../lib/rounds.ts'

const DOCUMENTS = 50_000
/** Documents that a write thread takes at once. */
const CHUNK = 1000

/** From a document's bytes to a sealed segment: in one thread, and through the engine. */
export const indexing: Bench = {
  name: 'indexing',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, DOCUMENTS)
    const count = documents.bounds.length - 1
    say(`indexing: ${count} documents of ${corpus}, ${mega(documents.textBytes)} MB of text`)
    const ascii = asciiTexts(documents)
    const readings = await interleave(
      [
        { name: 'text', run: () => consume(invertTexts(ascii)) },
        { name: 'invert', run: () => released(invert(documents)) },
        { name: 'seal', run: () => consume(sealed(invert(documents))) },
      ],
      rounds,
      1,
    )
    const perChar = readings.get('text')!.map(ms => (ms * 1e6) / ascii.bytes.length)
    const perByte = readings.get('invert')!.map(ms => (ms * 1e6) / documents.bounds[count]!)
    const perSecond = readings.get('seal')!.map(ms => documents.textBytes / 1e6 / (ms / 1000))
    const best = Math.max(...perSecond)
    return [
      resultOf('indexing/ASCII English into the inverter', 'ns/char', perChar, {
        mark: atMost(Math.min(...perChar), 10, 'ns'),
      }),
      resultOf('indexing/parse and invert', 'ns/byte of JSON', perByte),
      {
        // Throughput: the best round is the largest.
        ...resultOf('indexing/bytes to sealed segment', 'MB/s', perSecond),
        min: best,
        mark: atLeast(best, 25, 'MB/s')!,
      },
      await coordinator(documents, rounds),
    ]
  },
}

/** Texts that are plain ASCII, one after another; text i is `bytes[bounds[i], bounds[i + 1])`. */
interface Texts {
  readonly bytes: Uint8Array
  readonly bounds: readonly number[]
}

function asciiTexts(documents: Documents): Texts {
  const { bytes, bounds, textField } = documents
  const decoder = new TextDecoder()
  const parts: Uint8Array[] = []
  const ends = [0]
  for (let i = 0; i + 1 < bounds.length; i++) {
    const line = decoder.decode(bytes.subarray(bounds[i]!, bounds[i + 1]! - 1))
    const text = encodeUtf8(String((JSON.parse(line) as Record<string, unknown>)[textField]))
    if (text.some(byte => byte > 127)) continue
    parts.push(text)
    ends.push(ends.at(-1)! + text.length)
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), bounds: ends }
}

/** The standard analyzer straight into a field's buffer: hash, append, no document around it. */
function invertTexts({ bytes, bounds }: Texts): number {
  const analyzer = new AnalysisRegistry(new Map()).defaultAnalyzer
  const field = new FieldBuffer(
    {
      name: 'body',
      indexOptions: 'positions',
      hasNorms: true,
      docValues: 'none',
      valueKind: 'long',
      hasPoints: false,
    },
    bufferMemory(),
  )
  for (let slot = 0; slot + 1 < bounds.length; slot++) {
    field.startDocument(slot)
    analyzer.analyzeBytes(bytes, bounds[slot]!, bounds[slot + 1]!, -1, field)
  }
  const { logLength } = field.tokens
  field.tokens.release()
  return logLength
}

/** As a write thread does it: the next buffer takes the memory of the one before. */
function released(buffer: InvertedBuffer): number {
  const { slotCount } = buffer
  buffer.release()
  return slotCount
}

function invert(documents: Documents): InvertedBuffer {
  const registry = new AnalysisRegistry(new Map())
  const mapping = parseMapping(
    parseJsonTree(
      encodeUtf8(`{"properties":{"${documents.textField}":{"type":"text"}},"dynamic":false}`),
    ),
    {
      limits: DEFAULT_MAPPING_LIMITS,
      hasAnalyzer: () => true,
      hasNormalizer: () => true,
      hasSimilarity: () => true,
    },
  )
  const memory = bufferMemory()
  const parser = new DocumentParser(mapping, 20, memory.kernels.plainRun)
  const staged = new StagedBytes(memory)
  const buffer = new InvertedBuffer()
  buffer.useMapping(mapping, registry)
  const { bytes, bounds } = documents
  const count = bounds.length - 1
  for (let first = 0; first < count; first += CHUNK) {
    const last = Math.min(first + CHUNK, count)
    const shift = staged.put(bytes, bounds[first]!, bounds[last]!) - bounds[first]!
    for (let i = first; i < last; i++) {
      parser.parse(memory.views.u8, bounds[i]! + shift, bounds[i + 1]! - 1 + shift, '')
      buffer.addDocument(parser.document, String(i), null)
    }
  }
  staged.release()
  return buffer
}

function sealed(buffer: InvertedBuffer): number {
  const seqNos = Float64Array.from({ length: buffer.slotCount }, (_, i) => i)
  const ones = new Float64Array(buffer.slotCount).fill(1)
  const made = sealBuffer(buffer, {
    seqNos,
    versions: new BigInt64Array(buffer.slotCount).fill(1n),
    primaryTerms: ones,
    deadSlots: new Int32Array(0),
    segmentId: new Uint8Array(16),
    created: 0,
    sort: '',
  })
  buffer.release()
  return made.segment.length + made.stored.length
}

/** The cost of an operation for the coordinating thread: its busy time over a bulk load. */
async function coordinator(documents: Documents, rounds: number): Promise<BenchResult> {
  const { bytes, bounds } = documents
  const count = bounds.length - 1
  const bodies: Uint8Array[] = []
  for (let start = 0; start < count; start += 5000) {
    const parts: Uint8Array[] = []
    for (let i = start; i < Math.min(start + 5000, count); i++)
      parts.push(
        encodeUtf8(`{"index":{"_index":"bench","_id":"${i}"}}\n`),
        bytes.subarray(bounds[i]!, bounds[i + 1]!),
      )
    bodies.push(Buffer.concat(parts))
  }
  const readings: number[] = []
  for (let round = -1; round < rounds; round++) {
    const engine = await openEngine({
      folder: null,
      settings: new Map([['lamella.threads.write', '1']]),
    })
    await engine.indices.create(
      {
        name: 'bench',
        settings: new Map([['index.refresh_interval', '-1']]),
        mappings: null,
        aliases: null,
        waitForActiveShards: 1,
      },
      trusted('indices:admin/create'),
    )
    const before = performance.eventLoopUtilization()
    await load(engine, bodies)
    const { active } = performance.eventLoopUtilization(before)
    if (round >= 0) readings.push((active * 1000) / count)
    await engine.close()
  }
  return resultOf('indexing/coordinator', 'µs/operation', readings, {
    mark: atMost(Math.min(...readings), 3, 'µs'),
  })
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
