import type { SnapshotService } from '../../../service/snapshot/snapshot-service.ts'
import { validationFailed } from '../../../util/errors.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'
import { flag, list } from '../../params.ts'

type SnapshotRow = Awaited<ReturnType<SnapshotService['summaries']>>[number]

const right = { isRight: true }

const COLUMNS: readonly Column<SnapshotRow>[] = [
  column('id', 'snapshot', 'name of the snapshot', row => row.name),
  column('status', 's', 'state of the snapshot', row => row.state, right),
  column('start_epoch', 'ste', 'start in seconds since 1970', row => seconds(row.startInMillis)),
  column('start_time', 'sti', 'start as a time of day in UTC', row => time(row.startInMillis)),
  column('end_epoch', 'ete', 'end in seconds since 1970', row => seconds(row.endInMillis)),
  column('end_time', 'eti', 'end as a time of day in UTC', row => time(row.endInMillis)),
  column('duration', 'dur', 'how long it took', row => ({ nanos: tookInMillis(row) * 1e6 }), right),
  column('indices', 'i', 'number of indices', row => row.indexCount, right),
  column(
    'successful_shards',
    'ss',
    'shards in the snapshot',
    row => row.shardCount - row.failedCount,
    right,
  ),
  column('failed_shards', 'fs', 'shards that are not', row => row.failedCount, right),
  column('total_shards', 'ts', 'number of shards', row => row.shardCount, right),
  column('reason', 'r', 'why it failed', () => null, { isDefault: false }),
]

/** `GET /_cat/snapshots/{repository}`: the snapshots of a repository. */
export const catSnapshots: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/snapshots'],
    ['GET', '/_cat/snapshots/{repository}'],
  ],
  action: 'cluster:admin/snapshot/get',
  params: { ignore_unavailable: flag },
  columns: () => COLUMNS,
  async rows({ services, params, part }) {
    const names = list(part('repository'))
    if (names.length === 0) throw validationFailed(['repository is missing'])
    const rows: SnapshotRow[] = []
    for (const repository of services.snapshots.repositories(names).keys())
      rows.push(
        ...(await services.snapshots.summaries(repository, params.ignore_unavailable ?? false)),
      )
    return rows
  },
})

function tookInMillis({ startInMillis, endInMillis }: SnapshotRow): number {
  return Math.max(0, (endInMillis || Date.now()) - startInMillis)
}

function seconds(millis: number): number {
  return Math.floor(millis / 1000)
}

function time(millis: number): string {
  return new Date(millis).toISOString().slice(11, 19)
}
