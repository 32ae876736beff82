import type { Leaf } from '../../segment/leaf.ts'
import { murmur3 } from '../../util/murmur3.ts'
import { AllDocsIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier, TwoPhase } from '../scorer/scorer.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyText, USES_OF_COSTLY } from './key-text.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import type { SliceWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Steps of reading and hashing one document's id or numbers. */
const STEPS_TO_HASH = 8

/**
 * One of several parts of all documents, by the hash of their ids or of their numbers: it depends on
 * these alone, so that a document stays in its part from snapshot to snapshot.
 */
export const sliceWeight: WeightType<SliceWeight> = {
  supplier: sliceSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: () => -1,
  steps: (_node, _states, segment) => STEPS_TO_HASH * segment.maxDoc,
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  isDivisible: () => true,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: ({ column, field, slice, max }) =>
    `s${column === 'ids' ? 'i' : `n${keyText(field)}`}${slice}/${max};`,
  minUsesToCache: () => USES_OF_COSTLY,
  record: 'serialised',
}

function sliceSupplier(node: SliceWeight, context: ScorerContext): ScorerSupplier {
  const { leaf } = context
  return supplier(leaf.maxDoc, () => {
    const approximation = new AllDocsIterator(leaf.maxDoc)
    const hashOf = node.column === 'ids' ? hashOfIds(leaf) : hashOfNumbers(leaf, node.field)
    const { slice, max } = node
    const check: TwoPhase = {
      approximation,
      matches: () => (hashOf(approximation.docId()) >>> 0) % max === slice,
      matchCost: () => STEPS_TO_HASH,
    }
    return constantScorer(context, node.score, approximation, check)
  })
}

/** Not that of routing, by which the documents of a shard are alike. */
const SEED = 0x5bd1e995

function hashOfIds(leaf: Leaf): (doc: number) => number {
  const ids = leaf.ids()
  return doc => murmur3(ids.id(doc), SEED)
}

/** Of all values of a document; those without any hash to 0. */
function hashOfNumbers(leaf: Leaf, field: string): (doc: number) => number {
  const values = leaf.numericValues(field)
  const words = new Int32Array(2)
  const bytes = new Uint8Array(words.buffer)
  return doc => {
    if (values === null || !values.advanceExact(doc)) return 0
    const count = values.valueCount()
    let hash = SEED
    for (let i = 0; i < count; i++) {
      if (count > 1) values.select(i)
      words[0] = values.lo()
      words[1] = values.hi()
      hash = murmur3(bytes, hash)
    }
    return hash
  }
}
