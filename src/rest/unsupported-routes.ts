/**
 * Endpoints of the real API that are not built yet: they answer 400 and say so, instead of looking
 * like an unknown route or an index of that name.
 */

/** Methods parted by blanks, the path, and why there is none. No requirement names one of them. */
export const UNSUPPORTED_ROUTES: readonly (readonly [
  methods: string,
  path: string,
  reason: string,
])[] = [
  ['POST PUT', '/_bulk/stream', 'answers are not streamed; `/_bulk` takes the same lines'],
  ['POST PUT', '/{index}/_bulk/stream', 'the same'],
  ['DELETE', '/_cluster/decommission/awareness', 'one node has no zones to take out of service'],
  ['GET', '/_cluster/decommission/awareness/{attribute}/_status', 'the same'],
  ['PUT', '/_cluster/decommission/awareness/{attribute}/{value}', 'the same'],
  [
    'GET PUT DELETE',
    '/_cluster/routing/awareness/{attribute}/weights',
    'one node has no zones to weigh',
  ],
  ['DELETE', '/_cluster/routing/awareness/weights', 'the same'],
  ['POST DELETE', '/_cluster/voting_config_exclusions', 'one node votes alone'],
  ['DELETE', '/_tasks/{task_id}', 'results of tasks are documents of the index `.tasks`'],
  ['GET', '/_dangling', 'folders of indices that the metadata does not name are not imported'],
  ['POST DELETE', '/_dangling/{index_uuid}', 'the same'],
  ['POST', '/_remotestore/_restore', 'segments lie on this node alone'],
  ['GET', '/_remotestore/stats/*', 'the same'],
  ['POST', '/{index}/_scale', 'one node has no copies for searches alone'],
  ['GET', '/_list/{view}', 'a table in pages that has no line above'],
  ['GET', '/_list/{view}/{name}', 'the same'],
  ['GET PUT', '/_wlm/query_group', 'searches are not put into groups with limits of their own'],
  ['GET PUT DELETE', '/_wlm/query_group/{name}', 'the same'],
  ['GET PUT', '/_wlm/workload_group', 'the same'],
  ['GET PUT DELETE', '/_wlm/workload_group/{name}', 'the same'],
  ['GET', '/_wlm/stats', 'the same'],
  ['GET', '/_wlm/{node_id}/stats', 'the same'],
  ['GET PUT POST DELETE', '/_rules/*', 'the same'],
  [
    'GET',
    '/{index}/ingestion/_state',
    'indices take documents by requests alone, not from streams',
  ],
  ['POST', '/{index}/ingestion/_pause', 'the same'],
  ['POST', '/{index}/ingestion/_resume', 'the same'],
  ['GET', '/_search/point_in_time', '`/_search/point_in_time/_all` lists them'],
  ['GET', '/_cat/{view}', 'a table that has no line above'],
  ['GET', '/_cat/{view}/{name}', 'the same'],
  ['GET', '/_insights/*', 'a plug-in of the real server'],
  ['GET PUT DELETE', '/_ltr', 'a plug-in of the real server'],
  ['GET POST PUT DELETE', '/_ltr/*', 'the same'],
  ['GET HEAD POST PUT PATCH DELETE', '/_plugins/*', 'plug-ins other than those above'],
  ['GET HEAD POST PUT PATCH DELETE', '/_opendistro/*', 'the same'],
]
