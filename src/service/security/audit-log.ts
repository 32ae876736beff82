import type { EngineApi } from '../../engine/api/engine-api.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import { type AuditEvent, AuditIndex } from './audit-index.ts'

const PREFIX = 'plugins.security.audit'

/** Kinds of events. */
type AuditCategory =
  | 'AUTHENTICATED'
  | 'FAILED_LOGIN'
  | 'GRANTED_PRIVILEGES'
  | 'MISSING_PRIVILEGES'
  | 'COMPLIANCE_INTERNAL_CONFIG_WRITE'

/** What is written of a request: never its parameters, headers or body, which may hold secrets. */
export interface AuditedRequest {
  /** Null: none was given. */
  readonly user: string | null
  readonly address: string
  readonly method: string | null
  /** Without its query. */
  readonly path: string | null
}

/** Details of an event. */
interface AuditDetails {
  readonly privilege?: string
  readonly indices?: readonly string[]
  readonly roles?: readonly string[]
}

/** Takes an event. @param millis when it was */
type WriteEvent = (event: AuditEvent, millis: number) => void

/** Where events go, by `plugins.security.audit.type`: nowhere, to the log of the node, or to an index. */
const SINKS: Readonly<
  Record<string, (engine: EngineApi, settings: Settings) => WriteEvent | null>
> = {
  noop: () => null,
  log4j: engine => event =>
    engine.log({ logger: 'audit', level: 'INFO', message: decodeUtf8(writeJson(event)) }),
  internal_opensearch(engine, settings) {
    const index = new AuditIndex(engine, settings)
    return (event, millis) => index.add(event, millis)
  },
}

/** Writes who came in, who did not, and what was refused, a record of JSON each. */
export class AuditLog {
  readonly #engine: EngineApi
  readonly #write: WriteEvent | null
  readonly #disabled: ReadonlySet<string>

  constructor(engine: EngineApi, settings: Settings) {
    this.#engine = engine
    this.#write = SINKS[nodeSettings.text(settings, `${PREFIX}.type`)]!(engine, settings)
    this.#disabled = new Set(
      nodeSettings.list(settings, `${PREFIX}.config.disabled_rest_categories`),
    )
  }

  /** Whether events of a kind are written. */
  isOn(category: AuditCategory): boolean {
    return this.#write !== null && !this.#disabled.has(category)
  }

  /** Writes an event, if its kind is written. */
  note(category: AuditCategory, request: AuditedRequest, details: AuditDetails = {}): void {
    if (!this.isOn(category)) return
    const { nodeId, nodeName, clusterName } = this.#engine.cluster.identity
    const { user, address, method, path } = request
    const { privilege, indices, roles } = details
    const now = Date.now()
    const event = {
      audit_cluster_name: clusterName,
      audit_node_name: nodeName,
      audit_node_id: nodeId,
      audit_format_version: 4,
      audit_category: category,
      audit_request_origin: 'REST',
      audit_request_layer: 'REST',
      '@timestamp': new Date(now).toISOString(),
      audit_request_remote_address: address,
      audit_request_effective_user: user ?? '<NONE>',
      audit_rest_request_method: method ?? undefined,
      audit_rest_request_path: path ?? undefined,
      audit_request_privilege: privilege,
      audit_trace_resolved_indices: indices,
      audit_request_user_roles: roles,
    }
    this.#write?.(event, now)
  }
}
