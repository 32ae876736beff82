import type { JsonMap, JsonValue } from '../../../util/json/json-value.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'

interface TemplateRow {
  readonly name: string
  /** As `GET` prints it, of either kind. */
  readonly template: JsonMap
  /** Order of a legacy template, priority of an index template. */
  readonly order: JsonValue
  readonly composedOf: string
}

const COLUMNS: readonly Column<TemplateRow>[] = [
  column('name', 'n', 'name of the template', row => row.name),
  column('index_patterns', 't', 'patterns of index names', row =>
    listText(row.template.get('index_patterns')),
  ),
  column('order', 'o,p', 'order or priority', row => String(row.order)),
  column('version', 'v', 'version', row => {
    const version = row.template.get('version')
    return version === undefined ? null : String(version)
  }),
  column('composed_of', 'c', 'component templates', row => row.composedOf),
]

function listText(value: JsonValue | undefined): string {
  return `[${Array.isArray(value) ? value.join(', ') : ''}]`
}

/** `GET /_cat/templates[/{name}]`: templates of both kinds. */
export const catTemplates: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/templates'],
    ['GET', '/_cat/templates/{name}'],
  ],
  action: 'indices:admin/index_template/get',
  params: {},
  columns: () => COLUMNS,
  rows({ engine, part }) {
    const pattern = part('name')
    const all = { names: [], isFlat: false }
    const rows = [
      ...engine.templates.showLegacy(all).map(({ name, template }) => ({
        name,
        template,
        order: template.get('order') ?? 0,
        composedOf: '',
      })),
      ...engine.templates.showIndex(all).map(({ name, template }) => ({
        name,
        template,
        order: template.get('priority') ?? 0,
        composedOf: listText(template.get('composed_of')),
      })),
    ]
    return rows.filter(({ name }) => pattern === '' || matchesWildcard(pattern, name))
  },
})
