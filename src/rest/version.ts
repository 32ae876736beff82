/** The release of the API that is spoken here, as clients check it. */

/** The object that `GET /` prints below `version`. */
export const VERSION_INFO = {
  distribution: 'opensearch',
  number: '3.6.0',
  build_type: 'lamella',
  build_hash: 'unknown',
  build_date: '2026-11-21T00:00:00.000000000Z',
  build_snapshot: false,
  lucene_version: '10.4.0',
  minimum_wire_compatibility_version: '2.19.0',
  minimum_index_compatibility_version: '2.0.0',
} as const
