import type { LogLine } from '../../engine/api/log-line.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { writeJson } from '../../util/json/json-writer.ts'

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

/** The node that the events are of. */
export interface AuditedNode {
  readonly nodeId: string
  readonly nodeName: string
  readonly clusterName: string
}

/** Writes who came in, who did not, and what was refused, a line of JSON each, to the log of the node. */
export class AuditLog {
  readonly #node: AuditedNode
  readonly #write: ((line: LogLine) => void) | null
  readonly #disabled: ReadonlySet<string>

  /** @param write null: there is no log */
  constructor(node: AuditedNode, settings: Settings, write: (line: LogLine) => void) {
    this.#node = node
    this.#write = nodeSettings.text(settings, `${PREFIX}.type`) === 'log4j' ? write : null
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
    const { nodeId, nodeName, clusterName } = this.#node
    const { user, address, method, path } = request
    const { privilege, indices, roles } = details
    const event = {
      audit_cluster_name: clusterName,
      audit_node_name: nodeName,
      audit_node_id: nodeId,
      audit_format_version: 4,
      audit_category: category,
      audit_request_origin: 'REST',
      audit_request_layer: 'REST',
      '@timestamp': new Date().toISOString(),
      audit_request_remote_address: address,
      audit_request_effective_user: user ?? '<NONE>',
      audit_rest_request_method: method ?? undefined,
      audit_rest_request_path: path ?? undefined,
      audit_request_privilege: privilege,
      audit_trace_resolved_indices: indices,
      audit_request_user_roles: roles,
    }
    this.#write?.({ logger: 'audit', level: 'INFO', message: decodeUtf8(writeJson(event)) })
  }
}
