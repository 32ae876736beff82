/** Lucene's analysis as a child process; see AnalysisOracle.java for what goes over the line. */
import { LineProcess } from './line-process.ts'

/** A component by the name of its factory, as Lucene's service files have it (`frenchLightStem`). */
export interface LuceneFactory {
  readonly name: string
  readonly args?: Readonly<Record<string, string>>
}

/** A filter without a factory, by its class; it takes a stream and nothing else. */
export interface LuceneClass {
  readonly class: string
}

/** Each token through each chain, by Lucene's conditional filters; an empty chain keeps the token. */
export interface LuceneChains {
  readonly chains: readonly (readonly LuceneFactory[])[]
}

/** What Lucene is to run. */
export type LuceneSpec =
  | {
      readonly chain: {
        readonly charFilters?: readonly LuceneFactory[]
        readonly tokenizer: LuceneFactory
        readonly filters?: readonly (LuceneFactory | LuceneClass | LuceneChains)[]
        /** Files that arguments name, as texts. */
        readonly resources?: Readonly<Record<string, string>>
      }
    }
  | {
      readonly analyzer: {
        readonly class: string
        readonly stopwords?: readonly string[]
        /** Only behind `stopwords`. */
        readonly exclusions?: readonly string[]
      }
    }

/**
 * What becomes of a text, as JSON: `[[term, start, end, type, positionIncrement, positionLength,
 * keyword 0|1, termFrequency, payload as hex or null], …, [end offset, increment behind the last]]`.
 * Where it threw, `{"error": …}`.
 */
export type Outcome = readonly unknown[] | { readonly error: string }

/** A running oracle; questions go in one after the other. */
export class LuceneOracle {
  readonly #process: LineProcess

  /** @throws {Error} why Lucene cannot be run here */
  constructor() {
    this.#process = new LineProcess(['AnalysisOracle.java', 'JsonReader.java'])
  }

  /** Sets the texts of the runs that follow. */
  async setTexts(texts: readonly string[]): Promise<void> {
    await this.#ask({ texts })
  }

  /** What a chain or analyzer makes of each text. */
  async run(spec: LuceneSpec): Promise<readonly Outcome[]> {
    return (await this.#ask(spec)) as readonly Outcome[]
  }

  /** The words of an analyzer's own stop set, unordered. */
  async stopwords(analyzerClass: string): Promise<readonly string[]> {
    return (await this.#ask({ stopwords: analyzerClass })) as readonly string[]
  }

  close(): void {
    this.#process.close()
  }

  async #ask(question: unknown): Promise<unknown> {
    const value = JSON.parse(await this.#process.ask(question)) as unknown
    if (typeof value === 'object' && value !== null && 'error' in value)
      throw new Error(
        `Lucene: ${String(value.error)} for ${JSON.stringify(question).slice(0, 300)}`,
      )
    return value
  }
}
