/**
 * An input of a completion field, as the operations of a document carry it: a byte string.
 *
 *   input   := u32 weight, u16 contexts, context…, the text in UTF-8; little-endian
 *   context := u8 ordinal of the field's context, u16 bytes, the value in UTF-8
 */
import { ByteWriter } from '../util/byte-writer.ts'
import { decodeUtf8, encodeUtf8 } from '../util/bytes.ts'

/** A value of one of a field's contexts. */
export interface ContextValue {
  /** Ordinal of the context in the mapping. */
  readonly context: number
  readonly value: string
}

/** A text that beginnings are completed to. */
export interface CompletionInput {
  /** In UTF-8. */
  readonly text: Uint8Array
  readonly weight: number
  /** Those given with it. */
  readonly contexts: readonly ContextValue[]
}

/**
 * Encodes an input.
 * @param contexts at most 65,535, their values of at most 65,535 bytes
 */
export function encodeInput(
  text: string,
  weight: number,
  contexts: readonly ContextValue[],
): Uint8Array {
  const out = new ByteWriter(64)
  out.u32(weight)
  out.u16(contexts.length)
  for (const { context, value } of contexts) {
    const bytes = encodeUtf8(value)
    out.u8(context)
    out.u16(bytes.length)
    out.bytes(bytes)
  }
  out.bytes(encodeUtf8(text))
  return out.view()
}

/** Decodes an input; its text is a view of the bytes. */
export function decodeInput(bytes: Uint8Array): CompletionInput {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.getUint16(4, true)
  const contexts: ContextValue[] = []
  let at = 6
  for (let i = 0; i < count; i++) {
    const end = at + 3 + view.getUint16(at + 1, true)
    contexts.push({ context: bytes[at]!, value: decodeUtf8(bytes.subarray(at + 3, end)) })
    at = end
  }
  return { text: bytes.subarray(at), weight: view.getUint32(0, true), contexts }
}
