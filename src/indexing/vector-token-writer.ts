import type { Analyzer } from '../analysis/analyzer/analyzer.ts'
import { Utf8Scratch } from '../analysis/utf8.ts'
import { OPERATIONS, type ParsedDocument } from '../schema/parsed-document.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import type { FieldBuffer } from './field-buffer.ts'
import type { VectorLog } from './vector-log.ts'

/** Texts, through an analyzer, with the tokens kept by document. */
export class VectorTokenWriter {
  readonly #buffer: FieldBuffer
  readonly #vectors: VectorLog
  readonly #analyzer: Analyzer
  readonly #gap: number
  readonly #scratch = new Utf8Scratch()

  constructor(
    buffer: FieldBuffer,
    vectors: VectorLog,
    { analyzer, gap }: { readonly analyzer: Analyzer; readonly gap: number },
  ) {
    this.#buffer = buffer
    this.#vectors = vectors
    this.#analyzer = analyzer
    this.#gap = gap
  }

  /**
   * Adds the value of one operation of the document.
   * @throws {EngineError} a term that is too long
   */
  add(document: ParsedDocument, operation: number): void {
    const isSource = document.kinds[operation] === OPERATIONS.text
    const bytes = isSource ? document.source : document.scratch
    const text = decodeUtf8(bytes.subarray(document.a[operation]!, document.b[operation]!))
    const buffer = this.#buffer
    const vectors = this.#vectors
    const scratch = this.#scratch
    const stream = this.#analyzer.stream(text)
    const { token } = stream
    let position = buffer.position
    while (stream.next()) {
      position += token.positionIncrement
      const length = scratch.put(token.term)
      const at = Math.max(position, 0)
      const count = token.termFrequency
      if (count === 1) buffer.token(scratch.bytes, 0, length, at)
      else buffer.repeated(scratch.bytes, 0, length, at, count)
      // As many as the buffer has logged.
      for (let i = 0; i < count; i++)
        vectors.token(at, token.startOffset, token.endOffset, token.payload)
    }
    stream.end()
    buffer.position = position + token.positionIncrement + this.#gap
    vectors.offset += token.endOffset + 1
  }
}
