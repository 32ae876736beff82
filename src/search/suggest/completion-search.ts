/** The best completions of a shard: each leaf's, best first, put together. */
import { BestFirst, type ScoredRange } from '../../codec/completions/best-first.ts'
import type { CompletionCursor, CompletionsReader } from '../../codec/completions/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BitSet } from '../../util/bit-set.ts'
import { compareBytes, decodeUtf8 } from '../../util/bytes.ts'
import type { Turn } from '../../util/turns.ts'
import { type ContextQuery, type KeyBase, keyBases, NO_CONTEXT } from './completion-contexts.ts'
import { joined, type KeyPattern, keyPaths } from './completion-paths.ts'

/** The shard whose completions are searched. */
export interface CompletionsShard {
  readonly leaves: readonly Leaf[]
  /** By index of the leaf, the documents that may be found, no nested ones; null: all that live. */
  readonly visible: readonly BitSet[] | null
  /** Charges bytes of what is found; it may throw. */
  charge(bytes: number): void
}

/** A query on a shard's completions. */
export interface CompletionQuery {
  readonly field: string
  readonly pattern: KeyPattern
  /** Null for a field without contexts. */
  readonly contexts: readonly ContextQuery[] | null
  /** Max completions, each of another document. */
  readonly size: number
  /** Whether surface forms that are the same count once. */
  readonly skipsDuplicates: boolean
}

/** One completion. */
export interface FoundCompletion {
  readonly surface: string
  /** Float32. */
  readonly score: number
  /** Of its document in the shard. */
  readonly globalDoc: number
  /** The contexts asked for that it has: ordinal in the field, and value. */
  readonly contexts: readonly { readonly context: number; readonly value: string }[]
}

interface Candidate {
  readonly leaf: Leaf
  readonly bases: readonly KeyBase[]
  /** With its context. */
  readonly key: Uint8Array
  readonly contextLength: number
  readonly surfaceBytes: Uint8Array
  readonly surface: string
  readonly weight: number
  readonly score: number
  readonly doc: number
}

/** Memory of a completion beside its texts. */
const CANDIDATE_BYTES = 400

/**
 * Finds the best completions: those of the highest scores, of equal ones those of the lowest keys.
 * @returns by score, then by surface form
 */
export function* searchCompletions(
  shard: CompletionsShard,
  query: CompletionQuery,
  turn: Turn,
): Generator<void, readonly FoundCompletion[], void> {
  const candidates: Candidate[] = []
  for (let ord = 0; ord < shard.leaves.length; ord++)
    candidates.push(...(yield* searchLeaf(shard, ord, query, turn)))
  candidates.sort(
    (a, b) =>
      b.score - a.score ||
      compareBytes(a.key, b.key) ||
      compareBytes(a.surfaceBytes, b.surfaceBytes) ||
      globalDocOf(a) - globalDocOf(b),
  )
  const surfaces = new Set<string>()
  const best = candidates.filter(({ surface }) => {
    if (query.skipsDuplicates && surfaces.has(surface)) return false
    surfaces.add(surface)
    return true
  })
  best.length = Math.min(best.length, query.size)
  best.sort(
    (a, b) =>
      b.score - a.score || compareTexts(a.surface, b.surface) || globalDocOf(a) - globalDocOf(b),
  )
  return best.map(candidate => ({
    surface: candidate.surface,
    score: candidate.score,
    globalDoc: globalDocOf(candidate),
    contexts: contextsOf(candidate, query.field),
  }))
}

function globalDocOf({ leaf, doc }: Candidate): number {
  return leaf.docBase + doc
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function* searchLeaf(
  { leaves, visible, charge }: CompletionsShard,
  ord: number,
  { field, pattern, contexts, size, skipsDuplicates }: CompletionQuery,
  turn: Turn,
): Generator<void, readonly Candidate[], void> {
  const leaf = leaves[ord]!
  const found: Candidate[] = []
  const mayBeFound = visible?.[ord] ?? leaf.liveDocs
  const reader = leaf.completions(field)
  if (reader === null || reader.hasContexts !== (contexts !== null)) return found
  const bases = contexts === null ? [NO_CONTEXT] : yield* keyBases(reader, contexts, turn)
  const ranges: ScoredRange[] = []
  for (const base of bases)
    for (const { start, end, boost } of yield* keyPaths(reader, base.bytes, pattern, turn))
      ranges.push({ start, end, scoreOf: scoring(base.boost + boost) })
  const walk = new BestFirst(reader, ranges)
  const cursor = reader.cursor()
  const docs = new Set<number>()
  const surfaces = new Set<string>()
  while (found.length < size && walk.next()) {
    if (turn.isOver(1)) yield
    cursor.moveTo(walk.entry)
    const { doc, weight } = cursor
    // A nested document is found where the one is that it stands in.
    if (mayBeFound?.has(leaf.parents()?.next(doc) ?? doc) === false || docs.has(doc)) continue
    const surfaceBytes = cursor.surface()
    const surface = decodeUtf8(surfaceBytes)
    if (skipsDuplicates && surfaces.has(surface)) continue
    docs.add(doc)
    surfaces.add(surface)
    const key = cursor.key.slice(0, cursor.keyLength)
    const contextLength = cursor.contextLength()
    charge(CANDIDATE_BYTES + 2 * (key.length + surfaceBytes.length))
    const { score } = walk
    found.push({ leaf, bases, key, contextLength, surfaceBytes, surface, weight, score, doc })
  }
  return found
}

/** Weights as scores, in float32 as Lucene counts them. */
function scoring(boost: number): (weight: number) => number {
  if (boost === 0) return Math.fround
  return weight => (weight === 0 ? boost : Math.fround(Math.fround(weight) * boost))
}

/** The contexts asked for under which the same entry stands. */
function contextsOf(
  candidate: Candidate,
  field: string,
): { readonly context: number; readonly value: string }[] {
  const reader = candidate.leaf.completions(field)
  if (reader?.hasContexts !== true) return []
  const input = candidate.key.subarray(candidate.contextLength)
  return candidate.bases
    .filter(base => hasEntry(reader, joined(base.bytes, input), candidate))
    .map(({ bytes }) => ({ context: bytes[0]!, value: decodeUtf8(bytes.subarray(1, -1)) }))
}

/** Looks an entry up by all that entries are sorted by. */
function hasEntry(reader: CompletionsReader, key: Uint8Array, wanted: Candidate): boolean {
  const cursor = reader.cursor()
  let low = 0
  let high = reader.count - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    cursor.moveTo(middle)
    const order = compareEntry(cursor, key, wanted)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}

function compareEntry(cursor: CompletionCursor, key: Uint8Array, wanted: Candidate): number {
  return (
    cursor.compareKey(key) ||
    wanted.weight - cursor.weight ||
    compareBytes(cursor.surface(), wanted.surfaceBytes) ||
    cursor.doc - wanted.doc
  )
}
