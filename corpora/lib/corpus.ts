/** What a corpus generator takes and gives; `make.ts` turns it into files. */

/** One document, ready to be written as a line of NDJSON. */
export type CorpusDocument = Readonly<Record<string, string | number>>

export interface CorpusOptions {
  /** How many documents at most; null: as many as the source has (or the generator's default). */
  readonly size: number | null
  readonly seed: number
  /** A folder of the corpus's own for what is downloaded or unpacked; never committed. */
  readonly cache: string
  /** Notes for made.json: package versions, hashes of what was read. */
  readonly note: (key: string, value: unknown) => void
  /** A line for whoever waits. */
  readonly say: (line: string) => void
}

/** A corpus: its name is its folder's, its text goes into the field that queries are drawn from. */
export interface Corpus {
  readonly name: string
  readonly textField: string
  generate(options: CorpusOptions): Iterable<CorpusDocument> | AsyncIterable<CorpusDocument>
}
