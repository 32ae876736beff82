/**
 * The entries of a leaf's completions that a pattern accepts: ranges, each of all keys with one prefix. A
 * prefix is accepted where the pattern ends for the first time, whatever follows.
 */
import type { CompletionCursor, CompletionsReader } from '../../codec/completions/reader.ts'
import { DEAD, START } from '../../util/automaton/automaton.ts'
import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import type { Turn } from '../../util/turns.ts'

/** An automaton over the bytes or the code points of keys; `START` and `DEAD` are two of its states. */
export interface KeyAutomaton {
  readonly unit: 'byte' | 'point'
  step(state: number, unit: number): number
  /** The first unit at or above `from` that does not lead to `DEAD`; −1: none. */
  nextPoint(state: number, from: number): number
  accepts(state: number): boolean
}

/** The prefixes that keys must begin with: literal ones, or those of automata. */
export interface KeyPattern {
  /** One of these. */
  readonly prefixes: readonly Uint8Array[]
  /** Or a text that one of these accepts. */
  readonly automata: readonly KeyAutomaton[]
  /** How much a prefix counts that was accepted; 0 where all count alike. */
  boostOf(prefix: Uint8Array): number
}

/** The entries with one prefix. */
export interface KeyPath {
  readonly start: number
  readonly end: number
  readonly boost: number
}

/** An entry's cost of a walk, in units of about a microsecond. */
const WALK_UNITS = 2

/**
 * Finds what a pattern accepts behind a base.
 * @param base what the keys begin with ahead of it: a context, or nothing
 * @returns disjoint ranges, ascending
 */
export function* keyPaths(
  reader: CompletionsReader,
  base: Uint8Array,
  pattern: KeyPattern,
  turn: Turn,
): Generator<void, readonly KeyPath[], void> {
  const paths: KeyPath[] = []
  for (const prefix of pattern.prefixes) {
    const key = joined(base, prefix)
    const start = reader.seekCeil(key)
    paths.push({ start, end: endOf(reader, key), boost: pattern.boostOf(prefix) })
  }
  for (const automaton of pattern.automata)
    yield* walk(reader, base, automaton, pattern, paths, turn)
  return outermost(paths)
}

/** Ranges lie within each other or apart: the outer ones end where the pattern did for the first time. */
function outermost(paths: readonly KeyPath[]): readonly KeyPath[] {
  const kept: KeyPath[] = []
  for (const path of [...paths].sort((a, b) => a.start - b.start || b.end - a.end))
    if (path.start < path.end && path.start >= (kept.at(-1)?.end ?? 0)) kept.push(path)
  return kept
}

function* walk(
  reader: CompletionsReader,
  base: Uint8Array,
  automaton: KeyAutomaton,
  pattern: KeyPattern,
  into: KeyPath[],
  turn: Turn,
): Generator<void, void, void> {
  const first = reader.seekCeil(base)
  const last = endOf(reader, base)
  if (automaton.accepts(START)) {
    into.push({ start: first, end: last, boost: pattern.boostOf(new Uint8Array(0)) })
    return
  }
  const cursor = reader.cursor()
  const units: number[] = []
  const states: number[] = [START]
  for (let entry = first; entry < last; ) {
    if (turn.isOver(WALK_UNITS)) yield
    cursor.moveTo(entry)
    decode(cursor, base.length, automaton.unit, units)
    let length = 0
    let isAccepted = false
    while (length < units.length && !isAccepted) {
      const next = automaton.step(states[length]!, units[length]!)
      if (next === DEAD) break
      states[++length] = next
      isAccepted = automaton.accepts(next)
    }
    if (isAccepted) {
      const prefix = encode(units.slice(0, length), automaton.unit)
      const end = endOf(reader, joined(base, prefix))
      into.push({ start: entry, end, boost: pattern.boostOf(prefix) })
      entry = end
      continue
    }
    const target = above(units, states, length, automaton)
    if (target === null) return
    entry = Math.max(entry + 1, reader.seekCeil(joined(base, target)))
  }
}

/** The smallest text above the first `length` units, one more included, that may be accepted. */
function above(
  units: readonly number[],
  states: readonly number[],
  length: number,
  automaton: KeyAutomaton,
): Uint8Array | null {
  for (let at = Math.min(length, units.length); at >= 0; at--) {
    const from = at < units.length ? units[at]! + 1 : 0
    const next = nextUnit(automaton, states[at]!, from)
    if (next >= 0) return encode([...units.slice(0, at), next], automaton.unit)
  }
  return null
}

function nextUnit(automaton: KeyAutomaton, state: number, from: number): number {
  const next = automaton.nextPoint(state, from)
  if (automaton.unit === 'byte') return next > 0xff ? -1 : next
  // No key holds a surrogate.
  return next >= 0xd800 && next < 0xe000 ? automaton.nextPoint(state, 0xe000) : next
}

/** The number of the first entry above all keys with a prefix. */
export function endOf(reader: CompletionsReader, prefix: Uint8Array): number {
  const next = successor(prefix)
  return next === null ? reader.count : reader.seekCeil(next)
}

/** The smallest byte string above all with a prefix; null when there is none. */
function successor(prefix: Uint8Array): Uint8Array | null {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return null
  const next = prefix.slice(0, length)
  next[length - 1] = next[length - 1]! + 1
  return next
}

/** One byte string behind another. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function encode(units: readonly number[], unit: KeyAutomaton['unit']): Uint8Array {
  if (unit === 'byte') return Uint8Array.from(units)
  return encodeUtf8(units.map(point => String.fromCodePoint(point)).join(''))
}

/** The units of a key behind its first bytes. */
function decode(
  { key, keyLength }: CompletionCursor,
  from: number,
  unit: KeyAutomaton['unit'],
  into: number[],
): void {
  let count = 0
  for (let at = from; at < keyLength; ) {
    const byte = key[at]!
    const size = unit === 'byte' || byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    let value = size === 1 ? byte : byte & (0x7f >> size)
    for (let i = 1; i < size; i++) value = (value << 6) | (key[at + i]! & 0x3f)
    into[count++] = value
    at += size
  }
  into.length = count
}

/** Whether a key begins with a byte string. */
export function beginsWith(cursor: CompletionCursor, prefix: Uint8Array): boolean {
  return (
    cursor.keyLength >= prefix.length &&
    compareBytes(cursor.key.subarray(0, prefix.length), prefix) === 0
  )
}
