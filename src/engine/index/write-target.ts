/** The index that a write goes to. */
import { clusterSettings } from '../../schema/setting-registry.ts'
import { checkAccess } from '../../task/access.ts'
import type { Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import { checkBlocksFor, checkIndexName } from '../metadata/index-names.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { addIndex } from './index-life.ts'

/**
 * The index of a write, created when it is missing and may be. A write is allowed or refused here.
 * @param action of the one operation: within a bulk it is not that of the call
 * @throws {EngineError} `security_exception`, `index_not_found_exception`, `index_closed_exception`,
 *   `invalid_index_name_exception`, `cluster_block_exception`
 */
export async function resolveWrite(
  node: Node,
  name: string,
  context: CallContext,
  action: Action,
): Promise<IndexService> {
  checkAccess(context, action, [name])
  const existing = node.metadata.index(name)
  if (existing !== null) {
    checkBlocksFor(node.metadata, action, [existing])
    return node.openedIndex(name)
  }
  checkIndexName(name)
  checkAccess(context, 'indices:admin/auto_create', [name])
  checkBlocksFor(node.metadata, 'indices:admin/auto_create', [])
  if (!mayCreate(node, name))
    throw new EngineError({
      type: 'index_not_found_exception',
      reason: `no such index [${name}] and [action.auto_create_index] is [false]`,
      extra: { index: name, index_uuid: '_na_' },
    })
  return node.changes.submit(`auto create [${name}]`, 'URGENT', () => {
    node.ensureOpen()
    if (node.metadata.index(name) !== null) return node.openedIndex(name)
    return addIndex(node, name, { settings: new Map(), mappings: null, aliases: null })
  })
}

/** `action.auto_create_index`: true, false, or patterns with `+` and `-`. */
function mayCreate(node: Node, name: string): boolean {
  const setting = clusterSettings.text(node.effectiveSettings, 'action.auto_create_index')
  if (setting === '' || setting === 'true') return true
  if (setting === 'false') return false
  for (const part of setting.split(',').map(text => text.trim())) {
    const allows = !part.startsWith('-')
    const pattern = part.replace(/^[+-]/, '')
    if (matchesWildcard(pattern, name)) return allows
  }
  return false
}
