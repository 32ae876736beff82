/** The field types of the real API that this build does not have. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(
  (
    'completion constant_keyword derived flat_object geo_shape join knn_vector ' +
    'percolator rank_feature rank_features semantic_version token_count version wildcard ' +
    'xy_point xy_shape'
  ).split(' '),
)
