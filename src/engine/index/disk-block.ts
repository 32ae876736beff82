import { indexMetadata } from '../metadata/index-metadata.ts'
import type { Node } from '../node/node.ts'

const BLOCK = 'index.blocks.read_only_allow_delete'

/**
 * Blocks all indices because the disk is full, or lifts that block from all that have it, whoever has set
 * it; durable when it resolves. Most calls find nothing to do.
 */
export async function blockForDisk(node: Node, isFull: boolean): Promise<void> {
  const wanted = isFull ? 'true' : null
  const others = () =>
    [...node.metadata.indices()].filter(({ settings }) =>
      isFull ? settings.get(BLOCK) !== 'true' : settings.get(BLOCK) === 'true',
    )
  if (others().length === 0) return
  await node.changes.submit(
    'update-settings',
    'URGENT',
    () => {
      node.ensureOpen()
      for (const metadata of others()) {
        const settings = metadata.settings.with(new Map([[BLOCK, wanted]]))
        const settingsVersion = metadata.settingsVersion + 1
        node.updateIndex(
          indexMetadata({ ...metadata, settings, settingsVersion }, metadata.analysis),
        )
      }
    },
    null,
  )
}
