import type { PlainRun } from '../util/json/json-reader.ts'
import { DocumentParser } from './document-parser.ts'
import type { Mapping } from './mapping.ts'
import { addProposals, type FieldProposal } from './mapping-growth.ts'
import type { MappingContext } from './mapping-parser.ts'

/** A document that was read against the mapping that it would leave behind. */
export interface GrownDocument {
  /** Holds the document until it reads the next. */
  readonly parser: DocumentParser
  /** The fields that it brings, in order. */
  readonly proposals: readonly FieldProposal[]
}

/**
 * A tentative mapping on a write thread: documents are read against it as if their new fields were
 * mapped already, so that only documents that can be indexed propose any.
 */
export class GrowingMapping {
  #parser: DocumentParser
  readonly #context: MappingContext
  readonly #plainRun: PlainRun | null

  /**
   * @param parser of the mapping as it is
   * @param context its true limits
   * @param plainRun as the parser's
   */
  constructor(parser: DocumentParser, context: MappingContext, plainRun: PlainRun | null) {
    this.#parser = parser
    this.#context = context
    this.#plainRun = plainRun
  }

  /**
   * Reads the document `source[start, end)`. The mapping grows only when the result is adopted.
   * @throws {EngineError} the document, or a field that it brings, is refused
   */
  read(
    source: Uint8Array,
    start: number,
    end: number,
    id: string,
    routing: string | null = null,
  ): GrownDocument {
    let parser = this.#parser
    const proposals: FieldProposal[] = []
    while (!parser.parse(source, start, end, id, routing)) {
      const grown: Mapping = addProposals(parser.mapping, parser.proposals, this.#context)
      if (grown === parser.mapping)
        throw new Error(`document [${id}] brings fields that are mapped`)
      for (const proposal of parser.proposals) proposals.push(proposal)
      const { depth, nestedObjects } = this.#context.limits
      parser = new DocumentParser(grown, depth, this.#plainRun, nestedObjects)
    }
    return { parser, proposals }
  }

  /** Keeps the fields that a document brings. */
  adopt({ parser }: GrownDocument): void {
    this.#parser = parser
  }
}
