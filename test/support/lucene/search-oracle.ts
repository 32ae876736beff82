/** Lucene's searches as a child process; see SearchOracle.java for what goes over the line. */
import { LineProcess } from './line-process.ts'

/** A running oracle. */
export class LuceneSearches {
  readonly #process: LineProcess

  /** @throws {Error} why Lucene cannot be run here */
  constructor() {
    this.#process = new LineProcess([
      'SearchOracle.java',
      'SearchQueries.java',
      'FunctionScores.java',
      'JsonReader.java',
    ])
  }

  /** Sets the documents of the searches that follow. */
  async open(documents: readonly object[]): Promise<void> {
    await this.#ask(documents)
  }

  /** All hits, the best first, each as its document's number and the bits of its score. */
  async hits(query: object): Promise<string> {
    return await this.#ask({ query })
  }

  /** The whole values of the field `body` of the hits with what was found marked, by number. */
  async highlights(query: object): Promise<ReadonlyMap<number, string>> {
    const line = await this.#ask({ highlight: query })
    const parts = line.split('\t').filter(part => part !== '')
    return new Map(
      parts.map(part => {
        const [number = '', text = ''] = part.split(/:(.*)/s)
        return [Number(number), text]
      }),
    )
  }

  close(): void {
    this.#process.close()
  }

  async #ask(question: unknown): Promise<string> {
    const line = await this.#process.ask(question)
    if (line.startsWith('error: '))
      throw new Error(`Lucene: ${line} for ${JSON.stringify(question).slice(0, 600)}`)
    return line
  }
}
