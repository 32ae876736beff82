/** The field types of the real API that this build does not have. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(
  (
    'binary completion constant_keyword date_range derived double_range ' +
    'flat_object float_range geo_point geo_shape integer_range ip ip_range join knn_vector ' +
    'long_range nested percolator rank_feature rank_features ' +
    'semantic_version token_count version wildcard xy_point xy_shape'
  ).split(' '),
)
