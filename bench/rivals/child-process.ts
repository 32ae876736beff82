import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Hello, type Request, UnsupportedError } from './protocol.ts'

/** How a child is started. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** Resident memory of a process, bytes. */
export interface Resident {
  readonly now: number
  /** The most it ever was. */
  readonly most: number
}

/** The last of what a child wrote to its error output is kept for the message of its death. */
const KEPT_ERROR_CHARS = 2000

/** One engine's process: requests go in one at a time, each with a time limit. */
export class EngineChild {
  readonly hello: Promise<Hello>
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>
  #waiting: { resolve(line: string): void; reject(error: Error): void } | null = null
  #errors = ''
  #ended: Error | null = null

  constructor({ program, args }: Command) {
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_ERROR_CHARS)
    })
    createInterface({ input: this.#process.stdout }).on('line', line => {
      // What a library prints by itself is no answer.
      if (line.startsWith('{')) this.#waiting?.resolve(line)
    })
    this.#process.on('error', error => this.#end(error))
    this.#process.on('close', (code, signal) => {
      this.#end(new Error(`the process ended (${signal ?? code}): ${this.#errors.trim()}`))
    })
    // Writing to a dead child fails here; the end of the process says why.
    this.#process.stdin.on('error', () => {})
    this.hello = this.#next(60_000) as Promise<Hello>
  }

  /**
   * Asks and waits.
   * @throws {UnsupportedError} the engine cannot do that
   * @throws {Error} the child's own error, its death, or that it took too long: it is then ended
   */
  async ask<T>(request: Request, limitInMillis: number): Promise<T> {
    await this.hello
    const answer = this.#next(limitInMillis)
    this.#process.stdin.write(`${request.join('\t')}\n`)
    const record = (await answer) as { readonly error?: string; readonly unsupported?: string }
    if (record.unsupported !== undefined) throw new UnsupportedError(record.unsupported)
    if (record.error !== undefined) throw new Error(record.error)
    return record as T
  }

  /** Null where the system does not tell. */
  resident(): Resident | null {
    try {
      const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8')
      const kilobytes = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN)
      return { now: kilobytes('VmRSS') * 1024, most: kilobytes('VmHWM') * 1024 }
    } catch {
      return null
    }
  }

  get isAlive(): boolean {
    return this.#ended === null
  }

  /** Ends the child; resolves when it is gone. */
  async quit(): Promise<void> {
    if (this.#ended !== null) return
    const gone = new Promise<void>(resolve => this.#process.once('close', () => resolve()))
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 10_000)
    this.#process.stdin.end('quit\n')
    await gone
    clearTimeout(timer)
  }

  async #next(limitInMillis: number): Promise<unknown> {
    if (this.#ended !== null) throw this.#ended
    let timer: NodeJS.Timeout | undefined
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting = { resolve, reject }
      timer = setTimeout(() => {
        this.#end(new Error(`no answer within ${limitInMillis / 1000} s`))
        this.#process.kill('SIGKILL')
      }, limitInMillis)
    }).finally(() => {
      clearTimeout(timer)
      this.#waiting = null
    })
    return JSON.parse(line)
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#waiting?.reject(this.#ended)
  }
}
