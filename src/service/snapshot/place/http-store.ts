import { setTimeout as wait } from 'node:timers/promises'
import { EngineError } from '../../../util/errors.ts'
import type { OutboundClient, OutboundStream } from '../../outbound.ts'
import type { FileList, FileStore, StoredFileReader } from './file-store.ts'

/** Longest file that is read as a whole: a root, or a snapshot. */
const MAX_WHOLE_BYTES = 513 * 2 ** 20
/** How often a request is sent again that the server was too busy for, or whose answer broke off. */
const MAX_RETRIES = 3
const FIRST_PAUSE_IN_MILLIS = 50

/** Files below a URL, which are read by their names alone: nothing lists them. */
export class HttpStore implements FileStore {
  readonly pieceBytes: number = 8 << 20
  readonly isListed: boolean = false
  readonly #client: OutboundClient
  readonly #path: string

  /** @param path of the folder, with its last slash, as it is sent */
  constructor(client: OutboundClient, path: string) {
    this.#client = client
    this.#path = path
  }

  list(): Promise<FileList> {
    return Promise.reject(new Error('nothing lists the files of a server'))
  }

  read(name: string, maxBytes: number = MAX_WHOLE_BYTES): Promise<Uint8Array> {
    const giving = new AbortController()
    return retried(giving.signal, async () => {
      const answer = await this.#get(name, null, giving.signal)
      const chunks: Uint8Array[] = []
      let bytes = 0
      for await (const chunk of answer.body) {
        bytes += chunk.length
        if (bytes > maxBytes) throw httpError(`[${name}] is longer than any file of its kind`)
        chunks.push(chunk)
      }
      return new Uint8Array(Buffer.concat(chunks))
    })
  }

  async open(name: string): Promise<StoredFileReader> {
    return new HttpReader((range, signal) => this.#get(name, range, signal))
  }

  write(): Promise<void> {
    return Promise.reject(readOnly())
  }

  delete(): Promise<void> {
    return Promise.reject(readOnly())
  }

  sync(): Promise<void> {
    return Promise.reject(readOnly())
  }

  async #get(name: string, range: string | null, signal: AbortSignal): Promise<OutboundStream> {
    const path = `${this.#path}${name}`
    const headers = { accept: '*/*', ...(range === null ? {} : { range }) }
    const answer = await this.#client.open({ method: 'GET', path, headers, body: null }, signal)
    const { status } = answer
    if (status === 200 || (status === 206 && range !== null)) return answer
    answer.close()
    if (status === 404 || status === 410) throw new NoFileError(name)
    if (status === 429 || status >= 500) throw new BusyError(`${status}`)
    // Redirects too: they lead where nobody has allowed to go.
    throw httpError(`[${name}] was answered with status [${status}]`)
  }
}

/** A server has no file of a name. */
export class NoFileError extends EngineError {
  constructor(name: string) {
    super({ type: 'i_o_exception', reason: `there is no [${name}]`, status: 500 })
  }
}

/** A server may give another answer later. */
class BusyError extends Error {}

/**
 * Reads a file in order, by ranges; of a server that knows none, its one answer is read piece by piece.
 */
class HttpReader implements StoredFileReader {
  readonly #get: (range: string, signal: AbortSignal) => Promise<OutboundStream>
  readonly #giving = new AbortController()
  /** The whole file on its way, of a server without ranges. */
  #whole: PieceReader | null = null

  constructor(get: (range: string, signal: AbortSignal) => Promise<OutboundStream>) {
    this.#get = get
  }

  async readLater(offset: number, target: Uint8Array): Promise<void> {
    if (target.length === 0) return
    if (this.#whole?.isAt(offset) === true) return this.#whole.fill(target)
    const { signal } = this.#giving
    await retried(signal, async () => {
      const range = `bytes=${offset}-${offset + target.length - 1}`
      const answer = await this.#get(range, signal)
      const pieces = new PieceReader(answer)
      if (answer.status === 206) {
        try {
          // Another range than the one asked for would be taken for damage.
          if (!answer.contentRange.startsWith(`bytes ${offset}-`))
            throw httpError('another range was answered than the one asked for')
          await pieces.fill(target)
          if (!(await pieces.isAtEnd())) throw new RangeError('the range is too long')
        } finally {
          pieces.close()
        }
        return
      }
      this.#whole?.close()
      this.#whole = pieces
      await pieces.skip(offset)
      await pieces.fill(target)
    })
  }

  giveUp(): void {
    this.#giving.abort()
  }

  close(): void {
    this.#giving.abort()
    this.#whole?.close()
  }
}

/** Takes the body of an answer piece by piece. */
class PieceReader {
  readonly #answer: OutboundStream
  readonly #chunks: AsyncIterator<Uint8Array>
  #left: Uint8Array = new Uint8Array(0)
  #offset = 0

  constructor(answer: OutboundStream) {
    this.#answer = answer
    this.#chunks = answer.body[Symbol.asyncIterator]()
  }

  isAt(offset: number): boolean {
    return offset === this.#offset
  }

  /** @throws {RangeError} when the body ends first */
  async fill(target: Uint8Array): Promise<void> {
    for (let filled = 0; filled < target.length; ) {
      const bytes = await this.#take(target.length - filled)
      target.set(bytes, filled)
      filled += bytes.length
    }
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.#take(left)).length
  }

  async isAtEnd(): Promise<boolean> {
    return this.#left.length === 0 && (await this.#chunks.next()).done === true
  }

  close(): void {
    this.#answer.close()
  }

  async #take(max: number): Promise<Uint8Array> {
    while (this.#left.length === 0) {
      const { value, done } = await this.#chunks.next()
      if (done === true) throw new RangeError('the body ended early')
      this.#left = value
    }
    const bytes = this.#left.subarray(0, max)
    this.#left = this.#left.subarray(bytes.length)
    this.#offset += bytes.length
    return bytes
  }
}

/** Asks again, after a longer pause each time. */
async function retried<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++)
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted || retry === MAX_RETRIES || !mayPass(error)) throw told(error)
      await wait(FIRST_PAUSE_IN_MILLIS << retry, undefined, { signal }).catch(() => {})
    }
}

/** Whether a later request may get another answer. */
function mayPass(error: unknown): boolean {
  if (error instanceof NoFileError) return false
  return !(error instanceof EngineError) || PASSING.has(error.type)
}

/** Failures of connections. */
const PASSING: ReadonlySet<string> = new Set([
  'connect_exception',
  'socket_timeout_exception',
  'exception',
])

/** A failure without anything that the server sent. */
function told(error: unknown): Error {
  if (error instanceof EngineError) return error
  if (error instanceof BusyError)
    return httpError(`the server answered with status [${error.message}]`)
  if (error instanceof RangeError) return httpError(error.message)
  return httpError('an answer broke off')
}

function httpError(reason: string): EngineError {
  return new EngineError({ type: 'i_o_exception', reason, status: 500 })
}

function readOnly(): EngineError {
  return new EngineError({ type: 'unsupported_operation_exception', reason: 'it is only read' })
}
