/** The routing table: every endpoint's routes, and those of the real API that are not built yet. */
import findMyWay from 'find-my-way'
import { ACTIONS } from '../task/actions.ts'
import { ALIAS_ENDPOINTS } from './endpoint/alias/endpoints.ts'
import { ANALYSIS_ENDPOINTS } from './endpoint/analysis/endpoints.ts'
import { CAT_ENDPOINTS } from './endpoint/cat/endpoints.ts'
import { CLUSTER_ENDPOINTS } from './endpoint/cluster/endpoints.ts'
import { DATA_STREAM_ENDPOINTS } from './endpoint/data-stream/endpoints.ts'
import { DOCUMENT_ENDPOINTS } from './endpoint/document/endpoints.ts'
import { INDEX_ENDPOINTS } from './endpoint/index/endpoints.ts'
import { INGEST_ENDPOINTS } from './endpoint/ingest/endpoints.ts'
import { ISM_ENDPOINTS } from './endpoint/ism/endpoints.ts'
import { LRON_ENDPOINTS } from './endpoint/lron/endpoints.ts'
import { NODE_ENDPOINTS } from './endpoint/node/endpoints.ts'
import { NOTIFICATION_ENDPOINTS } from './endpoint/notification/endpoints.ts'
import { REINDEX_ENDPOINTS } from './endpoint/reindex/endpoints.ts'
import { SCRIPT_ENDPOINTS } from './endpoint/script/endpoints.ts'
import { SEARCH_ENDPOINTS } from './endpoint/search/endpoints.ts'
import { SECURITY_ENDPOINTS } from './endpoint/security/endpoints.ts'
import { SHARD_ENDPOINTS } from './endpoint/shard/endpoints.ts'
import { SNAPSHOT_ENDPOINTS } from './endpoint/snapshot/endpoints.ts'
import { TASK_ENDPOINTS } from './endpoint/task/endpoints.ts'
import { TEMPLATE_ENDPOINTS } from './endpoint/template/endpoints.ts'
import { VECTOR_ENDPOINTS } from './endpoint/vector/endpoints.ts'
import type { Endpoint, Method } from './endpoint.ts'
import { UNSUPPORTED_ROUTES } from './unsupported-routes.ts'

/** Every endpoint that is built, by its area. */
export const AREAS: Readonly<Record<string, readonly Endpoint[]>> = {
  Documents: DOCUMENT_ENDPOINTS,
  Searches: SEARCH_ENDPOINTS,
  Scripts: SCRIPT_ENDPOINTS,
  Indices: INDEX_ENDPOINTS,
  Shards: SHARD_ENDPOINTS,
  Vectors: VECTOR_ENDPOINTS,
  Aliases: ALIAS_ENDPOINTS,
  'Data streams': DATA_STREAM_ENDPOINTS,
  Templates: TEMPLATE_ENDPOINTS,
  'Ingest pipelines': INGEST_ENDPOINTS,
  Analysis: ANALYSIS_ENDPOINTS,
  Cluster: CLUSTER_ENDPOINTS,
  Reindex: REINDEX_ENDPOINTS,
  Nodes: NODE_ENDPOINTS,
  Snapshots: SNAPSHOT_ENDPOINTS,
  Tasks: TASK_ENDPOINTS,
  Notifications: NOTIFICATION_ENDPOINTS,
  'Long-running operations': LRON_ENDPOINTS,
  'Index states': ISM_ENDPOINTS,
  Tables: CAT_ENDPOINTS,
  Security: SECURITY_ENDPOINTS,
}

/** The endpoints of all areas. */
export const ENDPOINTS: readonly Endpoint[] = Object.values(AREAS).flat()

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const NO_NAMES: ReadonlySet<string> = new Set()

/** The value that the router keeps for a route. */
interface Stored {
  readonly endpoint: Endpoint | null
  readonly path: string
  readonly partNames: ReadonlySet<string>
}

/** A route that a request was found to take. */
export interface FoundRoute {
  /** Null: the real API has it, but it is not built yet. */
  readonly endpoint: Endpoint | null
  /** As the table has it, with braces around its parts; `*` at the end of a whole family. */
  readonly path: string
  /** Parts of the path by name, decoded. */
  readonly parts: ReadonlyMap<string, string>
  /** Names of parts in any route of the endpoint; a request may give those as parameters. */
  readonly partNames: ReadonlySet<string>
}

/** Finds endpoints by method and raw path. */
export class Routes {
  readonly #router = findMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    // Long enough for ids of 512 bytes, every one escaped, and for lists of many names.
    maxParamLength: 16_384,
  })

  /** @throws {Error} an endpoint is of no action, so that nobody would look whether a caller may ask it */
  constructor(endpoints: readonly Endpoint[] = ENDPOINTS) {
    for (const endpoint of endpoints) {
      if (!Object.hasOwn(ACTIONS, endpoint.action))
        throw new Error(`the endpoint of [${endpoint.routes[0]?.[1]}] has no action`)
      const partNames = partNamesOf(endpoint)
      for (const [method, path] of endpoint.routes) this.#add(method, path, endpoint, partNames)
    }
    for (const [methods, path] of UNSUPPORTED_ROUTES) {
      for (const method of methods.split(' ')) this.#add(method as Method, path, null, NO_NAMES)
    }
  }

  /** The endpoint of a request, or null. */
  find(method: string, rawPath: string): FoundRoute | null {
    if (!METHODS.includes(method as Method)) return null
    const found = this.#router.find(method as Method, rawPath.replaceAll('#', '%23'))
    if (found === null) return null
    const parts = new Map<string, string>()
    for (const [name, value] of Object.entries(found.params)) {
      // The router lets a part be empty: `DELETE /` would be taken for a list of no indices.
      if (name !== '*' && !value) return null
      if (value) parts.set(name, value)
    }
    const { endpoint, path, partNames } = found.store as Stored
    return { endpoint, path, parts, partNames }
  }

  /** The methods that a path has an endpoint for, in alphabetical order. */
  allowed(rawPath: string): Method[] {
    return METHODS.filter(method => this.find(method, rawPath) !== null).sort()
  }

  #add(
    method: Method,
    path: string,
    endpoint: Endpoint | null,
    partNames: ReadonlySet<string>,
  ): void {
    const stored: Stored = { endpoint, path, partNames }
    this.#router.on(method, path.replace(/\{(\w+)\}/g, ':$1'), () => {}, stored)
  }
}

/** Those that the endpoint reads as parameters stay parameters. */
function partNamesOf({ routes, params }: Endpoint): ReadonlySet<string> {
  const names = routes.flatMap(([, path]) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
  )
  return new Set(names.filter(name => !Object.hasOwn(params, name)))
}
