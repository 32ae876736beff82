/** The table of the DSL's queries: every name of the real API with its parser, or that it is not built. */
import { boolParser } from './bool.ts'
import { boostingParser } from './boosting.ts'
import { combinedFieldsParser } from './combined-fields.ts'
import { constantScoreParser } from './constant-score.ts'
import { disMaxParser } from './dis-max.ts'
import { distanceFeatureParser } from './distance-feature.ts'
import { existsParser } from './exists.ts'
import { functionScoreParser } from './function-score.ts'
import { fuzzyParser } from './fuzzy.ts'
import { geoBoundingBoxParser } from './geo-bounding-box.ts'
import { geoDistanceParser } from './geo-distance.ts'
import { geoPolygonParser } from './geo-polygon.ts'
import { geoShapeParser } from './geo-shape.ts'
import { hasChildParser } from './has-child.ts'
import { hasParentParser } from './has-parent.ts'
import { hybridParser } from './hybrid.ts'
import { idsParser } from './ids.ts'
import { intervalsParser } from './intervals.ts'
import { knnParser } from './knn.ts'
import { matchParser } from './match.ts'
import { matchAllParser } from './match-all.ts'
import { matchBoolPrefixParser } from './match-bool-prefix.ts'
import { matchNoneParser } from './match-none.ts'
import { matchPhraseParser } from './match-phrase.ts'
import { matchPhrasePrefixParser } from './match-phrase-prefix.ts'
import { moreLikeThisParser } from './more-like-this.ts'
import { multiMatchParser } from './multi-match.ts'
import { nestedParser } from './nested.ts'
import { parentIdParser } from './parent-id.ts'
import { prefixParser } from './prefix.ts'
import type { QueryParser } from './query-parser.ts'
import { queryStringParser } from './query-string.ts'
import { rangeParser } from './range.ts'
import { rankFeatureParser } from './rank-feature.ts'
import { regexpParser } from './regexp.ts'
import { scriptParser } from './script.ts'
import { scriptScoreQueryParser } from './script-score.ts'
import { simpleQueryStringParser } from './simple-query-string.ts'
import { spanContainingParser, spanWithinParser } from './span-contain.ts'
import { spanFirstParser } from './span-first.ts'
import { spanGapParser } from './span-gap.ts'
import { spanMaskingParser } from './span-masking.ts'
import { spanMultiParser } from './span-multi.ts'
import { spanNearParser } from './span-near.ts'
import { spanNotParser } from './span-not.ts'
import { spanOrParser } from './span-or.ts'
import { spanTermParser } from './span-term.ts'
import { termParser } from './term.ts'
import { termsParser } from './terms.ts'
import { termsSetParser } from './terms-set.ts'
import { wildcardParser } from './wildcard.ts'
import { wrapperParser } from './wrapper.ts'

const NOT_YET = null

/** Null: a query of the real API that is not built yet. */
export const QUERY_PARSERS: { readonly [name: string]: QueryParser | null } = {
  agentic: NOT_YET,
  bool: boolParser,
  boosting: boostingParser,
  combined_fields: combinedFieldsParser,
  constant_score: constantScoreParser,
  dis_max: disMaxParser,
  distance_feature: distanceFeatureParser,
  exists: existsParser,
  field_masking_span: spanMaskingParser,
  function_score: functionScoreParser,
  fuzzy: fuzzyParser,
  geo_bounding_box: geoBoundingBoxParser,
  geo_distance: geoDistanceParser,
  geo_polygon: geoPolygonParser,
  geo_shape: geoShapeParser,
  has_child: hasChildParser,
  has_parent: hasParentParser,
  hybrid: hybridParser,
  ids: idsParser,
  intervals: intervalsParser,
  knn: knnParser,
  match: matchParser,
  match_all: matchAllParser,
  match_bool_prefix: matchBoolPrefixParser,
  match_none: matchNoneParser,
  match_phrase: matchPhraseParser,
  match_phrase_prefix: matchPhrasePrefixParser,
  more_like_this: moreLikeThisParser,
  multi_match: multiMatchParser,
  nested: nestedParser,
  neural: NOT_YET,
  neural_sparse: NOT_YET,
  parent_id: parentIdParser,
  percolate: NOT_YET,
  prefix: prefixParser,
  query_string: queryStringParser,
  range: rangeParser,
  rank_feature: rankFeatureParser,
  regexp: regexpParser,
  script: scriptParser,
  script_score: scriptScoreQueryParser,
  simple_query_string: simpleQueryStringParser,
  sltr: NOT_YET,
  span_containing: spanContainingParser,
  span_field_masking: spanMaskingParser,
  span_first: spanFirstParser,
  span_gap: spanGapParser,
  span_multi: spanMultiParser,
  span_near: spanNearParser,
  span_not: spanNotParser,
  span_or: spanOrParser,
  span_term: spanTermParser,
  span_within: spanWithinParser,
  template: NOT_YET,
  term: termParser,
  terms: termsParser,
  terms_set: termsSetParser,
  wildcard: wildcardParser,
  wrapper: wrapperParser,
  xy_shape: NOT_YET,
}
