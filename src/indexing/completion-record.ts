/**
 * A completion in the buffer of its field.
 *
 *   record := u32 weight, u32 bytes of the key, the key, the surface form; little-endian
 */
import type { CompletionColumn } from '../codec/completions/completion-column.ts'

const HEADER_BYTES = 8

/** The record of a completion. */
export function completionRecord(weight: number, key: Uint8Array, surface: Uint8Array): Uint8Array {
  const record = new Uint8Array(HEADER_BYTES + key.length + surface.length)
  const view = new DataView(record.buffer)
  view.setUint32(0, weight, true)
  view.setUint32(4, key.length, true)
  record.set(key, HEADER_BYTES)
  record.set(surface, HEADER_BYTES + key.length)
  return record
}

/** Adds the completion of a record to a column. */
export function addCompletion(column: CompletionColumn, doc: number, record: Uint8Array): void {
  const view = new DataView(record.buffer, record.byteOffset, record.length)
  const keyEnd = HEADER_BYTES + view.getUint32(4, true)
  column.push(doc, view.getUint32(0, true), record, HEADER_BYTES, keyEnd, record.length)
}
