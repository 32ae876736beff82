/** The user's own files as bulk operations: NDJSON, bulk bodies, JSON arrays, CSV, TSV; packed or not. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { BulkOperation } from '../embed/bulk-load.ts'
import { decodeUtf8, encodeUtf8 } from '../util/bytes.ts'
import { actionLine, bulkOperations } from './bulk-documents.ts'
import { csvDocuments } from './csv-documents.ts'
import { CliError, UsageError } from './exit-code.ts'
import { jsonItems, jsonLines } from './json-documents.ts'

/** How a file is read; null: told by its name, then by its first byte and line. */
export type Format = 'ndjson' | 'bulk' | 'json' | 'csv' | 'tsv'

/** Names that `--format` takes. */
export const FORMATS: readonly Format[] = ['ndjson', 'bulk', 'json', 'csv', 'tsv']

/** The name of stdin. */
const STDIN = '-'

/** Documents of files, in order, with what is needed to say how far and where one is. */
export class DocumentFiles {
  /** Bytes of all files; 0 when stdin is among them. */
  readonly totalBytes: number
  readonly #files: readonly string[]
  readonly #format: Format | null
  readonly #idField: string | null
  readonly #index: string | null
  /** Where each file's documents begin, counted over all files. */
  readonly #starts: { readonly file: string; readonly position: number }[] = []
  #readBytes = 0
  /** Of the document that is read, counted over all files. */
  #position = 0

  /**
   * @param idField field whose value becomes the document's id; null: the engine makes ids
   * @param index   the index that bulk files may name; null: any
   * @throws {CliError} a file that is not there
   */
  constructor(
    files: readonly string[],
    format: Format | null,
    idField: string | null,
    index: string | null = null,
  ) {
    for (const file of files)
      if (file !== STDIN && !existsSync(file)) throw new CliError(`there is no file [${file}]`)
    this.#files = files
    this.#format = format
    this.#idField = idField
    this.#index = index
    this.totalBytes = files.includes(STDIN)
      ? 0
      : files.reduce((sum, file) => sum + statSync(file).size, 0)
  }

  /** Bytes read so far, as they lie on disk. */
  get readBytes(): number {
    return this.#readBytes
  }

  /** `FILE, document N` for a place in the whole, from 0. */
  placeOf(position: number): string {
    const start = this.#starts.findLast(entry => entry.position <= position)
    return start === undefined
      ? `document ${position + 1}`
      : `${start.file}, document ${position - start.position + 1}`
  }

  /**
   * All operations, read as they are taken.
   * @param signal ends the reading, also of a pipe that says nothing
   */
  async *operations(
    signal: AbortSignal | null = null,
  ): AsyncGenerator<BulkOperation<Record<string, unknown>>> {
    this.#position = 0
    for (const file of this.#files) {
      this.#starts.push({ file: file === STDIN ? 'stdin' : file, position: this.#position })
      try {
        for await (const operation of this.#operationsOf(file, signal)) {
          yield operation
          this.#position++
        }
      } catch (error) {
        if (error instanceof CliError) throw error
        const { message } = error as Error
        throw new CliError(`cannot read ${this.placeOf(this.#position)}: ${message}`, {
          cause: error,
        })
      }
    }
  }

  async *#operationsOf(
    file: string,
    signal: AbortSignal | null,
  ): AsyncGenerator<BulkOperation<Record<string, unknown>>> {
    const { first, chunks } = await unpacked(this.#bytesOf(file, signal))
    const format = this.#format ?? formatOf(file, first)
    if (format === 'ndjson' || format === 'bulk') {
      const lines = await peekedLines(jsonLines(chunks))
      const isBulk =
        format === 'bulk' || (this.#format === null && actionLine(lines.first) !== null)
      if (isBulk) yield* bulkOperations(lines.all, this.#index, source => this.#idOf(source))
      else for await (const line of lines.all) yield this.#operation(line)
    } else if (format === 'json') {
      for await (const item of jsonItems(chunks)) yield this.#operation(item)
    } else {
      const separator = format === 'tsv' ? '\t' : ','
      for await (const document of csvDocuments(decoded(chunks), separator))
        yield this.#operation(encodeUtf8(JSON.stringify(Object.fromEntries(document))))
    }
  }

  async *#bytesOf(file: string, signal: AbortSignal | null): AsyncGenerator<Uint8Array> {
    const stream =
      file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: 2 ** 18 })
    const stop = (): void => void stream.destroy(new Error('interrupted'))
    signal?.addEventListener('abort', stop, { once: true })
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        this.#readBytes += chunk.length
        yield chunk
      }
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  #operation(source: Uint8Array): BulkOperation<Record<string, unknown>> {
    const id = this.#idOf(source)
    return id === undefined ? { source } : { id, source }
  }

  /** The id that a document brings in its field; undefined where no field is named. */
  #idOf(source: Uint8Array): string | undefined {
    const field = this.#idField
    if (field === null) return undefined
    const place = this.placeOf(this.#position)
    let id: unknown
    try {
      const document: unknown = JSON.parse(decodeUtf8(source))
      if (typeof document === 'object' && document !== null && Object.hasOwn(document, field))
        id = (document as Record<string, unknown>)[field]
    } catch (error) {
      const why = (error as Error).message
      throw new CliError(`${place} is no JSON: ${why}`, { cause: error })
    }
    if (typeof id === 'string' || typeof id === 'number') return String(id)
    throw new CliError(
      `${place} has no [${field}] for an id: leave out --id and ids are made, ` +
        'or name a field that every document has',
    )
  }
}

/**
 * The format of `--format`, or null.
 * @throws {UsageError} an unknown name
 */
export function formatNamed(name: string | null): Format | null {
  if (name === null) return null
  const format = FORMATS.find(known => known === name)
  if (format === undefined)
    throw new UsageError(`--format takes one of ${FORMATS.join(', ')}, found [${name}]`)
  return format
}

function formatOf(file: string, first: number): Format {
  const [, ending] = /\.(csv|tsv)(?:\.gz)?$/i.exec(file) ?? []
  if (ending !== undefined) return ending.toLowerCase() === 'tsv' ? 'tsv' : 'csv'
  return first === 91 ? 'json' : 'ndjson'
}

/** A stream unpacked where its first bytes say that it is packed, and its first byte that is not blank. */
async function unpacked(
  packed: AsyncIterable<Uint8Array>,
): Promise<{ readonly first: number; readonly chunks: AsyncIterable<Uint8Array> }> {
  const raw = await peeked(packed)
  const isPacked = raw.start[0] === 0x1f && raw.start[1] === 0x8b
  if (!isPacked) return { first: firstOf(raw.start), chunks: raw.chunks }
  const stream = Readable.from(raw.chunks, { objectMode: false })
  const plain = createGunzip()
  stream.on('error', error => plain.destroy(error))
  const inner = await peeked(stream.pipe(plain) as AsyncIterable<Uint8Array>)
  return { first: firstOf(inner.start), chunks: inner.chunks }
}

/** The first bytes of a stream, at least two where it has them, and the whole stream. */
async function peeked(
  source: AsyncIterable<Uint8Array>,
): Promise<{ readonly start: Uint8Array; readonly chunks: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]()
  let start: Uint8Array = new Uint8Array()
  while (firstOf(start) < 0 || start.length < 2) {
    const next = await iterator.next()
    if (next.done === true) break
    start = Buffer.concat([start, next.value])
  }
  const chunks = (async function* (): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      yield next.value
  })()
  return { start, chunks }
}

/** The first of lines, empty where there is none, and all of them. */
async function peekedLines(
  lines: AsyncGenerator<Uint8Array>,
): Promise<{ readonly first: Uint8Array; readonly all: AsyncIterable<Uint8Array> }> {
  const start = await lines.next()
  if (start.done === true) return { first: new Uint8Array(), all: lines }
  const all = (async function* (): AsyncGenerator<Uint8Array> {
    yield start.value
    yield* lines
  })()
  return { first: start.value, all }
}

/** The first byte that is not blank; −1 without one. */
function firstOf(bytes: Uint8Array): number {
  return bytes.find(byte => byte > 32) ?? -1
}

/** Text of bytes; invalid UTF-8 is refused, not replaced. */
async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
