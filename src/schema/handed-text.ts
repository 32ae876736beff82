import { encodeUtf8 } from '../util/bytes.ts'
import { JsonReader, type JsonToken } from '../util/json/json-reader.ts'
import { LeafValues } from './leaf-values.ts'
import type { ParsedDocument } from './parsed-document.ts'

/**
 * A text that a field hands on to its multi-fields, as if it stood in the document: its reader stands on
 * it, and its bytes are copied, because the source does not have them.
 */
export class HandedText extends LeafValues {
  constructor(document: ParsedDocument) {
    super(new JsonReader(), document)
  }

  /** Puts the reader on a text of the document that `around` reads. */
  take(text: string, around: LeafValues): JsonToken {
    this.id = around.id
    this.routing = around.routing
    this.reader.reset(encodeUtf8(JSON.stringify(text)))
    return this.reader.next()
  }

  override addBytes(ordinal: number, _token: JsonToken, _inSource: number, copied: number): void {
    this.addScratch(copied, ordinal, encodeUtf8(this.reader.text()))
  }
}
