/**
 * Blocks: settings of an index, or of the cluster, that refuse kinds of action. Numbers, texts and levels
 * are those of the real server's `ClusterBlock`s.
 */
import type { Settings } from '../../schema/settings.ts'
import type { BlockLevel } from '../../task/actions.ts'
import { assert } from '../../util/assert.ts'
import { EngineError } from '../../util/errors.ts'
import type { ShownBlock } from '../api/cluster-state.ts'
import type { BlockName } from '../api/indices.ts'

/** One block, once its setting is true. */
export interface Block {
  /** Full key of the setting. */
  readonly setting: string
  /** As errors show it: `FORBIDDEN/8/index write (api)`. */
  readonly text: string
  /** Whether the refusal is one to retry later (429), not one for good (403). */
  readonly isTemporary: boolean
  readonly levels: readonly BlockLevel[]
}

const INDEX_BLOCKS: readonly Block[] = [
  forbidden('index.blocks.read_only', '5/index read-only (api)', [
    'write',
    'metadata_write',
    'release',
  ]),
  forbidden('index.blocks.read', '7/index read (api)', ['read']),
  forbidden('index.blocks.write', '8/index write (api)', ['write']),
  forbidden('index.blocks.metadata', '9/index metadata (api)', [
    'metadata_read',
    'metadata_write',
    'release',
  ]),
  {
    setting: 'index.blocks.read_only_allow_delete',
    text:
      'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, ' +
      'index has read-only-allow-delete block',
    isTemporary: true,
    levels: ['write', 'metadata_write'],
  },
]

const CLUSTER_BLOCKS: readonly Block[] = [
  forbidden('cluster.blocks.read_only', '6/cluster read-only (api)', [
    'write',
    'metadata_write',
    'release',
    'create_index',
    'cluster_write',
  ]),
  forbidden('cluster.blocks.read_only_allow_delete', '13/cluster read-only / allow delete (api)', [
    'write',
    'metadata_write',
    'create_index',
    'cluster_write',
  ]),
  forbidden('cluster.blocks.create_index', '10/cluster create-index blocked (api)', [
    'create_index',
  ]),
]

function forbidden(setting: string, text: string, levels: readonly BlockLevel[]): Block {
  return { setting, text: `FORBIDDEN/${text}`, isTemporary: false, levels }
}

/** The block of a name. */
export function blockOf(name: BlockName): Block {
  const setting = `index.blocks.${name}`
  const block = INDEX_BLOCKS.find(one => one.setting === setting)
  assert(block !== undefined, 'each name has its block')
  return block
}

/** The blocks that an index's settings put on it; most have none. */
export function indexBlocks(settings: Settings): readonly Block[] {
  return INDEX_BLOCKS.filter(({ setting }) => settings.get(setting) === 'true')
}

/** The blocks that cluster settings put on everything. */
export function clusterBlocks(settings: Settings): readonly Block[] {
  return CLUSTER_BLOCKS.filter(({ setting }) => settings.get(setting) === 'true')
}

/** An index with its blocks. */
export interface Blockable {
  readonly name: string
  readonly blocks: readonly Block[]
}

/**
 * Passes an action of a level, or refuses it whole.
 * @param cluster the blocks on everything
 * @throws {EngineError} `cluster_block_exception`: 429 when all that refuse it are temporary, else 403
 */
export function checkBlocks(
  level: BlockLevel,
  cluster: readonly Block[],
  indices: readonly Blockable[],
): void {
  const overall = refusing(level, cluster)
  const refused: Block[] = [...overall]
  let reason = overall.length === 0 ? '' : `blocked by: [${textOf(overall)}];`
  if (overall.length === 0)
    for (const { name, blocks } of indices) {
      // Nearly always empty.
      if (blocks.length === 0) continue
      const own = refusing(level, blocks)
      if (own.length === 0) continue
      refused.push(...own)
      reason += `index [${name}] blocked by: [${textOf(own)}];`
    }
  if (refused.length === 0) return
  throw new EngineError({
    type: 'cluster_block_exception',
    reason,
    ...(refused.every(({ isTemporary }) => isTemporary) ? { status: 429 } : {}),
  })
}

function refusing(level: BlockLevel, blocks: readonly Block[]): readonly Block[] {
  return blocks.length === 0 ? blocks : blocks.filter(({ levels }) => levels.includes(level))
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join(', ')
}

/** The levels that the real server's blocks have, by the names that the cluster state shows. */
const SHOWN_LEVELS: readonly BlockLevel[] = ['read', 'write', 'metadata_read', 'metadata_write']

/** A block as the cluster state shows it. */
export function shownBlock({ text, levels }: Block): ShownBlock {
  const [, id = '', ...description] = text.split('/')
  const shown = levels.filter(level => SHOWN_LEVELS.includes(level))
  return {
    id: Number(id),
    description: description.join('/'),
    levels: shown.length > 0 ? shown : levels,
  }
}

/** A closed index refuses reads and writes of its documents without a setting. */
const CLOSED: ShownBlock = { id: 4, description: 'index closed', levels: ['read', 'write'] }

/** The blocks on an index as the cluster state shows them, in order of their ids. */
export function shownBlocksOf(index: Blockable & { readonly isOpen: boolean }): ShownBlock[] {
  const blocks = index.blocks.map(shownBlock)
  return index.isOpen ? blocks : [CLOSED, ...blocks]
}
