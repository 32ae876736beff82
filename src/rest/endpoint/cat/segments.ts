import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { IndexSegments, SegmentView } from '../../../engine/api/shards.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { type Endpoint, TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { addressOf } from '../../node-view.ts'
import { VERSION_INFO } from '../../version.ts'

/** A segment of a shard. */
interface SegmentRow {
  readonly index: string
  readonly shard: number
  readonly segment: SegmentView
  readonly node: NodeInfo
  readonly host: string
}

const right = { isRight: true }

/** Columns of segments. */
export const SEGMENT_COLUMNS: readonly Column<SegmentRow>[] = [
  column('index', 'i,idx', 'name of the index', row => row.index),
  column('shard', 's,sh', 'number of the shard', row => row.shard),
  column('prirep', 'p,pr,primaryOrReplica', 'p for a primary, r for a replica', () => 'p'),
  column('ip', '', 'address of its node', row => row.host),
  column('id', '', 'id of its node', row => row.node.nodeId, { isDefault: false }),
  column('segment', 'seg', 'name of the segment', row => row.segment.name),
  column('generation', 'g,gen', 'its number', row => row.segment.generation, right),
  column('docs.count', 'dc,docsCount', 'number of documents', row => row.segment.docCount, right),
  column(
    'docs.deleted',
    'dd,docsDeleted',
    'number of deleted documents that are kept still',
    row => row.segment.deletedDocCount,
    right,
  ),
  column('size', 'si', 'size on disk', row => ({ bytes: row.segment.sizeInBytes }), right),
  // A plain number, as the real server prints it.
  column(
    'size.memory',
    'sm,sizeMemory',
    'bytes in memory',
    row => row.segment.memoryInBytes,
    right,
  ),
  column(
    'committed',
    'ic,isCommitted',
    'whether the last commit has it',
    row => row.segment.isCommitted,
  ),
  column(
    'searchable',
    'is,isSearchable',
    'whether searches see it',
    row => row.segment.isSearchable,
  ),
  column('version', 'v,ver', 'version of its format', () => VERSION_INFO.lucene_version),
  column('compound', 'ico,isCompound', 'whether its parts lie in one file', () => true),
]

/** `GET /_cat/segments[/{index}]`. */
export const catSegments: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/segments'],
    ['GET', '/_cat/segments/{index}'],
  ],
  action: 'indices:monitor/segments',
  params: TARGET_PARAMS,
  columns: () => SEGMENT_COLUMNS,
  async rows({ engine, params, part, httpAddress, context }) {
    const target = targetOf(part('index'), params, 'open')
    const indices = await engine.shards.segments(target, context)
    return segmentRows(indices, engine.cluster.nodeInfo(), httpAddress)
  },
})

/** A row for each segment. */
export function segmentRows(
  indices: readonly IndexSegments[],
  node: NodeInfo,
  httpAddress: string | null,
): readonly SegmentRow[] {
  const { host } = addressOf(node, httpAddress)
  return indices.flatMap(({ index, shards }) =>
    shards.flatMap(({ shard, segments }) =>
      segments.map(segment => ({ index, shard, segment, node, host })),
    ),
  )
}
