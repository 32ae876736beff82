/** The total table of weight kinds: a kind without an entry does not compile. */
import { allWeight } from './all.ts'
import { blockJoinWeight } from './block-join.ts'
import { booleanWeight } from './boolean.ts'
import { boostingWeight } from './boosting.ts'
import { boxWeight } from './box.ts'
import { combinedFieldsWeight } from './combined-fields.ts'
import { constantWeight } from './constant.ts'
import { coveringWeight } from './covering.ts'
import { derivedWeight } from './derived.ts'
import { disMaxWeight } from './dis-max.ts'
import { distanceFeatureWeight } from './distance-feature.ts'
import { existsWeight } from './exists.ts'
import { featureWeight } from './feature.ts'
import { functionScoreWeight } from './function-score.ts'
import { geoAreaWeight } from './geo-area.ts'
import { geoShapeWeight } from './geo-shape.ts'
import { hybridWeight } from './hybrid.ts'
import { idsWeight } from './ids.ts'
import { joinWeight } from './join.ts'
import { multiPhraseWeight } from './multi-phrase.ts'
import { multiTermWeight } from './multi-term.ts'
import { nearestWeight } from './nearest.ts'
import { nestedWithinWeight } from './nested-within.ts'
import { noneWeight } from './none.ts'
import { phraseWeight } from './phrase.ts'
import { pointWeight } from './point.ts'
import { positionIntervalsWeight } from './position-intervals.ts'
import { scriptWeight } from './script.ts'
import { scriptScoreWeight } from './script-score.ts'
import { sliceWeight } from './slice.ts'
import { spanWeight } from './span.ts'
import { synonymWeight } from './synonym.ts'
import { termWeight } from './term.ts'
import { termPointWeight } from './term-point.ts'
import { vectorScoreWeight } from './vector-score.ts'
import { vectorsWeight } from './vectors.ts'
import type { WeightNode } from './weight-node.ts'
import type { WeightOf, WeightType } from './weight-type.ts'

const WEIGHT_TYPES: { readonly [K in WeightNode['kind']]: WeightType<WeightOf<K>> } = {
  all: allWeight,
  blockJoin: blockJoinWeight,
  boolean: booleanWeight,
  boosting: boostingWeight,
  box: boxWeight,
  combinedFields: combinedFieldsWeight,
  constant: constantWeight,
  covering: coveringWeight,
  derived: derivedWeight,
  disMax: disMaxWeight,
  distanceFeature: distanceFeatureWeight,
  exists: existsWeight,
  feature: featureWeight,
  functionScore: functionScoreWeight,
  geoArea: geoAreaWeight,
  geoShape: geoShapeWeight,
  hybrid: hybridWeight,
  ids: idsWeight,
  join: joinWeight,
  vectors: vectorsWeight,
  vectorScore: vectorScoreWeight,
  nearest: nearestWeight,
  multiPhrase: multiPhraseWeight,
  multiTerm: multiTermWeight,
  nestedWithin: nestedWithinWeight,
  none: noneWeight,
  phrase: phraseWeight,
  point: pointWeight,
  script: scriptWeight,
  scriptScore: scriptScoreWeight,
  slice: sliceWeight,
  positionIntervals: positionIntervalsWeight,
  span: spanWeight,
  synonym: synonymWeight,
  term: termWeight,
  termPoint: termPointWeight,
}

/** Kinds by their ord in records that cross threads; both sides run the same code. */
export const WEIGHT_KINDS: readonly WeightNode['kind'][] = Object.keys(
  WEIGHT_TYPES,
) as WeightNode['kind'][]

/** The table entry of a kind. */
export function typeOf(kind: WeightNode['kind']): WeightType<WeightNode> {
  return WEIGHT_TYPES[kind] as WeightType<WeightNode>
}
