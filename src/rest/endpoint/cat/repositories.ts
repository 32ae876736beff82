import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'
import { flag } from '../../params.ts'

interface RepositoryRow {
  readonly name: string
  readonly type: string
}

const COLUMNS: readonly Column<RepositoryRow>[] = [
  column('id', 'repoId', 'name of the repository', row => row.name),
  column('type', 't', 'type of the repository', row => row.type),
]

/** `GET /_cat/repositories`: repositories of snapshots. */
export const catRepositories: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/repositories']],
  action: 'cluster:admin/repository/get',
  params: { local: flag },
  columns: () => COLUMNS,
  rows: ({ services }) =>
    Array.from(services.snapshots.repositories([]), ([name, { type }]) => ({ name, type })),
})
