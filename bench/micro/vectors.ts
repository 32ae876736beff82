import type { DenseVectorsReader } from '../../dist/codec/dense-vectors/reader.js'
import type { VectorElement } from '../../dist/schema/knn-vector/vector-space.js'
import { UNWATCHED } from '../../dist/search/scorer/watch.js'
import { queryVector } from '../../dist/search/vector/comparison.js'
import { scanVectors } from '../../dist/search/vector/scan-vectors.js'
import { scoreBounds } from '../../dist/search/vector/score-bounds.js'
import { VectorScores } from '../../dist/search/vector/vector-scores.js'
import type { Leaf } from '../../dist/segment/leaf.js'
import { Random } from '../../dist/util/random.js'
import { micro } from '../lib/harness.ts'
import type { Bench } from '../lib/result.ts'
import { vectorLeaf } from '../lib/vector-leaf.ts'

const COUNT = 20_000
const DIMENSION = 384
const CLUSTERS = 200
const SEED = 384
/** Queries of one round. */
const QUERIES = 8

/** The exact top 10 of 20,000 vectors: all rows of float32, those that codes leave, and bits. */
export const vectors: Bench = {
  name: 'vectors',
  run() {
    const floats = leafOf('float', SEED)
    const bits = leafOf('binary', SEED)
    const scan = ({ leaf, reader, queries }: Filled, usesBounds: boolean) => {
      const space = reader.element === 'float' ? 'l2' : 'hamming'
      return () => {
        let sum = 0
        for (const query of queries) {
          leaf.scratch.reset()
          const found = scanVectors({
            vectors: reader,
            scores: new VectorScores(space, query, reader, leaf),
            bounds: usesBounds ? scoreBounds(space, query, reader, leaf) : null,
            docs: null,
            isLive: null,
            around: null,
            limit: 10,
            minScore: Number.NEGATIVE_INFINITY,
            watch: UNWATCHED,
          })
          sum += found.docs.reduce((all, doc) => all + doc, 0)
        }
        return sum
      }
    }
    return micro(
      'vectors',
      [
        { name: 'top 10, all rows of float32', run: scan(floats, false) },
        { name: 'top 10, rows that codes leave', run: scan(floats, true) },
        { name: 'top 10 of bits', run: scan(bits, false) },
      ],
      'ns/vector',
      COUNT * QUERIES,
    )
  },
}

interface Filled {
  readonly leaf: Leaf
  readonly reader: DenseVectorsReader
  readonly queries: readonly (Float32Array | Int8Array)[]
}

/** Vectors around some centres, as those of texts lie; the queries are others of them. */
function leafOf(element: VectorElement, seed: number): Filled {
  const random = new Random(seed)
  const length = element === 'binary' ? DIMENSION / 8 : DIMENSION
  const spread = (): number => random.next() + random.next() + random.next() - 1.5
  const centres = Array.from({ length: CLUSTERS }, () => Array.from({ length }, spread))
  const draw = (): number[] =>
    centres[random.below(CLUSTERS)]!.map(value => {
      const own = value + 0.7 * spread()
      return element === 'float' ? Math.fround(own) : Math.round(own * 40)
    })
  const { leaf, reader } = vectorLeaf(Array.from({ length: COUNT }, draw), element, null)
  return {
    leaf,
    reader,
    queries: Array.from({ length: QUERIES }, () => queryVector(draw(), element)),
  }
}
