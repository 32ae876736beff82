/** The contexts of a leaf's completions that a request asks for. */
import { CONTEXT_END } from '../../codec/completions/format.ts'
import type { CompletionsReader } from '../../codec/completions/reader.ts'
import type { Turn } from '../../util/turns.ts'
import { beginsWith, joined } from './completion-paths.ts'

/** A context that is asked for. */
export interface ContextQuery {
  /** Ordinal of the field's context in one byte, then the value. */
  readonly key: Uint8Array
  /** Whether all values that begin so are asked for. */
  readonly isPrefix: boolean
  readonly boost: number
}

/** A context of the leaf that is asked for. */
export interface KeyBase {
  /** What its keys begin with. */
  readonly bytes: Uint8Array
  readonly boost: number
}

/** The base of keys without contexts. */
export const NO_CONTEXT: KeyBase = { bytes: new Uint8Array(0), boost: 0 }

const END = Uint8Array.of(CONTEXT_END)

/**
 * The contexts of the leaf, each once: the longest query that reaches it says its boost, of equal ones
 * the last.
 */
export function* keyBases(
  reader: CompletionsReader,
  queries: readonly ContextQuery[],
  turn: Turn,
): Generator<void, readonly KeyBase[], void> {
  const found = new Map<string, KeyBase & { readonly length: number }>()
  const add = (bytes: Uint8Array, { key, boost }: ContextQuery): void => {
    const name = bytes.join()
    if ((found.get(name)?.length ?? 0) <= key.length)
      found.set(name, { bytes, boost, length: key.length })
  }
  const cursor = reader.cursor()
  for (const query of queries) {
    if (!query.isPrefix) {
      add(joined(query.key, END), query)
      continue
    }
    for (let entry = reader.seekCeil(query.key); entry < reader.count; ) {
      if (turn.isOver(2)) yield
      cursor.moveTo(entry)
      if (!beginsWith(cursor, query.key)) break
      const bytes = cursor.key.slice(0, cursor.contextLength())
      add(bytes, query)
      const next = bytes.slice()
      next[next.length - 1] = CONTEXT_END + 1
      entry = reader.seekCeil(next)
    }
  }
  return [...found.values()]
}
