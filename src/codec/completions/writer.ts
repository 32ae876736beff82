import { ByteWriter } from '../../util/byte-writer.ts'
import { compareByteRanges } from '../../util/bytes.ts'
import type { CompletionColumn } from './completion-column.ts'
import {
  COMPLETIONS_CONTEXTS,
  COMPLETIONS_FANOUT,
  COMPLETIONS_HEADER_BYTES,
  COMPLETIONS_VERSION,
  CONTEXT_END,
  TOKEN_SEPARATOR,
} from './format.ts'

const BLANK = 0x20

/**
 * Writes the completions section of one field.
 * @param column at least one entry, in any order; of equal ones, one is kept
 */
export function writeCompletions(column: CompletionColumn, maxDoc: number): Uint8Array {
  const order = sortedEntries(column)
  const count = order.length
  const blockCount = Math.ceil(count / COMPLETIONS_FANOUT)
  const maxima = new Uint32Array(blockCount)
  const index = new Uint32Array(blockCount + 1)
  const data = new ByteWriter(column.data().length + 8 * count)
  for (let i = 0; i < count; i++) {
    const block = Math.floor(i / COMPLETIONS_FANOUT)
    const isFirst = i % COMPLETIONS_FANOUT === 0
    if (isFirst) index[block] = data.length
    const entry = order[i]!
    writeEntry(data, column, entry, isFirst ? -1 : order[i - 1]!)
    maxima[block] = Math.max(maxima[block]!, column.weights[entry]!)
  }
  index[blockCount] = data.length
  const out = new ByteWriter(COMPLETIONS_HEADER_BYTES + 5 * maxima.length + data.length + 1024)
  const flags = column.hasContexts ? COMPLETIONS_CONTEXTS : 0
  for (const word of [COMPLETIONS_VERSION, count, blockCount, flags]) out.u32(word)
  out.align(COMPLETIONS_HEADER_BYTES)
  out.setU32(16, out.length)
  for (let level: Uint32Array = maxima; ; level = levelAbove(level)) {
    out.array(level)
    if (level.length === 1) break
  }
  out.setU32(20, out.length)
  out.array(index)
  out.setU32(24, out.length)
  out.bytes(data.view())
  out.setU32(28, out.length)
  out.setU32(32, maxDoc)
  out.align(4)
  return out.view()
}

/** Entries by key, then from the heaviest weight, then by surface form and document; each once. */
function sortedEntries(column: CompletionColumn): Uint32Array {
  const { length, docs, weights, keyStarts, keyEnds } = column
  const data = column.data()
  const heads = new Uint32Array(length)
  for (let i = 0; i < length; i++) heads[i] = headOf(data, keyStarts[i]!, keyEnds[i]!)
  const compare = (a: number, b: number): number =>
    heads[a]! - heads[b]! ||
    compareByteRanges(data, keyStarts[a]!, keyEnds[a]!, data, keyStarts[b]!, keyEnds[b]!) ||
    weights[b]! - weights[a]! ||
    compareByteRanges(
      data,
      keyEnds[a]!,
      column.surfaceEnd(a),
      data,
      keyEnds[b]!,
      column.surfaceEnd(b),
    ) ||
    docs[a]! - docs[b]!
  const order = Uint32Array.from({ length }, (_, i) => i).sort(compare)
  let kept = 0
  for (let i = 0; i < length; i++)
    if (i === 0 || compare(order[kept - 1]!, order[i]!) !== 0) order[kept++] = order[i]!
  return order.subarray(0, kept)
}

/** The first four bytes as a number of the same order. */
function headOf(data: Uint8Array, start: number, end: number): number {
  let head = 0
  for (let i = start; i < start + 4; i++) head = head * 256 + (i < end ? data[i]! : 0)
  return head
}

/** @param before the entry before in the block; −1: it is the first */
function writeEntry(
  out: ByteWriter,
  column: CompletionColumn,
  entry: number,
  before: number,
): void {
  const { docs, weights, keyStarts, keyEnds } = column
  const data = column.data()
  const start = keyStarts[entry]!
  const end = keyEnds[entry]!
  let shared = 0
  if (before >= 0) {
    const from = keyStarts[before]!
    const most = Math.min(end - start, keyEnds[before]! - from)
    while (shared < most && data[from + shared] === data[start + shared]) shared++
  }
  out.varint(shared)
  out.varint(end - start - shared)
  out.bytes(data, start + shared, end)
  out.varint(weights[entry]!)
  out.varint(docs[entry]!)
  const surfaceEnd = column.surfaceEnd(entry)
  const input = column.hasContexts ? data.indexOf(CONTEXT_END, start) + 1 : start
  if (isSurface(data, input, end, surfaceEnd)) out.varint(0)
  else {
    out.varint(surfaceEnd - end)
    out.bytes(data, end, surfaceEnd)
  }
}

/** Whether the surface form `[end, surfaceEnd)` is the analysed input `[input, end)`, with blanks. */
function isSurface(data: Uint8Array, input: number, end: number, surfaceEnd: number): boolean {
  if (end - input !== surfaceEnd - end) return false
  for (let i = input, at = end; i < end; i++, at++) {
    const expected = data[i] === TOKEN_SEPARATOR ? BLANK : data[i]
    if (data[at] !== expected) return false
  }
  return true
}

function levelAbove(level: Uint32Array): Uint32Array {
  const above = new Uint32Array(Math.ceil(level.length / COMPLETIONS_FANOUT))
  for (let i = 0; i < level.length; i++) {
    const node = Math.floor(i / COMPLETIONS_FANOUT)
    above[node] = Math.max(above[node]!, level[i]!)
  }
  return above
}
