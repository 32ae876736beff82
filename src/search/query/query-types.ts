/** The total table of query kinds: a kind without an entry does not compile. */

import { addressInSetQuery } from './address-in-set.ts'
import { addressRangeQuery } from './address-range.ts'
import { blendedQuery } from './blended.ts'
import { blockJoinQuery } from './block-join.ts'
import { booleanQuery } from './boolean.ts'
import { boostQuery } from './boost.ts'
import { boostingQuery } from './boosting.ts'
import { combinedFieldsQuery } from './combined-fields.ts'
import { constantScoreQuery } from './constant-score.ts'
import { coveringQuery } from './covering.ts'
import { derivedQuery } from './derived.ts'
import { disjunctionMaxQuery } from './disjunction-max.ts'
import { distanceFeatureQuery } from './distance-feature.ts'
import { eitherTermsQuery } from './either-terms.ts'
import { featureQuery } from './feature.ts'
import { fieldExistsQuery } from './field-exists.ts'
import { functionScoreQuery } from './function-score.ts'
import { fuzzyQuery } from './fuzzy.ts'
import { geoAreaQuery } from './geo-area.ts'
import { geoShapeQuery } from './geo-shape.ts'
import { hybridQuery } from './hybrid.ts'
import { idsQuery } from './ids.ts'
import { integerRunsQuery } from './integer-runs.ts'
import { intervalQuery } from './interval.ts'
import { joinQuery } from './join.ts'
import { matchAllQuery } from './match-all.ts'
import { matchNoneQuery } from './match-none.ts'
import { moreLikeThisQuery } from './more-like-this.ts'
import { multiPhraseQuery } from './multi-phrase.ts'
import { nearestQuery } from './nearest.ts'
import { nestedWithinQuery } from './nested-within.ts'
import { patternQuery } from './pattern.ts'
import { phraseQuery } from './phrase.ts'
import { phrasePrefixQuery } from './phrase-prefix.ts'
import { pointInSetQuery } from './point-in-set.ts'
import { pointRangeQuery } from './point-range.ts'
import { positionIntervalsQuery } from './position-intervals.ts'
import { prefixQuery } from './prefix.ts'
import type { Query } from './query.ts'
import type { QueryOf, QueryType } from './query-type.ts'
import { scriptQuery } from './script.ts'
import { scriptScoreQuery } from './script-score.ts'
import { seenQuery } from './seen.ts'
import { similarityQuery } from './similarity.ts'
import { sliceQuery } from './slice.ts'
import { spanQuery } from './span.ts'
import { synonymQuery } from './synonym.ts'
import { termQuery } from './term.ts'
import { termRangeQuery } from './term-range.ts'
import { termsInSetQuery } from './terms-in-set.ts'
import { vectorScoreQuery } from './vector-score.ts'
import { vectorsQuery } from './vectors.ts'

const QUERY_TYPES: { readonly [K in Query['kind']]: QueryType<QueryOf<K>> } = {
  addressInSet: addressInSetQuery,
  addressRange: addressRangeQuery,
  blended: blendedQuery,
  blockJoin: blockJoinQuery,
  boolean: booleanQuery,
  boost: boostQuery,
  boosting: boostingQuery,
  combinedFields: combinedFieldsQuery,
  constantScore: constantScoreQuery,
  covering: coveringQuery,
  derived: derivedQuery,
  seen: seenQuery,
  disMax: disjunctionMaxQuery,
  distanceFeature: distanceFeatureQuery,
  eitherTerms: eitherTermsQuery,
  feature: featureQuery,
  fieldExists: fieldExistsQuery,
  functionScore: functionScoreQuery,
  fuzzy: fuzzyQuery,
  geoArea: geoAreaQuery,
  geoShape: geoShapeQuery,
  hybrid: hybridQuery,
  ids: idsQuery,
  integerRuns: integerRunsQuery,
  interval: intervalQuery,
  join: joinQuery,
  vectors: vectorsQuery,
  vectorScore: vectorScoreQuery,
  nearest: nearestQuery,
  matchAll: matchAllQuery,
  matchNone: matchNoneQuery,
  moreLikeThis: moreLikeThisQuery,
  multiPhrase: multiPhraseQuery,
  nestedWithin: nestedWithinQuery,
  pattern: patternQuery,
  phrase: phraseQuery,
  phrasePrefix: phrasePrefixQuery,
  pointInSet: pointInSetQuery,
  pointRange: pointRangeQuery,
  positionIntervals: positionIntervalsQuery,
  prefix: prefixQuery,
  script: scriptQuery,
  scriptScore: scriptScoreQuery,
  similarity: similarityQuery,
  slice: sliceQuery,
  span: spanQuery,
  synonym: synonymQuery,
  term: termQuery,
  termRange: termRangeQuery,
  termsInSet: termsInSetQuery,
}

/** The table entry of a query's kind, typed to take that query. */
export function typeOf(query: Query): QueryType<Query> {
  return QUERY_TYPES[query.kind] as QueryType<Query>
}
