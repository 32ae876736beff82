/** Roles, groups of actions and the tenant that every node has; nobody changes them. */
import type { DocumentKind, PlainJson, SecurityDocument } from './security-document.ts'

/** By name: whether the actions are those of indices, of the cluster or both, and their patterns. */
const GROUPS: Readonly<
  Record<string, readonly [type: string, description: string, actions: readonly string[]]>
> = {
  unlimited: ['all', 'Everything', ['*']],
  cluster_all: ['cluster', 'All actions on the cluster', ['cluster:*']],
  cluster_monitor: ['cluster', 'Monitoring of the cluster', ['cluster:monitor/*']],
  cluster_composite_ops: [
    'cluster',
    'Requests of several parts that read and write',
    [
      'indices:data/write/bulk',
      'indices:admin/aliases*',
      'indices:data/write/reindex',
      'cluster_composite_ops_ro',
    ],
  ],
  cluster_composite_ops_ro: [
    'cluster',
    'Requests of several parts that read',
    [
      'indices:data/read/mget',
      'indices:data/read/msearch',
      'indices:data/read/mtv',
      'indices:admin/aliases/exists*',
      'indices:admin/aliases/get*',
      'indices:data/read/scroll',
      'indices:admin/resolve/index',
    ],
  ],
  cluster_manage_index_templates: [
    'cluster',
    'Management of templates',
    [
      'indices:admin/template/*',
      'indices:admin/index_template/*',
      'cluster:admin/component_template/*',
    ],
  ],
  cluster_manage_pipelines: [
    'cluster',
    'Management of ingest pipelines',
    ['cluster:admin/ingest/pipeline/*'],
  ],
  manage_snapshots: [
    'cluster',
    'Snapshots and their repositories',
    ['cluster:admin/snapshot/*', 'cluster:admin/repository/*'],
  ],
  indices_all: ['index', 'All actions on indices', ['indices:*']],
  indices_monitor: ['index', 'Monitoring of indices', ['indices:monitor/*']],
  manage: ['index', 'Management of indices', ['indices:monitor/*', 'indices:admin/*']],
  manage_aliases: ['index', 'Management of aliases', ['indices:admin/aliases*']],
  manage_data_streams: [
    'index',
    'Management of data streams',
    ['indices:admin/data_stream/*', 'indices:monitor/data_stream/stats'],
  ],
  manage_point_in_time: [
    'index',
    'Points in time',
    [
      'indices:data/read/point_in_time/create',
      'indices:data/read/point_in_time/delete',
      'indices:data/read/point_in_time/readall',
      'indices:data/read/search',
      'indices:monitor/point_in_time/segments',
    ],
  ],
  create_index: [
    'index',
    'Creation of indices',
    ['indices:admin/create', 'indices:admin/mapping/put'],
  ],
  data_access: ['index', 'All that is done with documents', ['indices:data/*', 'crud']],
  crud: ['index', 'Reading and writing of documents', ['read', 'write']],
  read: [
    'index',
    'Reading of documents',
    ['indices:data/read*', 'indices:admin/mappings/fields/get*', 'indices:admin/resolve/index'],
  ],
  write: ['index', 'Writing of documents', ['indices:data/write*', 'indices:admin/mapping/put']],
  search: [
    'index',
    'Searches',
    [
      'indices:data/read/search*',
      'indices:data/read/msearch*',
      'indices:admin/resolve/index',
      'suggest',
    ],
  ],
  suggest: ['index', 'Suggestions', ['indices:data/read/suggest*']],
  get: [
    'index',
    'Reading of documents by id',
    ['indices:data/read/get*', 'indices:data/read/mget*'],
  ],
  index: [
    'index',
    'Writing of documents, but for deletion',
    [
      'indices:data/write/index*',
      'indices:data/write/update*',
      'indices:admin/mapping/put',
      'indices:data/write/bulk*',
    ],
  ],
  delete: ['index', 'Deletion of documents', ['indices:data/write/delete*']],
}

/** By name: permissions of the cluster, then pairs of patterns of indices and of actions. */
const ROLES: Readonly<
  Record<
    string,
    readonly [
      description: string,
      cluster: readonly string[],
      indices: readonly (readonly [patterns: readonly string[], actions: readonly string[]])[],
      tenants: readonly (readonly [patterns: readonly string[], actions: readonly string[]])[],
    ]
  >
> = {
  all_access: ['Everything', ['*'], [[['*'], ['*']]], [[['*'], ['kibana_all_write']]]],
  readall: ['Reading of all indices', ['cluster_composite_ops_ro'], [[['*'], ['read']]], []],
  readall_and_monitor: [
    'Reading of all indices and monitoring of the cluster',
    ['cluster_monitor', 'cluster_composite_ops_ro'],
    [[['*'], ['read']]],
    [],
  ],
  own_index: [
    'An index that is called as its user',
    ['cluster_composite_ops'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a name of the user's, put in by patterns
    [[['${user_name}'], ['indices_all']]],
    [],
  ],
  manage_snapshots: [
    'Taking and restoring of snapshots',
    ['manage_snapshots'],
    [[['*'], ['indices:data/write/index', 'indices:admin/create']]],
    [],
  ],
  security_rest_api_access: ['Changes of users and roles', [], [], []],
  security_rest_api_full_access: [
    'Changes of users and roles, permission by permission',
    ['restapi:admin/*'],
    [],
    [],
  ],
}

const STATIC = { reserved: true, hidden: false } as const

/** The documents of every node, by kind and name. */
export const STATIC_DOCUMENTS: Readonly<
  Record<DocumentKind, ReadonlyMap<string, SecurityDocument>>
> = {
  internalusers: new Map(),
  roles: new Map(
    Object.entries(ROLES).map(([name, [description, cluster, indices, tenants]]) => [
      name,
      {
        ...STATIC,
        description,
        cluster_permissions: cluster,
        index_permissions: indices.map(([index_patterns, allowed_actions]) => ({
          index_patterns,
          fls: [],
          masked_fields: [],
          allowed_actions,
        })),
        tenant_permissions: tenants.map(([tenant_patterns, allowed_actions]) => ({
          tenant_patterns,
          allowed_actions,
        })),
        static: true,
      } satisfies PlainJson,
    ]),
  ),
  rolesmapping: new Map(),
  actiongroups: new Map(
    Object.entries(GROUPS).map(([name, [type, description, allowed_actions]]) => [
      name,
      { ...STATIC, allowed_actions, type, description, static: true } satisfies PlainJson,
    ]),
  ),
  tenants: new Map([
    ['global_tenant', { ...STATIC, description: 'The tenant of everybody', static: true }],
  ]),
}
