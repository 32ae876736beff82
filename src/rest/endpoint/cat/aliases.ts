import type { JsonMap, JsonValue } from '../../../util/json/json-value.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { type Endpoint, TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { list } from '../../params.ts'

interface AliasRow {
  readonly alias: string
  readonly index: string
  /** As `GET _alias` prints it. */
  readonly of: JsonMap
}

const COLUMNS: readonly Column<AliasRow>[] = [
  column('alias', 'a', 'name of the alias', row => row.alias),
  column('index', 'i,idx', 'name of the index', row => row.index),
  column('filter', 'f,fi', '* where it has a filter', row => (row.of.has('filter') ? '*' : '-')),
  column('routing.index', 'ri,routingIndex', 'routing of writes', row =>
    shown(row.of.get('index_routing')),
  ),
  column('routing.search', 'rs,routingSearch', 'routing of searches', row =>
    shown(row.of.get('search_routing')),
  ),
  column('is_write_index', 'w,isWriteIndex', 'whether writes go to the index', row =>
    shown(row.of.get('is_write_index')),
  ),
]

function shown(value: JsonValue | undefined): string {
  return value === undefined ? '-' : String(value)
}

/** `GET /_cat/aliases[/{name}]`. */
export const catAliases: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/aliases'],
    ['GET', '/_cat/aliases/{name}'],
  ],
  action: 'indices:admin/aliases/get',
  params: TARGET_PARAMS,
  columns: () => COLUMNS,
  async rows({ engine, params, part, context }) {
    const names = list(part('name'))
    const isMeant = (alias: string): boolean =>
      names.length === 0 || names.some(name => name === '_all' || matchesWildcard(name, alias))
    const indices = await engine.indices.show(targetOf('', params, 'all'), context)
    return indices.flatMap(({ name: index, aliases }) =>
      [...aliases]
        .filter(([alias]) => isMeant(alias))
        .map(([alias, of]) => ({ alias, index, of: of as JsonMap })),
    )
  },
})
