import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BoxesReader } from '../../src/codec/boxes/reader.ts'
import { BytesReader } from '../../src/codec/bytes/reader.ts'
import { CompletionsReader } from '../../src/codec/completions/reader.ts'
import { DenseVectorsReader } from '../../src/codec/dense-vectors/reader.ts'
import { readSegmentFile } from '../../src/codec/directory/reader.ts'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { NumericValuesReader } from '../../src/codec/doc-values/reader.ts'
import { unframeFile } from '../../src/codec/file-frame.ts'
import { openIds } from '../../src/codec/ids/reader.ts'
import { readLiveDocs } from '../../src/codec/live-docs/reader.ts'
import { readManifest } from '../../src/codec/manifest/reader.ts'
import { NormsReader } from '../../src/codec/norms/reader.ts'
import { ParentsReader } from '../../src/codec/parents/reader.ts'
import { PointsReader } from '../../src/codec/points/reader.ts'
import { POSTINGS_SCRATCH_BYTES, PostingsReader } from '../../src/codec/postings/reader.ts'
import { StoredReader } from '../../src/codec/stored/reader.ts'
import { TermsReader } from '../../src/codec/terms/reader.ts'
import { TrianglesReader } from '../../src/codec/triangles/reader.ts'
import { VectorGraphReader } from '../../src/codec/vector-graph/reader.ts'
import { VectorsReader } from '../../src/codec/vectors/reader.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { CHECKPOINT_FILE, readCheckpoint } from '../../src/store/translog/log-checkpoint.ts'
import { openLogFile, readRecords } from '../../src/store/translog/log-file.ts'
import { readRecord } from '../../src/store/translog/log-record.ts'
import { decodeUtf8 } from '../../src/util/bytes.ts'
import { type FormatExample, formatExamples } from '../support/format-example.ts'
import { testArena } from '../support/test-arena.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const arena = testArena(8 << 20)

function examplesOf(file: string): FormatExample[] {
  return formatExamples(readFileSync(join(ROOT, file), 'utf8'))
}

/** The one field of which the examples of terms, postings and positions are parts. */
function openField(): { terms: TermsReader; postings: PostingsReader } {
  const sectionOf = (name: string) =>
    arena.section(examplesOf(`src/codec/${name}/format.ts`)[0]!.bytes, name)
  const terms = new TermsReader(sectionOf('terms'), 1)
  return {
    terms,
    postings: new PostingsReader(sectionOf('postings'), sectionOf('positions'), arena.kernels),
  }
}

/** Every document of a term, with its positions. */
function documentsOf(term: string): { doc: number; freq: number; positions: number[] }[] {
  const { terms, postings } = openField()
  const scratch = arena.scratch.allocate(POSTINGS_SCRATCH_BYTES)
  const iterator = postings.iterator(terms.lookupText(term)!, scratch)
  const found = []
  for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc()) {
    const freq = iterator.freq()
    found.push({
      doc,
      freq,
      positions: Array.from({ length: freq }, () => iterator.nextPosition()),
    })
  }
  return found
}

/** How an example of each file is decoded, by the reader that the program uses. */
const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  'src/codec/boxes/format.ts': bytes => {
    const docs: number[] = []
    const points: number[][] = []
    new BoxesReader(arena.section(bytes)).visitAll((doc, words) => {
      docs.push(doc)
      points.push([...words])
    })
    return { docs, points }
  },
  'src/codec/triangles/format.ts': bytes => {
    const docs: number[] = []
    const triangles: number[][] = []
    new TrianglesReader(arena.section(bytes)).visitAll((doc, words) => {
      docs.push(doc)
      triangles.push([...words])
    })
    return { docs, triangles }
  },
  'src/codec/bytes/format.ts': bytes => {
    const reader = new BytesReader(arena.section(bytes))
    const values = Array.from({ length: reader.maxDoc }, (_, doc) => {
      reader.advanceExact(doc)
      return Array.from({ length: reader.valueCount() }, (_, i) => [...reader.value(i)])
    })
    return { values }
  },
  'src/codec/completions/format.ts': bytes => {
    const reader = new CompletionsReader(arena.section(bytes))
    const cursor = reader.cursor()
    const entries = Array.from({ length: reader.count }, (_, entry) => {
      cursor.moveTo(entry)
      const key = decodeUtf8(cursor.key.slice(0, cursor.keyLength))
      return [key, cursor.weight, cursor.doc, decodeUtf8(cursor.surface())]
    })
    return { entries, maxima: [reader.maxWeight(0, 0)] }
  },
  'src/codec/dense-vectors/format.ts': bytes => {
    const reader = new DenseVectorsReader(arena.section(bytes))
    const vectors = [0, 1].map(doc => {
      const ord = reader.ordOf(doc)
      return ord < 0 ? null : reader.numbers(ord)
    })
    return { vectors }
  },
  'src/codec/vector-graph/format.ts': bytes => {
    const reader = new VectorGraphReader(arena.section(bytes))
    return { links: [[0, 1].map(rank => [...reader.neighbours(0, rank)])] }
  },
  'src/codec/directory/format.ts': bytes =>
    readSegmentFile('x', bytes.length, (at, length) => bytes.subarray(at, at + length)).directory,
  'src/codec/doc-values/format.ts': bytes => {
    const reader = new NumericValuesReader(arena.section(bytes))
    const values = Array.from({ length: reader.maxDoc }, (_, doc) =>
      reader.advanceExact(doc) ? reader.number() : null,
    )
    return { values, min: reader.minLo, max: reader.maxLo }
  },
  'src/codec/file-frame.ts': bytes => ({ body: [...unframeFile('x', bytes, 'metadata').body] }),
  'src/codec/ids/format.ts': bytes => {
    const reader = openIds(arena.section(bytes))
    const ids = [0, 1].map(doc => reader.id(doc).slice())
    expect(ids.map(id => reader.lookup(id))).toEqual([0, 1])
    return { ids: ids.map(decodeUtf8) }
  },
  'src/codec/live-docs/format.ts': bytes => {
    const { live, deletedCount } = readLiveDocs('x', bytes)
    const docs = Array.from({ length: live.size }, (_, doc) => doc)
    return { maxDoc: live.size, deletedCount, live: docs.filter(doc => live.has(doc)) }
  },
  'src/codec/manifest/format.ts': bytes => {
    const { storeId: _storeId, ...manifest } = readManifest('x', bytes)
    return manifest
  },
  'src/codec/parents/format.ts': bytes => {
    const reader = new ParentsReader(arena.section(bytes))
    const docs = Array.from({ length: reader.maxDoc }, (_, doc) => doc)
    expect(docs.map(doc => reader.next(doc))).toEqual([2, 2, 2, 3])
    expect(docs.map(doc => reader.previous(doc))).toEqual([-1, -1, 2, 3])
    return { parents: docs.filter(doc => reader.has(doc)) }
  },
  'src/codec/norms/format.ts': bytes => {
    const norms = new NormsReader(arena.section(bytes))
    const codes = Array.from({ length: norms.maxDoc }, (_, doc) =>
      norms.has(doc) ? norms.code(doc) : null,
    )
    return { maxDoc: norms.maxDoc, docCount: norms.docCount, codes }
  },
  'src/codec/points/format.ts': bytes => {
    const points = new PointsReader(arena.section(bytes))
    const docs: number[] = []
    const values: number[] = []
    points.visitAll((doc, _hi, lo) => {
      docs.push(doc)
      values.push(lo)
    })
    return { docs, values }
  },
  'src/codec/positions/format.ts': () => ({
    sea: documentsOf('sea').map(({ positions }) => positions),
    seal: documentsOf('seal').map(({ positions }) => positions),
  }),
  'src/codec/postings/format.ts': () => {
    const found = documentsOf('sea')
    return { docs: found.map(({ doc }) => doc), freqs: found.map(({ freq }) => freq) }
  },
  'src/codec/stored/format.ts': bytes => {
    const reader = new StoredReader('x', bytes.length, (at, n) => bytes.subarray(at, at + n))
    return Array.from({ length: reader.maxDoc }, (_, doc) => decodeUtf8(reader.read(doc)))
  },
  'src/codec/terms/format.ts': bytes => {
    const terms = new TermsReader(arena.section(bytes), 1)
    const found = []
    for (const iterator = terms.iterator(); iterator.next(); ) {
      const { docFreq, totalTermFreq, singleDoc, tailAt } = iterator.state()
      const place = singleDoc < 0 ? { tailAt } : { singleDoc }
      found.push({ term: decodeUtf8(iterator.term()), docFreq, totalTermFreq, ...place })
    }
    return found
  },
  'src/codec/vectors/format.ts': bytes => {
    const reader = new VectorsReader(arena.section(bytes))
    return {
      vectors: Array.from({ length: reader.maxDoc }, (_, doc) => {
        const terms: Record<string, number[][]> = {}
        const cursor = reader.cursor(doc)
        while (cursor.nextTerm()) {
          const tokens: number[][] = []
          while (cursor.nextToken()) tokens.push([cursor.position, cursor.start, cursor.end])
          terms[decodeUtf8(cursor.term.subarray(0, cursor.termLength))] = tokens
        }
        return terms
      }),
    }
  },
  'src/store/translog/log-checkpoint.ts': bytes => {
    const directory = new MemoryDirectory()
    directory.write(CHECKPOINT_FILE, bytes)
    const { id: _id, ...checkpoint } = readCheckpoint(directory)!
    return checkpoint
  },
  'src/store/translog/log-file.ts': bytes => {
    const directory = new MemoryDirectory()
    directory.write('translog_2', bytes)
    const file = openLogFile(directory, bytes.subarray(16, 32), 2)
    return { records: [...readRecords(file, 'translog_2', bytes.length, bytes.length)].length }
  },
  'src/store/translog/log-record.ts': bytes => {
    const operation = readRecord(Buffer.from(bytes), 0, bytes.length)!.operation()
    if (operation.kind !== 'index') throw new Error(`found a ${operation.kind}`)
    return { ...operation, source: decodeUtf8(operation.source) }
  },
}

function formatFiles(): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('/format.ts'))
    .map(file => `src/${file}`)
}

it('knows every file that draws a format', () => {
  const files = formatFiles()
  expect(files.length).toBeGreaterThan(10)
  expect(Object.keys(DECODERS)).toEqual(expect.arrayContaining(files))
})

describe.each([...new Set([...formatFiles(), ...Object.keys(DECODERS)])])('%s', file => {
  it('has a worked example that its reader decodes as it says', () => {
    arena.clear()
    arena.scratch.reset()
    const examples = examplesOf(file)
    expect(examples.length).toBeGreaterThan(0)
    for (const { title, bytes, decoded } of examples)
      expect(DECODERS[file]!(bytes), title).toEqual(decoded)
  })
})
