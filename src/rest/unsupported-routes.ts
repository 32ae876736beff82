/**
 * Endpoints of the real API that are not built yet: they answer 400 and say so, instead of looking
 * like an unknown route or an index of that name.
 */

/** Methods parted by blanks, and the path. */
export const UNSUPPORTED_ROUTES: readonly (readonly [methods: string, path: string])[] = [
  ['POST PUT', '/_bulk/stream'],
  ['POST PUT', '/{index}/_bulk/stream'],
  ['DELETE', '/_cluster/decommission/awareness'],
  ['GET', '/_cluster/decommission/awareness/{attribute}/_status'],
  ['PUT', '/_cluster/decommission/awareness/{attribute}/{value}'],
  ['GET PUT DELETE', '/_cluster/routing/awareness/{attribute}/weights'],
  ['DELETE', '/_cluster/routing/awareness/weights'],
  ['POST DELETE', '/_cluster/voting_config_exclusions'],
  ['DELETE', '/_tasks/{task_id}'],
  ['GET', '/_dangling'],
  ['POST DELETE', '/_dangling/{index_uuid}'],
  ['POST', '/_remotestore/_restore'],
  ['GET', '/_list'],
  ['GET', '/_list/{view}'],
  ['GET', '/_list/{view}/{name}'],
  ['GET PUT', '/_wlm/query_group'],
  ['GET PUT DELETE', '/_wlm/query_group/{name}'],
  ['GET', '/{index}/ingestion/_state'],
  ['POST', '/{index}/ingestion/_pause'],
  ['POST', '/{index}/ingestion/_resume'],
  ['GET', '/_search/point_in_time'],
  ['GET', '/_cat/{view}'],
  ['GET', '/_cat/{view}/{name}'],
  ['GET', '/_insights/*'],
  ['GET PUT DELETE', '/_ltr'],
  ['GET POST PUT DELETE', '/_ltr/*'],
  ['GET HEAD POST PUT PATCH DELETE', '/_plugins/*'],
  ['GET HEAD POST PUT PATCH DELETE', '/_opendistro/*'],
]
