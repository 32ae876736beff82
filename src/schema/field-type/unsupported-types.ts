/** The field types of the real API that this build does not have. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(
  (
    'alias binary completion constant_keyword date_nanos date_range derived double_range ' +
    'flat_object float_range geo_point geo_shape integer_range ip ip_range knn_vector ' +
    'long_range match_only_text percolator rank_feature rank_features search_as_you_type ' +
    'semantic_version token_count unsigned_long version wildcard xy_point xy_shape'
  ).split(' '),
)
