/** The field types of the real API that this build does not have. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(
  (
    'alias completion constant_keyword date_nanos derived ' +
    'flat_object geo_shape join knn_vector ' +
    'match_only_text nested percolator rank_feature rank_features search_as_you_type ' +
    'semantic_version token_count unsigned_long version wildcard xy_point xy_shape'
  ).split(' '),
)
