/** The table of the queries that are drawn, by their names in requests. */
import type { Random } from '../../../src/util/random.ts'
import { randomWord } from './collection.ts'
import {
  bool,
  boosting,
  constantScore,
  disMax,
  functionScore,
  scriptScore,
} from './compound-kinds.ts'
import { intervals } from './interval-kinds.ts'
import { hasChild, hasParent, nested, objectQuery, parentId } from './joined-kinds.ts'
import { type Draw, type DrawnQuery, named, oneOf, type PlainQueryKind } from './kind.ts'
import {
  distanceFeature,
  geoBoundingBox,
  geoDistance,
  geoPolygon,
  geoShape,
  rankFeature,
} from './place-kinds.ts'
import { SPAN_KINDS } from './span-kinds.ts'
import { queryString, simpleQueryString } from './string-kinds.ts'
import * as term from './term-kinds.ts'
import {
  combinedFields,
  match,
  matchBoolPrefix,
  matchPhrase,
  matchPhrasePrefix,
  moreLikeThis,
  multiMatch,
} from './text-kinds.ts'
import { knn } from './vector-kinds.ts'

/** Every query that the engine answers; a test holds it to the engine's own table. */
export const QUERY_KINDS: Readonly<Record<string, PlainQueryKind>> = {
  bool,
  boosting,
  combined_fields: combinedFields,
  constant_score: constantScore,
  dis_max: disMax,
  distance_feature: distanceFeature,
  exists: term.exists,
  function_score: functionScore,
  fuzzy: term.fuzzy,
  geo_bounding_box: geoBoundingBox,
  geo_distance: geoDistance,
  geo_polygon: geoPolygon,
  geo_shape: geoShape,
  has_child: hasChild,
  has_parent: hasParent,
  ids: term.ids,
  intervals,
  knn,
  match,
  match_all: term.matchAll,
  match_bool_prefix: matchBoolPrefix,
  match_none: term.matchNone,
  match_phrase: matchPhrase,
  match_phrase_prefix: matchPhrasePrefix,
  more_like_this: moreLikeThis,
  multi_match: multiMatch,
  nested,
  parent_id: parentId,
  prefix: term.prefix,
  query_string: queryString,
  range: term.range,
  rank_feature: rankFeature,
  regexp: term.regexp,
  script: term.script,
  script_score: scriptScore,
  simple_query_string: simpleQueryString,
  term: term.term,
  terms: term.terms,
  terms_set: term.termsSet,
  wildcard: term.wildcard,
  wrapper: term.wrapper,
  ...SPAN_KINDS,
}

/** Kinds that stand within others; spans stand within spans. */
const INNER: readonly string[] = Object.keys(QUERY_KINDS).filter(name => !(name in SPAN_KINDS))
/** Kinds whose queries have no queries within; where they find nothing there is nothing to see. */
const LEAVES = [
  'term',
  'match',
  'range',
  'terms',
  'prefix',
  'match_all',
  'exists',
  'match_phrase',
  'match_none',
]

/**
 * A query of a kind.
 * @param ids of the documents
 * @param depth levels of queries below it
 * @param within kinds of those
 */
export function drawQuery(
  random: Random,
  name: string,
  ids: readonly string[],
  depth: number,
  within: readonly string[] = INNER,
): DrawnQuery {
  const inner = (): DrawnQuery => {
    const names = depth > 1 && random.below(5) > 0 ? within : LEAVES
    return drawQuery(random, oneOf(random, names), ids, depth - 1, within)
  }
  const draw: Draw = {
    random,
    depth,
    ids,
    word: () => randomWord(random),
    inner,
    object: () => objectQuery({ random }),
  }
  return named(name, QUERY_KINDS[name]!(draw))
}
