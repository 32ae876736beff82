/** Lucene's analysis as a child process; see AnalysisOracle.java for what goes over the line. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { luceneProgram } from './class-path.ts'

/** Kept from run to run: jars and classes. */
export const ORACLE_CACHE: string = fileURLToPath(new URL('../../.cache', import.meta.url))

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
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting: ((line: string) => void)[] = []
  #failed: Error | null = null

  /** @throws {Error} why Lucene cannot be run here */
  constructor() {
    const source = fileURLToPath(new URL('AnalysisOracle.java', import.meta.url))
    const { program, args } = luceneProgram(ORACLE_CACHE, [source], 'AnalysisOracle', [
      '-Xmx2g',
      '-XX:+UseSerialGC',
    ])
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: this.#process.stdout }).on('line', line =>
      this.#waiting.shift()?.(line),
    )
    this.#process.on('exit', code => {
      this.#failed = new Error(`the oracle ended with code ${code}`)
      for (const resolve of this.#waiting.splice(0)) resolve('{"error":"the oracle ended"}')
    })
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
    this.#process.stdin.end()
  }

  async #ask(question: unknown): Promise<unknown> {
    if (this.#failed !== null) throw this.#failed
    const answer = new Promise<string>(resolve => this.#waiting.push(resolve))
    this.#process.stdin.write(`${JSON.stringify(question)}\n`)
    const value = JSON.parse(await answer) as unknown
    if (typeof value === 'object' && value !== null && 'error' in value)
      throw new Error(
        `Lucene: ${String(value.error)} for ${JSON.stringify(question).slice(0, 300)}`,
      )
    return value
  }
}
