import { LongColumn } from '../../dist/codec/doc-values/long-column.js'
import { NumericValuesReader } from '../../dist/codec/doc-values/reader.js'
import { writeNumericDocValues } from '../../dist/codec/doc-values/writer.js'
import { openIds } from '../../dist/codec/ids/reader.js'
import { writeIds } from '../../dist/codec/ids/writer.js'
import { PostingsWriter } from '../../dist/codec/postings/writer.js'
import { StoredReader } from '../../dist/codec/stored/reader.js'
import { StoredWriter } from '../../dist/codec/stored/writer.js'
import { TermsReader } from '../../dist/codec/terms/reader.js'
import { viewsOf } from '../../dist/store/arena.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { Random } from '../../dist/util/random.js'
import { micro } from '../lib/harness.ts'
import type { Bench } from '../lib/result.ts'

const COUNT = 100_000
const PROBES = 1000

/** Look-ups in the formats that are read value by value. */
export const codec: Bench = {
  name: 'codec',
  async run() {
    const random = new Random(8)
    const probes = Int32Array.from({ length: PROBES }, () => random.below(COUNT))
    const section = (bytes: Uint8Array) => {
      const buffer = new ArrayBuffer(Math.ceil(bytes.length / 4) * 4)
      new Uint8Array(buffer).set(bytes)
      return { views: viewsOf(buffer), start: 0, length: bytes.length, name: 'bench' }
    }
    const docs = Int32Array.from({ length: COUNT }, (_, i) => i)
    const column = new LongColumn(COUNT)
    for (let i = 0; i < COUNT; i++) column.pushNumber(random.below(1_000_000))
    const values = new NumericValuesReader(
      section(writeNumericDocValues(docs, column, COUNT, COUNT, 'long')),
    )
    const ids = Array.from(docs, i => encodeUtf8(`document-${i}`))
    const offsets = new Uint32Array(COUNT + 1)
    for (let i = 0; i < COUNT; i++) offsets[i + 1] = offsets[i]! + ids[i]!.length
    const idReader = openIds(section(writeIds(new Uint8Array(Buffer.concat(ids)), offsets, COUNT)))
    const sorted = [...ids].sort(Buffer.compare)
    const writer = new PostingsWriter({
      hasFreqs: true,
      hasPositions: false,
      norms: null,
      averageLength: 1,
    })
    const one = Int32Array.of(1)
    for (const name of sorted) writer.addTerm(name, 0, name.length, one, one, 0, 1, null, 0)
    const terms = new TermsReader(section(writer.finish().terms), 1)
    const stored = new StoredWriter(new Uint8Array(16))
    for (let i = 0; i < 2000; i++)
      stored.add(encodeUtf8(JSON.stringify({ i, t: 'text '.repeat(60) })))
    const file = stored.finish()
    const sources = new StoredReader('bench', file.length, (at, n) => file.subarray(at, at + n))
    return [
      ...(await micro(
        'codec',
        [
          {
            name: 'numeric value of a random document',
            run() {
              let sum = 0
              for (let i = 0; i < PROBES; i++) {
                values.advanceExact(probes[i]!)
                sum += values.number()
              }
              return sum
            },
          },
          {
            name: 'document of a random id',
            run() {
              let sum = 0
              for (let i = 0; i < PROBES; i++) sum += idReader.lookup(ids[probes[i]!]!)
              return sum
            },
          },
          {
            name: 'state of a random term',
            run() {
              let sum = 0
              for (let i = 0; i < PROBES; i++) sum += terms.lookup(sorted[probes[i]!]!)!.docFreq
              return sum
            },
          },
        ],
        'ns/look-up',
        PROBES,
      )),
      ...(await micro(
        'codec',
        [{ name: 'source without a cache', run: () => sources.read(1234) }],
        'ns/document',
        1,
      )),
    ]
  },
}
