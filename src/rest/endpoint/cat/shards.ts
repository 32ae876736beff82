import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { ShardStats } from '../../../engine/api/stats.ts'
import { type CatCall, catEndpoint, listEndpoint } from '../../cat/cat-endpoint.ts'
import { type Cell, type Column, column } from '../../cat/column.ts'
import { pageOf, pageParams } from '../../cat/page.ts'
import { STAT_COLUMNS } from '../../cat/stat-columns.ts'
import { type Endpoint, TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { addressOf } from '../../node-view.ts'
import { millis } from '../../params.ts'

/** A copy of a shard; replicas have no node and no statistics. */
interface ShardRow {
  readonly index: string
  readonly shard: number
  readonly isPrimary: boolean
  /** None: it is not active. */
  readonly shards: readonly ShardStats[]
  readonly node: NodeInfo
  readonly host: string
  readonly createdAt: number
}

const right = { isRight: true }
const hidden = { isDefault: false }
const hiddenRight = { isDefault: false, isRight: true }

/** The statistics of an active copy; those of caches of answers and of suggestions are of whole indices. */
const STATS: readonly Column<ShardRow>[] = STAT_COLUMNS.filter(
  ({ name }) => !/^(request_cache|suggest)\./.test(name),
).map(one => ({ ...one, cell: (row: ShardRow): Cell => (isActive(row) ? one.cell(row) : null) }))

function statsUpTo(last: string): readonly Column<ShardRow>[] {
  return STATS.slice(0, STATS.findIndex(({ name }) => name === last) + 1)
}

function statsFrom(first: string): readonly Column<ShardRow>[] {
  return STATS.slice(STATS.findIndex(({ name }) => name === first))
}

const COLUMNS: readonly Column<ShardRow>[] = [
  column('index', 'i,idx', 'name of the index', row => row.index),
  column('shard', 's,sh', 'number of the shard', row => row.shard),
  column('prirep', 'p,pr,primaryOrReplica', 'p for a primary, r for a replica', row =>
    row.isPrimary ? 'p' : 'r',
  ),
  column('state', 'st', 'STARTED or UNASSIGNED', row => (isActive(row) ? 'STARTED' : 'UNASSIGNED')),
  column('docs', 'd,dc', 'number of documents', row => stat(row, s => s.docCount), right),
  column('store', 'sto', 'size on disk', row => stat(row, s => ({ bytes: s.storeInBytes })), right),
  column('ip', '', 'address of its node', row => (isActive(row) ? row.host : null)),
  column('id', '', 'id of its node', row => (isActive(row) ? row.node.nodeId : null), hidden),
  column('node', 'n', 'name of its node', row => (isActive(row) ? row.node.nodeName : null)),
  column('sync_id', '', 'id of its last synced flush', () => null, hidden),
  column(
    'unassigned.reason',
    'ur',
    'why it has no node',
    row => (isActive(row) ? null : row.isPrimary ? 'ALLOCATION_FAILED' : 'INDEX_CREATED'),
    hidden,
  ),
  column(
    'unassigned.at',
    'ua',
    'since when it has no node',
    row => (isActive(row) ? null : new Date(row.createdAt).toISOString()),
    hidden,
  ),
  column(
    'unassigned.for',
    'uf',
    'how long it has had no node',
    row => (isActive(row) ? null : { nanos: Math.max(0, Date.now() - row.createdAt) * 1e6 }),
    hiddenRight,
  ),
  column('unassigned.details', 'ud', 'more about why', () => null, hidden),
  column(
    'recoverysource.type',
    'rs',
    'from where it would be recovered',
    row => (isActive(row) ? null : row.isPrimary ? 'EXISTING_STORE' : 'PEER'),
    hidden,
  ),
  ...statsUpTo('segments.fixed_bitset_memory'),
  column('seq_no.max', 'sqm,maxSeqNo', 'last sequence number', maxSeqNo, hiddenRight),
  column(
    'seq_no.local_checkpoint',
    'sql,localCheckpoint',
    'local checkpoint',
    maxSeqNo,
    hiddenRight,
  ),
  column(
    'seq_no.global_checkpoint',
    'sqg,globalCheckpoint',
    'global checkpoint',
    maxSeqNo,
    hiddenRight,
  ),
  ...statsFrom('warmer.current'),
  column('path.data', 'pd,dataPath', 'folder of its data', row => folderOf(row), hidden),
  column('path.state', 'ps,statsPath', 'folder of its state', row => folderOf(row), hidden),
  column(
    'docs.deleted',
    'dd,docsDeleted',
    'number of deleted documents that are kept still',
    row => stat(row, s => s.deletedDocCount),
    hiddenRight,
  ),
]

function isActive({ shards }: ShardRow): boolean {
  return shards.length > 0
}

function stat(row: ShardRow, of: (shard: ShardStats) => Cell): Cell {
  const [shard] = row.shards
  return shard === undefined ? null : of(shard)
}

function maxSeqNo(row: ShardRow): Cell {
  return stat(row, shard => shard.maxSeqNo)
}

function folderOf(row: ShardRow): string | null {
  return isActive(row) ? row.node.folder : null
}

/** `GET /_cat/shards[/{index}]`. */
export const catShards: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/shards'],
    ['GET', '/_cat/shards/{index}'],
  ],
  action: 'indices:monitor/stats',
  params: TARGET_PARAMS,
  columns: () => COLUMNS,
  rows: rowsOf,
})

/** `GET /_list/shards[/{index}]`: the same in pages, the shards of the oldest index first. */
export const listShards: Endpoint = listEndpoint({
  routes: [
    ['GET', '/_list/shards'],
    ['GET', '/_list/shards/{index}'],
  ],
  action: 'indices:monitor/stats',
  params: { ...TARGET_PARAMS, ...pageParams(2000, 20_000), cancel_after_time_interval: millis },
  columns: () => COLUMNS,
  key: 'shards',
  async page(call) {
    const { size = 2000, sort, next_token: token = null } = call.params
    const request = { size, isDescending: sort === 'desc', token }
    return pageOf(await rowsOf(call), request, row => row, true)
  },
})

async function rowsOf({
  engine,
  params,
  part,
  httpAddress,
  context,
}: CatCall<typeof TARGET_PARAMS>): Promise<readonly ShardRow[]> {
  const target = targetOf(part('index'), params, 'open,closed')
  const node = engine.cluster.nodeInfo()
  const { host } = addressOf(node, httpAddress)
  const stats = await engine.cluster.stats(target, false, context)
  const statsOf = new Map(stats.map(each => [each.index, each.shards]))
  const shown = await engine.indices.show(target, context)
  const createdAt = new Map(
    shown.map(({ name, settings }) => [name, Number(settings.get('index.creation_date'))]),
  )
  return engine.cluster.health(target, context).indices.flatMap(index =>
    index.shards.flatMap(({ shard }): readonly ShardRow[] => {
      const own = statsOf.get(index.index)?.filter(one => one.shard === shard) ?? []
      const row = {
        index: index.index,
        shard,
        node,
        host,
        createdAt: createdAt.get(index.index) ?? 0,
      }
      const replicas = Array.from(
        { length: index.numberOfReplicas },
        (): ShardRow => ({ ...row, isPrimary: false, shards: [] }),
      )
      return [{ ...row, isPrimary: true, shards: own }, ...replicas]
    }),
  )
}
