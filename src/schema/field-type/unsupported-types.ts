/** The field types of the real API that this build does not have. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(
  (
    'binary date_range derived double_range ' +
    'float_range geo_point geo_shape integer_range ip ip_range join knn_vector ' +
    'long_range nested percolator ' +
    'semantic_version version xy_point xy_shape'
  ).split(' '),
)
