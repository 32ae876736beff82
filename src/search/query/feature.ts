import type { Leaf } from '../../segment/leaf.ts'
import { floatText } from '../../util/json/float-text.ts'
import { decodedFeature } from '../scorer/feature-value.ts'
import { type FeatureQuery, matchNone, type Query } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents with a feature, scored by a function of its number. */
export const featureQuery: QueryType<FeatureQuery> = {
  className: () => 'FeatureQuery',
  text: query =>
    `FeatureQuery(field=${query.shownField}, feature=${query.feature}, ` +
    `function=${functionText(query.function)})`,
  clauseCount: () => 1,
  mapInner: null,
  unscored: ({ field, feature }) => ({
    kind: 'constantScore',
    query: { kind: 'term', field, term: feature },
  }),
  onShard(query, leaves): Query {
    const { function: fn } = query
    if (fn.kind !== 'saturation' || fn.pivot !== null) return query
    return { ...query, function: { kind: 'saturation', pivot: meanFeature(query, leaves) } }
  },
  createWeight(query, builder, id, boost, scored) {
    const { field, shownField, feature, function: fn } = query
    if (fn.kind === 'saturation' && fn.pivot === null)
      return builder.createAs(id, this.onShard!(query, builder.leaves), boost, scored)
    const { terms } = builder
    const termId = terms.termId(field, feature)
    terms.use(field, 'postings')
    builder.cost += terms.docFreqOf(termId)
    builder.openPostings++
    if (terms.docFreqOf(termId) === 0)
      return builder.createAs(id, matchNone('no document has the feature'), boost, scored)
    return { kind: 'feature', id, field, shownField, feature, termId, function: fn, boost, scored }
  },
}

function functionText(fn: FeatureQuery['function']): string {
  switch (fn.kind) {
    case 'log':
      return `LogFunction(scalingFactor=${floatText(fn.scalingFactor)})`
    case 'saturation':
      return `SaturationFunction(pivot=${fn.pivot === null ? 'null' : floatText(fn.pivot)})`
    case 'sigmoid':
      return `SigmoidFunction(pivot=${floatText(fn.pivot)}, a=${floatText(fn.exponent)})`
    case 'linear':
      return 'LinearFunction'
  }
}

/** The feature's mean number over the shard, by the bits that frequencies hold. */
function meanFeature({ field, feature }: FeatureQuery, leaves: readonly Leaf[]): number {
  let [docFreq, sum] = [0, 0]
  for (const leaf of leaves) {
    if (leaf.fieldInfo(field) === null) continue
    const state = leaf.terms(field)?.lookupText(feature) ?? null
    docFreq += state?.docFreq ?? 0
    sum += state?.totalTermFreq ?? 0
  }
  return docFreq === 0 ? 1 : decodedFeature(Math.trunc(Math.fround(sum / docFreq)))
}
