import { POSTINGS_SCRATCH_BYTES, PostingsReader } from '../../dist/codec/postings/reader.js'
import { PostingsWriter } from '../../dist/codec/postings/writer.js'
import { TermsReader } from '../../dist/codec/terms/reader.js'
import { type Decoders, instantiateKernels } from '../../dist/kernels/kernel-module.js'
import { twinKernels } from '../../dist/kernels/twin.js'
import { createMemory, viewsOf } from '../../dist/store/arena.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { Random } from '../../dist/util/random.js'
import { micro } from '../lib/harness.ts'
import { atMost, type Bench } from '../lib/result.ts'

const DOCS = 128 * 2000

/** Decoding of a dense term: doc IDs, prefix sums and frequencies of 2,000 blocks. */
export const kernels: Bench = {
  name: 'kernels',
  async run() {
    const memory = createMemory(64 << 20)
    const views = viewsOf(memory.buffer)
    const random = new Random(3)
    const docs = new Int32Array(DOCS)
    const freqs = new Int32Array(DOCS)
    for (let i = 0, doc = -1; i < DOCS; i++) {
      doc += 1 + random.below(6)
      docs[i] = doc
      freqs[i] = 1 + (random.below(3) === 0 ? random.below(6) : 0)
    }
    const writer = new PostingsWriter({
      hasFreqs: true,
      hasPositions: false,
      norms: null,
      averageLength: 1,
    })
    const name = encodeUtf8('term')
    writer.addTerm(name, 0, name.length, docs, freqs, 0, DOCS, null, 0)
    const made = writer.finish()
    const load = (bytes: Uint8Array, start: number) => {
      views.u8.set(bytes, start)
      return { views, start, length: bytes.length, name: 'bench' }
    }
    const state = new TermsReader(load(made.terms, 1 << 20), 1).lookup(name)!
    const section = load(made.postings, 2 << 20)
    const simd = instantiateKernels(memory)
    const twin = twinKernels(memory)
    const walk = (kernel: Decoders) => {
      const reader = new PostingsReader(section, null, kernel)
      return () => {
        let sum = 0
        const iterator = reader.iterator(state, 65536)
        for (let block = 0; block < DOCS; block += 128) {
          iterator.advance(docs[block]!)
          sum += iterator.freq()
        }
        return sum + POSTINGS_SCRATCH_BYTES
      }
    }
    if (walk(simd)() !== walk(twin)()) throw new Error('kernel and twin differ')
    const results = await micro(
      'kernels',
      [
        { name: 'docs and freqs', run: walk(simd) },
        { name: 'docs and freqs, twin', run: walk(twin) },
      ],
      'ns/posting',
      DOCS,
    )
    const [fast, slow] = results
    const crossing = await micro(
      'kernels',
      [
        {
          name: 'call into the module',
          run() {
            let sum = 0
            for (let i = 0; i < 1000; i++) sum += simd.cross(i)
            return sum
          },
        },
      ],
      'ns/call',
      1000,
    )
    return [
      {
        ...fast!,
        against: { name: slow!.name, ratio: slow!.min / fast!.min },
        mark: atMost(fast!.min, 0.5, 'ns')!,
      },
      { ...slow!, mark: atMost(slow!.min, 4, 'ns')! },
      ...crossing,
    ]
  },
}
