/** Operations out of the lines of a `_bulk` body: an action line, then a document unless it deletes. */
import type { BulkOperation } from '../embed/bulk-load.ts'
import { decodeUtf8 } from '../util/bytes.ts'

/** The actions of a `_bulk` body. */
const ACTIONS: ReadonlySet<string> = new Set(['index', 'create', 'delete', 'update'])
/** Metadata of a document in an action line. */
const METADATA: ReadonlySet<string> = new Set(['_index', '_id', 'routing'])
/** Longest line that can be one of an action: an id has 512 bytes, names and routing are short. */
const LONGEST_ACTION = 10_000

/** An action line: what to do with a document, and the document's metadata. */
export interface ActionLine {
  readonly action: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Reads an action line, `{"index":{"_id":"1"}}`; null for any other line. */
export function actionLine(line: Uint8Array): ActionLine | null {
  if (line.length > LONGEST_ACTION) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(decodeUtf8(line))
  } catch {
    // No JSON is no action line; as a document it is refused by its own reader.
    return null
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
  const [entry, ...others] = Object.entries(parsed)
  if (entry === undefined || others.length > 0 || !ACTIONS.has(entry[0])) return null
  const [action, metadata] = entry as [string, unknown]
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return null
  const isMetadata = Object.values(metadata).every(
    value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  )
  return isMetadata ? { action, metadata: metadata as Record<string, unknown> } : null
}

/**
 * The operations of a `_bulk` body.
 *
 * @param lines its lines that are not blank
 * @param index the index that all of it goes to
 * @param idOf  the id of a document whose action line names none; undefined: the engine makes one
 * @throws {Error} a line that is no action, an action that cannot be done or lacks its document, a
 *   document for another index
 */
export async function* bulkOperations(
  lines: AsyncIterable<Uint8Array>,
  index: string | null,
  idOf: (source: Uint8Array) => string | undefined,
): AsyncGenerator<BulkOperation<Record<string, unknown>>> {
  let open: ActionLine | null = null
  for await (const line of lines) {
    if (open !== null) {
      yield writeOf(open, line, idOf)
      open = null
      continue
    }
    const found = actionLine(line)
    if (found === null)
      throw new Error(
        'its line of an action is none: a bulk file has {"index":{}}, {"create":{}} or ' +
          '{"delete":{}} before each document; --format ndjson reads every line as a document',
      )
    check(found, index)
    if (found.action === 'delete') yield deleteOf(found)
    else open = found
  }
  if (open !== null) throw new Error('the file ends before the document of its last action')
}

function check({ action, metadata }: ActionLine, index: string | null): void {
  if (action === 'update')
    throw new Error('[update] is not supported yet: write whole documents with [index]')
  for (const key of Object.keys(metadata))
    if (!METADATA.has(key))
      throw new Error(`the action has [${key}], of which ${[...METADATA].join(', ')} can be read`)
  const named = metadata['_index']
  if (named !== undefined && index !== null && named !== index)
    throw new Error(`the action names index [${named}], and --index says [${index}]`)
}

function writeOf(
  { action, metadata }: ActionLine,
  source: Uint8Array,
  idOf: (source: Uint8Array) => string | undefined,
): BulkOperation<Record<string, unknown>> {
  const named = metadata['_id']
  const id = named === undefined ? idOf(source) : String(named)
  return {
    source,
    ...(id === undefined ? {} : { id }),
    ...routingOf(metadata),
    ...(action === 'create' ? { create: true } : {}),
  }
}

function deleteOf({ metadata }: ActionLine): BulkOperation<Record<string, unknown>> {
  const id = metadata['_id']
  if (id === undefined) throw new Error('[delete] needs an _id')
  return { delete: String(id), ...routingOf(metadata) }
}

function routingOf(metadata: ActionLine['metadata']): { routing?: string } {
  const routing = metadata['routing']
  return routing === undefined ? {} : { routing: String(routing) }
}
