/** The blocks on indices in the cluster's state. */
import type { ShownIndex } from '../../engine/api/indices.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'

/** By the setting that puts the block on an index: its id and what prints of it. */
const BLOCKS: Readonly<Record<string, readonly [id: string, block: JsonRecord]>> = {
  'index.blocks.read_only': block('5', 'index read-only (api)', ['write', 'metadata_write']),
  'index.blocks.read': block('7', 'index read (api)', ['read']),
  'index.blocks.write': block('8', 'index write (api)', ['write']),
  'index.blocks.metadata': block('9', 'index metadata (api)', ['metadata_read', 'metadata_write']),
  'index.blocks.read_only_allow_delete': block(
    '12',
    'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
    ['write', 'metadata_write'],
  ),
}

const CLOSED = block('4', 'index closed', ['read', 'write'])

function block(
  id: string,
  description: string,
  levels: readonly string[],
): readonly [string, JsonRecord] {
  return [id, { description, retryable: false, levels }]
}

/** `blocks`: an empty object where nothing is blocked. */
export function printBlocks(indices: readonly ShownIndex[]): JsonRecord {
  const printed = new Map<string, JsonValue>()
  for (const { name, isOpen, settings } of indices) {
    const own = Object.entries(BLOCKS)
      .filter(([key]) => settings.get(key) === 'true')
      .map(([, one]) => one)
    if (!isOpen) own.unshift(CLOSED)
    if (own.length > 0) printed.set(name, Object.fromEntries(own))
  }
  return printed.size === 0 ? {} : { indices: printed }
}
