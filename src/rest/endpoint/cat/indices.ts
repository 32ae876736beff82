import type { HealthStatus, IndexHealth } from '../../../engine/api/cluster.ts'
import type { ShownIndex } from '../../../engine/api/indices.ts'
import type { ShardStats } from '../../../engine/api/stats.ts'
import { type CatCall, catEndpoint, listEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { type PagePlace, pageOf, pageParams } from '../../cat/page.ts'
import { STAT_COLUMNS } from '../../cat/stat-columns.ts'
import { type Endpoint, TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { choice, flag, type ParamReader } from '../../params.ts'

interface IndexRow {
  readonly shown: ShownIndex
  readonly health: IndexHealth
  /** None where the index is closed. */
  readonly shards: readonly ShardStats[]
}

const health: ParamReader<HealthStatus> = choice('green', 'yellow', 'red')
const right = { isRight: true }
const hidden = { isDefault: false }

const COLUMNS: readonly Column<IndexRow>[] = [
  column('health', 'h', 'green, yellow or red', row => row.health.status),
  column('status', 's', 'open or close', row => (row.shown.isOpen ? 'open' : 'close')),
  column('index', 'i,idx', 'name of the index', row => row.shown.name),
  column('uuid', 'id,uuid', 'id of the index', row => row.shown.uuid),
  column(
    'pri',
    'p,shards.primary,shardsPrimary',
    'number of primary shards',
    row => row.health.numberOfShards,
    right,
  ),
  column(
    'rep',
    'r,shards.replica,shardsReplica',
    'number of replicas of each',
    row => row.health.numberOfReplicas,
    right,
  ),
  column(
    'docs.count',
    'dc,docsCount',
    'number of documents',
    row => ofOpen(row, shard => shard.docCount),
    right,
  ),
  column(
    'docs.deleted',
    'dd,docsDeleted',
    'number of deleted documents that are kept still',
    row => ofOpen(row, shard => shard.deletedDocCount),
    right,
  ),
  column(
    'creation.date',
    'cd',
    'creation, in milliseconds since 1970',
    row => createdAt(row),
    hidden,
  ),
  column(
    'creation.date.string',
    'cds',
    'creation as a date',
    row => new Date(createdAt(row)).toISOString(),
    hidden,
  ),
  column('store.size', 'ss,storeSize', 'size of all copies', storeSize, right),
  column('pri.store.size', '', 'size of the primaries', storeSize, right),
  ...withTwins(STAT_COLUMNS),
  ...withTwins([
    column<IndexRow>(
      'memory.total',
      'tm,memoryTotal',
      'memory of segments',
      ({ shards }) => ({ bytes: shards.reduce((sum, s) => sum + s.segmentMemoryInBytes, 0) }),
      { isRight: true, isDefault: false },
    ),
  ]),
  column('search.throttled', 'sth', 'whether searches are slowed down', () => false, hidden),
]

/** Each column with its twin of the primaries, which on one node has the same cells. */
function withTwins(columns: readonly Column<IndexRow>[]): readonly Column<IndexRow>[] {
  return columns.flatMap(one => [one, { ...one, name: `pri.${one.name}`, aliases: [] }])
}

function createdAt({ shown }: IndexRow): number {
  return Number(shown.settings.get('index.creation_date'))
}

function storeSize(row: IndexRow): { readonly bytes: number } | null {
  const bytes = ofOpen(row, shard => shard.storeInBytes)
  return bytes === null ? null : { bytes }
}

function ofOpen({ shown, shards }: IndexRow, of: (shard: ShardStats) => number): number | null {
  return shown.isOpen ? shards.reduce((sum, shard) => sum + of(shard), 0) : null
}

const PARAMS: typeof TARGET_PARAMS & {
  readonly health: ParamReader<HealthStatus>
  readonly pri: ParamReader<boolean>
  readonly include_unloaded_segments: ParamReader<boolean>
} = { ...TARGET_PARAMS, health, pri: flag, include_unloaded_segments: flag }

/** `GET /_cat/indices[/{index}]`. */
export const catIndices: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/indices'],
    ['GET', '/_cat/indices/{index}'],
  ],
  action: 'indices:monitor/stats',
  params: PARAMS,
  columns: columnsOf,
  rows: rowsOf,
})

/** `GET /_list/indices[/{index}]`: the same in pages, the oldest index first. */
export const listIndices: Endpoint = listEndpoint({
  routes: [
    ['GET', '/_list/indices'],
    ['GET', '/_list/indices/{index}'],
  ],
  action: 'indices:monitor/stats',
  params: { ...PARAMS, ...pageParams(1, 5000) },
  columns: columnsOf,
  key: 'indices',
  async page(call) {
    const { size = 500, sort, next_token: token = null } = call.params
    const placeOf = (row: IndexRow): PagePlace => ({
      createdAt: createdAt(row),
      index: row.shown.name,
      shard: 0,
    })
    const { health, ...others } = call.params
    const rows = await rowsOf({ ...call, params: { ...others, health: undefined } })
    const page = pageOf(rows, { size, isDescending: sort === 'desc', token }, placeOf, false)
    const isShown = (row: IndexRow): boolean => health === undefined || row.health.status === health
    return { ...page, rows: page.rows.filter(isShown) }
  },
})

function columnsOf({
  params,
}: {
  readonly params: { readonly pri: boolean | undefined }
}): readonly Column<IndexRow>[] {
  return params.pri === true
    ? COLUMNS.map(one => (one.name === 'pri.store.size' ? { ...one, isDefault: true } : one))
    : COLUMNS
}

async function rowsOf({
  engine,
  params,
  part,
  context,
}: CatCall<typeof PARAMS>): Promise<readonly IndexRow[]> {
  const target = targetOf(part('index'), params, 'open,closed')
  const shown = await engine.indices.show(target, context)
  const { indices } = engine.cluster.health(target, context)
  const stats = await engine.cluster.stats(target, false, context)
  const healthOf = new Map(indices.map(health => [health.index, health]))
  const statsOf = new Map(stats.map(each => [each.index, each.shards]))
  return shown.flatMap((index): readonly IndexRow[] => {
    const health = healthOf.get(index.name)
    // It may have gone between the two.
    if (health === undefined) return []
    if (params.health !== undefined && params.health !== health.status) return []
    return [{ shown: index, health, shards: statsOf.get(index.name) ?? [] }]
  })
}
