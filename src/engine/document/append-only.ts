import { EngineError } from '../../util/errors.ts'
import type { WriteKind } from '../index/stream-writes.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'

/**
 * Refuses changes of documents, and ids of the caller's own, where an index only grows.
 * @param id null: the engine makes it
 * @throws {EngineError} `validation_exception`
 */
export function checkAppendOnly(
  { name, isAppendOnly }: IndexMetadata,
  kind: WriteKind,
  id: string | null,
): void {
  if (!isAppendOnly) return
  const isChange = kind === 'update' || kind === 'delete'
  if (!isChange && id === null) return
  const what = isChange ? '' : ` with a custom document id ${id}`
  throw new EngineError({
    type: 'validation_exception',
    reason:
      `Validation Failed: 1: Operation [${kind.toUpperCase()}] is not allowed${what} as setting ` +
      `\`index.append_only.enabled\` is enabled for this index: ${name};`,
  })
}
