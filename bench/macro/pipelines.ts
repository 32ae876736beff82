import {
  type PipelineBatch,
  PipelineLane,
  type PipelineSet,
} from '../../dist/pipeline/pipeline-lane.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const NO_SCRIPTS: PipelineSet['scripts'] = {
  stored: new Map(),
  regex: { regex: 'limited', regexLimitFactor: 6 },
}

const DOCUMENTS = 20_000
const BATCH = 1000
const WARM_UP = 3

/** Name, processors, microseconds a document that they may take. */
const CASES = [
  [
    'set, rename, grok and date',
    [
      { set: { field: 'kind', value: 'access' } },
      { rename: { field: 'host', target_field: 'server' } },
      { grok: { field: 'message', patterns: ['%{COMMONAPACHELOG}'] } },
      { date: { field: 'timestamp', formats: ['dd/MMM/yyyy:HH:mm:ss Z'] } },
    ],
    // 60,000 documents a second.
    16.6,
  ],
  ['set', [{ set: { field: 'kind', value: 'access' } }], 10],
  [
    'gsub, split and kv',
    [
      { gsub: { field: 'message', pattern: '\\d+', replacement: '#', target_field: 'shape' } },
      { split: { field: 'message', separator: '\\s+', target_field: 'words' } },
      { kv: { field: 'pairs', field_split: '&', value_split: '=' } },
    ],
    50,
  ],
] as const

/** Lines of a web server's log, from the bytes of requests to those of documents, on the thread of pipelines. */
export const pipelines: Bench = {
  name: 'pipelines',
  async run({ rounds }) {
    const definitions = new Map(
      CASES.map(([name, processors]) => [
        name as string,
        encodeUtf8(JSON.stringify({ processors })),
      ]),
    )
    const lane = new PipelineLane()
    const results: BenchResult[] = []
    try {
      for (const [name, , mark] of CASES) {
        const batches = batchesFor(name)
        const micros: number[] = []
        for (let round = -WARM_UP; round < rounds; round++) {
          const start = performance.now()
          const answers = await Promise.all(
            batches.map(batch =>
              lane.run({ generation: 1, definitions, scripts: NO_SCRIPTS }, batch),
            ),
          )
          const elapsed = performance.now() - start
          const failures = answers.reduce((sum, { errors }) => sum + errors.size, 0)
          if (failures > 0) throw new Error(`${name}: ${failures} documents failed`)
          if (round >= 0) micros.push((elapsed * 1000) / DOCUMENTS)
        }
        const least = Math.min(...micros)
        results.push(
          resultOf(`pipelines/${name}`, 'µs/document', micros, {
            mark: atMost(least, mark, 'µs/document'),
          }),
        )
      }
    } finally {
      await lane.close()
    }
    return results
  },
}

function batchesFor(pipeline: string): PipelineBatch[] {
  return Array.from({ length: DOCUMENTS / BATCH }, (_, n) => {
    const sources = Array.from({ length: BATCH }, (_, i) => encodeUtf8(source(n * BATCH + i)))
    const bounds = new Uint32Array(2 * BATCH)
    let length = 0
    for (const [i, { length: size }] of sources.entries()) {
      bounds[2 * i] = length
      length += size
      bounds[2 * i + 1] = length
    }
    return {
      bytes: new Uint8Array(Buffer.concat(sources)),
      bounds,
      metadata: sources.map((_, i) => ({
        index: 'logs',
        id: String(n * BATCH + i),
        routing: null,
        version: -3n,
        versionType: 'internal',
        ifSeqNo: null,
        ifPrimaryTerm: null,
      })),
      chains: [{ ids: [pipeline], endsFinal: false }],
      chainOf: new Uint32Array(BATCH),
      timestamp: '2020-01-01T00:00:00.000Z',
    }
  })
}

function source(i: number): string {
  const second = String(i % 60).padStart(2, '0')
  return JSON.stringify({
    host: `web${i % 7}`,
    message:
      `10.0.${i % 255}.1 - frank [10/Oct/2000:13:55:${second} -0700] ` +
      `"GET /page.gif?i=${i} HTTP/1.0" 200 ${2000 + i}`,
    pairs: `user=${i % 100}&place=${i % 9}&kind=a`,
    tags: ['a', 'b'],
  })
}
