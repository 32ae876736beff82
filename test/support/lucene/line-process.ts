/** Lucene as a child process that answers each line with a line. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { luceneProgram } from './class-path.ts'

/** Kept from run to run: jars and classes. */
export const ORACLE_CACHE: string = fileURLToPath(new URL('../../.cache', import.meta.url))

/** A running program; questions go in one after the other. */
export class LineProcess {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting: ((line: string) => void)[] = []
  #failed: Error | null = null

  /**
   * @param sources paths of files from this one; the first has the main class
   * @throws {Error} why Lucene cannot be run here
   */
  constructor(sources: readonly [string, ...string[]]) {
    const files = sources.map(name => fileURLToPath(new URL(name, import.meta.url)))
    const mainClass = basename(sources[0], '.java')
    const options = ['-Xmx2g', '-XX:+UseSerialGC']
    const { program, args } = luceneProgram(ORACLE_CACHE, files, mainClass, options)
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: this.#process.stdout }).on('line', line =>
      this.#waiting.shift()?.(line),
    )
    this.#process.on('exit', code => {
      this.#failed = new Error(`the oracle ended with code ${code}`)
      for (const resolve of this.#waiting.splice(0)) resolve('{"error":"the oracle ended"}')
    })
  }

  /** The line that answers a question, which goes as JSON. */
  async ask(question: unknown): Promise<string> {
    if (this.#failed !== null) throw this.#failed
    const answer = new Promise<string>(resolve => this.#waiting.push(resolve))
    this.#process.stdin.write(`${JSON.stringify(question)}\n`)
    return await answer
  }

  close(): void {
    this.#process.stdin.end()
  }
}
