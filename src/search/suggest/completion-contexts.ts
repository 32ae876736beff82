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
  /** Prefix of its keys. */
  readonly bytes: Uint8Array
  readonly boost: number
}

/** The base of keys without contexts. */
export const NO_CONTEXT: KeyBase = { bytes: new Uint8Array(0), boost: 0 }

const END = Uint8Array.of(CONTEXT_END)

/**
 * The contexts of the leaf, each once. The longest value asked for that one begins with says its boost,
 * of equal ones the last, whether or not it asks for what begins so: as Lucene has it.
 */
export function* keyBases(
  reader: CompletionsReader,
  queries: readonly ContextQuery[],
  turn: Turn,
): Generator<void, readonly KeyBase[], void> {
  const boosts = new Map(queries.map(({ key, boost }) => [nameOf(key), boost]))
  const found = new Map<string, KeyBase>()
  const add = (bytes: Uint8Array): void => {
    const name = nameOf(bytes)
    found.set(name, { bytes, boost: boostOf(boosts, name) })
  }
  const cursor = reader.cursor()
  for (const { key, isPrefix } of queries) {
    if (!isPrefix) {
      add(joined(key, END))
      continue
    }
    for (let entry = reader.seekCeil(key); entry < reader.count; ) {
      if (turn.isOver(2)) yield
      cursor.moveTo(entry)
      if (!beginsWith(cursor, key)) break
      const bytes = cursor.key.slice(0, cursor.contextLength())
      add(bytes)
      const next = bytes.slice()
      next[next.length - 1] = CONTEXT_END + 1
      entry = reader.seekCeil(next)
    }
  }
  return [...found.values()]
}

/** Bytes as a text of as many characters. */
function nameOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => String.fromCharCode(byte)).join('')
}

function boostOf(boosts: ReadonlyMap<string, number>, name: string): number {
  for (let length = name.length; length > 0; length--) {
    const boost = boosts.get(name.slice(0, length))
    if (boost !== undefined) return boost
  }
  return 0
}
