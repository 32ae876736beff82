/** The field types of the real API that this build does not have. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(
  'derived percolator semantic_version version xy_point xy_shape'.split(' '),
)
