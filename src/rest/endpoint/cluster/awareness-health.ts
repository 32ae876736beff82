/** `level=awareness_attributes` of the cluster's health. */

import type { ClusterHealth } from '../../../engine/api/cluster.ts'
import type { EngineApi } from '../../../engine/api/engine-api.ts'
import { validationFailed } from '../../../util/errors.ts'
import { Float64, type JsonMap, type JsonRecord } from '../../../util/json/json-value.ts'
import { attributesOf } from '../../node-view.ts'
import { list } from '../../params.ts'

const AWARENESS = 'cluster.routing.allocation.awareness.attributes'

/**
 * Holds parameters of health against each other.
 * @throws {EngineError} `action_request_validation_exception`: some do not go together
 */
export function checkAwareness(
  index: string,
  params: {
    readonly level: string | undefined
    readonly awareness_attribute: string | undefined
    readonly local: boolean | undefined
    readonly ensure_node_commissioned: boolean | undefined
    readonly ensure_node_weighed_in: boolean | undefined
  },
): void {
  const isByAttribute = params.level === 'awareness_attributes'
  if (isByAttribute && index !== '')
    throw validationFailed(['awareness_attribute is not a supported parameter with index health'])
  if (!isByAttribute && params.awareness_attribute !== undefined)
    throw validationFailed([
      'level=awareness_attributes is required with awareness_attribute parameter',
    ])
  const asksForNode = params.ensure_node_commissioned || params.ensure_node_weighed_in
  if (asksForNode && params.local !== true)
    throw validationFailed(['not a local request to ensure local node commissioned or weighed in'])
}

/**
 * Shards by the value that the node has of attributes that allocation is to be aware of.
 * @param only the one attribute that is shown; null: those of the setting
 */
export function printAwareness(
  engine: EngineApi,
  health: ClusterHealth,
  only: string | null,
): JsonMap {
  const { persistent, transient } = engine.cluster.settings()
  const named = persistent.with(transient.toMap()).get(AWARENESS) ?? []
  const names = only !== null ? [only] : typeof named === 'string' ? list(named) : named
  const attributes = attributesOf(engine.cluster.nodeInfo())
  return new Map(
    names.map((name): [string, JsonMap] => {
      const value = attributes.get(name)
      return [name, new Map(value === undefined ? [] : [[value, printZone(health)]])]
    }),
  )
}

/** All active shards lie on the one node; how the others would be spread is not told. */
function printZone({ activeShards }: ClusterHealth): JsonRecord {
  return {
    active_shards: activeShards,
    initializing_shards: 0,
    relocating_shards: 0,
    unassigned_shards: -1,
    data_nodes: 1,
    weight: new Float64(1),
  }
}
