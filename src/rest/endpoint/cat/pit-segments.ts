/** Tables of the segments that points in time hold. */
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import type { Endpoint } from '../../endpoint.ts'
import { contextEntries, idsOf, unknownParameter } from '../search/context-body.ts'
import { SEGMENT_COLUMNS, segmentRows } from './segments.ts'

/** `GET /_cat/pit_segments`: of those that the body names. */
export const catPitSegments: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/pit_segments']],
  action: 'indices:monitor/point_in_time/segments',
  params: {},
  body: 'json',
  columns: () => SEGMENT_COLUMNS,
  async rows({ engine, body, httpAddress, context }) {
    const ids = contextEntries(body).flatMap(entry => {
      if (entry.key !== 'pit_id') throw unknownParameter(entry)
      return idsOf(entry, 'PIT identifier')
    })
    const indices = await engine.contexts.segmentsOfPoints(ids, context)
    return segmentRows(indices, engine.cluster.nodeInfo(), httpAddress)
  },
})

/** `GET /_cat/pit_segments/_all`: of all that the caller holds. */
export const catAllPitSegments: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/pit_segments/_all']],
  action: 'indices:monitor/point_in_time/segments',
  params: {},
  columns: () => SEGMENT_COLUMNS,
  async rows({ engine, httpAddress, context }) {
    const indices = await engine.contexts.segmentsOfPoints(null, context)
    return segmentRows(indices, engine.cluster.nodeInfo(), httpAddress)
  },
})
