/**
 * Merges one field of several leaves: terms and postings in term order; norms, doc values and
 * points by merged documents. Reads the leaves in place; no document is parsed.
 */
import type { FieldPostings } from '../codec/postings/writer.ts'
import { METADATA_NAMES } from '../schema/field-parser.ts'
import { BitSet } from '../util/bit-set.ts'
import type { FieldSections, NumericColumn } from './field-sections.ts'
import {
  mergeBoxes,
  mergeBytes,
  mergeCompletions,
  mergeNorms,
  mergeOrdinals,
  mergePoints,
  mergeTriangles,
  mergeValues,
  mergeVectors,
} from './merge-columns.ts'
import { mergeDenseVectors } from './merge-dense-vectors.ts'
import type { MergedDocs } from './merged-docs.ts'
import { type MergedLeaf, mergedField } from './merged-field.ts'
import { TermsMerger } from './terms-merger.ts'

/**
 * Merges one field of several leaves; null when no live document has it.
 * @param leaves min one of them has the field
 * @param docs   of the merged segment
 * @param goOn   called for each term; throws to abandon the merge
 */
export function mergeField(
  name: string,
  leaves: readonly MergedLeaf[],
  docs: MergedDocs,
  goOn: () => void,
): FieldSections | null {
  const field = mergedField(name, leaves, docs)
  const { parts } = field
  const { info } = parts[0]!
  const terms = new TermsMerger(field, goOn)
  const { valueKind } = info
  const hasCompletions = parts.some(({ leaf }) => leaf.completions(name) !== null)
  // Old segments keep the inputs of completions as terms, which nothing reads any more.
  const indexOptions = hasCompletions ? 'none' : info.indexOptions
  // Documents indexed after norms were turned off have none: see `NO_NORM_CODE`.
  const norms = parts.some(part => part.info.hasNorms) ? mergeNorms(field) : null
  const hasTerms = !hasCompletions && parts.some(part => part.info.termCount > 0)
  const hasOrdinals = parts.some(part => part.info.docValues === 'ordinals')
  const hasOrdinalPoints = valueKind === 'ordinal' && parts.some(part => part.info.hasPoints)
  const ordMaps =
    hasOrdinals || hasOrdinalPoints
      ? parts.map(part => new Int32Array(part.info.termCount).fill(-1))
      : null
  let postings: FieldPostings | null = null
  let termDocCount = 0
  let averageLength = 0
  if (hasTerms || indexOptions !== 'none') {
    if (indexOptions === 'none') postings = terms.dictionary(ordMaps!)
    else {
      const merged = terms.postings(indexOptions, norms?.codes ?? null, ordMaps)
      postings = merged.postings
      termDocCount = merged.termDocCount
      averageLength = termDocCount === 0 ? 0 : Math.fround(postings.sumTotalTermFreq / termDocCount)
    }
  }
  const hasValues = parts.some(part => part.info.docValues === 'numeric')
  const values = hasValues ? mergeValues(field) : null
  const ordinals = hasOrdinals ? mergeOrdinals(field, ordMaps!) : null
  // Old segments have points for sequence numbers, which are not read.
  const hasPoints = !METADATA_NAMES.has(name) && parts.some(part => part.info.hasPoints)
  const points = !hasPoints ? null : (values ?? ordinals ?? mergePoints(field, ordMaps))
  const ords = ordinals ?? (hasOrdinalPoints ? points : null)
  if (indexOptions === 'none' && ords !== null) termDocCount = countDocuments(ords, docs.maxDoc)
  const hasBytes = parts.some(part => part.info.docValues === 'bytes')
  const bytes = hasBytes ? mergeBytes(field) : null
  const boxes = mergeBoxes(field)
  const triangles = mergeTriangles(field)
  const dense = mergeDenseVectors(field)
  const denseVectors = dense?.column ?? null
  const completions = hasCompletions ? mergeCompletions(field) : null
  const vectors = mergeVectors(field)
  const columns = [norms, values, points, bytes, boxes, triangles, denseVectors, completions]
  if ((postings?.termCount ?? 0) === 0 && columns.every(column => column === null)) return null
  return {
    name,
    indexOptions,
    valueKind,
    postings,
    termDocCount,
    averageLength,
    norms,
    values,
    ordinals,
    bytes,
    points,
    boxes,
    triangles,
    denseVectors,
    graph: dense?.graph ?? null,
    completions,
    vectors,
  }
}

/** Distinct documents of a column. */
function countDocuments({ docs, count }: NumericColumn, maxDoc: number): number {
  const seen = new BitSet(maxDoc)
  for (let i = 0; i < count; i++) seen.add(docs[i]!)
  return seen.count()
}
