import type { FieldInfo } from '../../codec/directory/format.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator, PresenceIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { VectorDocsIterator } from '../scorer/vector-docs-iterator.ts'
import { addPostings } from './add-postings.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyText, USES_OF_OTHERS } from './key-text.ts'
import { constantScorer, openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import { docCountOf, STEPS_OF_BIT } from './step-costs.ts'
import type { Weight } from './weight.ts'
import type { ExistsWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents that have a field. */
export const existsWeight: WeightType<ExistsWeight> = {
  supplier: existsSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: existsCount,
  steps: (node, _states, segment) => docCountOf(segment, node.field),
  setSteps: ({ field, nameId }, _states, segment) =>
    nameId === null && COLUMNS.includes(segment.fields.get(field)?.docValues ?? 'none')
      ? STEPS_OF_BIT * segment.maxDoc
      : 0,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  // Its bit set covers the whole leaf.
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet(node, states, leaf) {
    const name = node.nameId === null ? null : (states.terms[node.nameId] ?? null)
    const column = columnOf(node.field, leaf)
    if (name !== null && ownCount(leaf, node.field) === null)
      return { kind: 'terms', field: '_field_names', states: [name] }
    if (name !== null || column?.hasBlocks !== true) return { kind: 'iterators', node }
    const at = column.addresses().presence
    return at === 0 ? { kind: 'all' } : { kind: 'presence', at }
  },
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: node => `e${keyText(node.field)}${node.nameId === null ? 0 : 1}`,
  minUsesToCache: () => USES_OF_OTHERS,
  record: 'serialised',
}

/** Kinds of doc values whose documents lie in a leaf as bits. */
const COLUMNS: readonly FieldInfo['docValues'][] = ['numeric', 'ordinals']

/** The column of such a field; null where the leaf has none. */
function columnOf(field: string, leaf: Leaf): NumericValuesReader | null {
  const kind = leaf.fieldInfo(field)?.docValues
  if (kind === 'numeric') return leaf.numericValues(field)
  return kind === 'ordinals' ? (leaf.ordinals(field)?.values ?? null) : null
}

/** Reads doc values, norms or the list of field names. */
function existsSupplier(node: ExistsWeight, context: ScorerContext): ScorerSupplier | null {
  const name = node.nameId === null ? null : (context.states.terms[node.nameId] ?? null)
  const own = ownPresence(node.field, context)
  if (name === null) {
    if (own === null) return null
    return supplier(own.cost(), () => constantScorer(context, node.score, own))
  }
  if (own === null)
    return supplier(name.docFreq, () =>
      constantScorer(context, node.score, openPostings('_field_names', name, context)),
    )
  // Norms were turned off later: older documents have a norm, newer ones are listed.
  const { maxDoc } = context.leaf
  return supplier(Math.min(name.docFreq + own.cost(), maxDoc), () => {
    const bits = new BitSet(maxDoc)
    addPostings(bits, '_field_names', name, context)
    for (let doc = own.nextDoc(); doc !== NO_MORE_DOCS; doc = own.nextDoc()) {
      bits.add(doc)
      context.watch.spend(1)
    }
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** Documents with the field's doc value or norm; null when the leaf has neither. */
function ownPresence(field: string, context: ScorerContext): DocIdIterator | null {
  const { leaf, watch } = context
  const info = leaf.fieldInfo(field)
  const column = columnOf(field, leaf)
  if (column !== null) return column.docs()
  if (info?.docValues === 'bytes') return leaf.bytes(field)?.docs() ?? null
  if (info?.docValues === 'shapes') {
    const bits = new BitSet(leaf.maxDoc)
    leaf.triangles(field)?.visitDocs(doc => bits.add(doc))
    return new BitSetIterator(bits, bits.count())
  }
  if (info?.docValues === 'vectors') {
    const vectors = leaf.denseVectors(field)
    return vectors === null ? null : new VectorDocsIterator(vectors)
  }
  const norms = info?.hasNorms === true ? leaf.norms(field) : null
  if (norms === null) return null
  return new PresenceIterator(leaf.maxDoc, norms.docCount, doc => norms.has(doc), watch)
}

/**
 * The live documents of a shard that match an `exists` node; −1 when they must be counted: a leaf
 * with deletes in which some documents lack the field, or which lists it for some and has norms for
 * others.
 */
function existsCount(
  { field, nameId }: ExistsWeight,
  weight: Weight,
  leaves: readonly Leaf[],
): number {
  let matches = 0
  for (const leaf of leaves) {
    const listed =
      nameId === null ? null : (weight.leaves[leaf.ord]?.terms[nameId]?.docFreq ?? null)
    const own = ownCount(leaf, field)
    if (listed !== null && own !== null) return -1
    const count = listed ?? own ?? 0
    if (count === leaf.maxDoc) matches += leaf.numDocs
    else if (leaf.numDocs < leaf.maxDoc) return -1
    else matches += count
  }
  return matches
}

/**
 * Number of a leaf's documents with the field's doc value or norm; null when the leaf has neither.
 */
function ownCount(leaf: Leaf, field: string): number | null {
  const info = leaf.fieldInfo(field)
  const column = columnOf(field, leaf)
  if (column !== null) return column.docCount
  if (info?.docValues === 'bytes') return leaf.bytes(field)?.docCount ?? null
  if (info?.docValues === 'shapes') return leaf.triangles(field)?.docCount ?? null
  if (info?.docValues === 'vectors') return leaf.denseVectors(field)?.count ?? null
  return info?.hasNorms === true ? (leaf.norms(field)?.docCount ?? null) : null
}
