/**
 * Writes many documents from an iterable: operations are gathered into requests, a few of which are
 * under way at a time, in order. The source is read only as fast as the requests are answered.
 */
import type { BulkCall, BulkOutcome } from '../engine/api/documents.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import { nowInNanos } from '../util/clock.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { throwIfAborted } from './abort-error.ts'
import { checkOptions, type OptionKeys } from './arguments.ts'
import { type JsonInput, jsonBytes } from './json-body.ts'
import { LamellaError, lamellaError } from './lamella-error.ts'

/** One operation. A source given as bytes is stored as it stands, line breaks between tokens apart. */
export type BulkOperation<T> =
  | {
      /** Absent: the engine makes one. */
      readonly id?: string
      readonly routing?: string
      readonly source: T | Uint8Array
      /** Refuses an id that is there already. */
      readonly create?: boolean
    }
  | { readonly delete: string; readonly routing?: string }

/** How a bulk load runs. */
export interface BulkOptions {
  /** Makes everything searchable at the end; default false. */
  readonly refresh?: boolean
  /** A request is sent when it has so many bytes; default 1 MiB. */
  readonly batchBytes?: number
  /** Requests under way at a time; default 3. */
  readonly concurrency?: number
  /** Ends the load between two operations: it rejects with an `AbortError`, what was sent is written. */
  readonly signal?: AbortSignal
}

/** How far a bulk load is: one record per answered request and one at the end. */
export interface BulkProgress {
  /** Operations answered, failed ones among them. */
  readonly done: number
  readonly indexed: number
  readonly deleted: number
  readonly failed: number
  /** Bytes of the documents answered. */
  readonly bytes: number
  readonly elapsedInMillis: number
  readonly docsPerSecond: number
  readonly bytesPerSecond: number
  /** Operations refused since the record before. */
  readonly failures: readonly BulkFailure[]
  /** True once, in the last record. */
  readonly isLast: boolean
}

/** An operation that was refused; the others go on. */
export interface BulkFailure {
  /** Its place in the source, from 0. */
  readonly position: number
  readonly id: string | null
  readonly error: LamellaError
}

const BULK_OPTIONS: OptionKeys<BulkOptions> = {
  refresh: true,
  batchBytes: true,
  concurrency: true,
  signal: true,
}
const OPERATION_KEYS: OptionKeys<BulkOperation<JsonInput>> = {
  id: true,
  routing: true,
  source: true,
  create: true,
  delete: true,
}

const BATCH_BYTES = 2 ** 20
const CONCURRENCY = 3
/** Operations of one request at the most: small documents would make one of a million. */
const BATCH_OPERATIONS = 20_000
const NEWLINE = 10
const CARRIAGE_RETURN = 13
const BLANK = 32

/** A request that is being gathered: its lines, and the place of its first operation in the source. */
interface Batch {
  readonly parts: Uint8Array[]
  readonly start: number
  /** Operations, those among them that are not sent. */
  count: number
  /** The places of the operations that are sent. */
  readonly sent: number[]
  readonly unsent: BulkFailure[]
  bytes: number
  sourceBytes: number
}

interface Answered {
  readonly batch: Batch
  readonly items: BulkOutcome['items']
}

/** An operation that was refused before it could be sent. */
export class RefusedOperation {
  /** Null: the engine would have made one. */
  readonly id: string | null
  /** Why it was refused. */
  readonly error: LamellaError

  /** Made where an operation is prepared. */
  constructor(id: string | null, error: LamellaError) {
    this.id = id
    this.error = error
  }
}

/** An operation, or one that cannot be sent. */
type GivenOperation<T> = BulkOperation<T> | RefusedOperation

/**
 * A load that has not begun: iterating it runs it and gives a record per answered request, awaiting it
 * runs it to its end. Nothing is read from the source before either.
 */
export class BulkLoad
  implements AsyncGenerator<BulkProgress, void, undefined>, PromiseLike<BulkProgress>
{
  readonly #records: AsyncGenerator<BulkProgress, void, undefined>
  #last: BulkProgress | null = null
  #end: Promise<BulkProgress> | null = null

  /** Made by `Index.bulk`. */
  constructor(records: AsyncGenerator<BulkProgress, void, undefined>) {
    this.#records = records
  }

  /** Goes on to the next answered request. */
  async next(): Promise<IteratorResult<BulkProgress, void>> {
    const step = await this.#records.next()
    if (step.done !== true) this.#last = step.value
    return step
  }

  /** Ends the load after the requests under way. */
  return(): Promise<IteratorResult<BulkProgress, void>> {
    return this.#records.return()
  }

  /** Ends the load with an error. */
  throw(error: unknown): Promise<IteratorResult<BulkProgress, void>> {
    return this.#records.throw(error)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#records.return()
  }

  /**
   * Runs the load to its end, or what an iteration has left of it. Resolves with the last record, whose
   * `failures` are all those that no iteration has given; many refused documents are many records in
   * memory, so iterate a load that may refuse millions.
   */
  // biome-ignore lint/suspicious/noThenProperty: a load that is awaited must run
  then<A = BulkProgress, B = never>(
    onEnd?: ((last: BulkProgress) => A | PromiseLike<A>) | null,
    onFailure?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#end ??= this.#runToEnd()
    return this.#end.then(onEnd, onFailure)
  }

  async #runToEnd(): Promise<BulkProgress> {
    const failures: BulkFailure[] = []
    for (let step = await this.next(); step.done !== true; step = await this.next())
      for (const failure of step.value.failures) failures.push(failure)
    if (this.#last?.isLast === true) return { ...this.#last, failures }
    throw new LamellaError({
      type: 'illegal_state_exception',
      reason: 'the bulk load has ended before its source: its iteration was left or failed',
    })
  }
}

/**
 * Loads operations into an index.
 * @param send sends one request; called in the order of the operations
 * @throws {LamellaError} an unknown option or key of an operation, a request that was refused as a whole;
 *   documents that are refused are counted
 * @throws {AbortError} its signal aborted
 */
export async function* loadBulk<T extends JsonInput>(
  index: string,
  source: AsyncIterable<GivenOperation<T>> | Iterable<GivenOperation<T>>,
  options: BulkOptions,
  send: (call: BulkCall) => Promise<BulkOutcome>,
): AsyncGenerator<BulkProgress, void, undefined> {
  const { batchBytes, concurrency } = checkedSizes(options)
  const { signal } = options
  const tally = new Tally()
  const pending: Promise<Answered>[] = []
  const submit = (batch: Batch): void => {
    const answer = answerTo(batch, index, send)
    // It is awaited later; until then a rejection must not count as unhandled.
    answer.catch(() => {})
    pending.push(answer)
  }
  try {
    let batch = newBatch(0)
    for await (const operation of source) {
      throwIfAborted(signal)
      addOperation(batch, operation)
      if (batch.bytes < batchBytes && batch.count < BATCH_OPERATIONS) continue
      submit(batch)
      batch = newBatch(batch.start + batch.count)
      while (pending.length >= concurrency) yield tally.add(await pending.shift()!)
    }
    throwIfAborted(signal)
    if (batch.count > 0) submit(batch)
    while (pending.length > 0) yield tally.add(await pending.shift()!)
    throwIfAborted(signal)
    yield tally.last()
  } catch (error) {
    throw lamellaError(error)
  } finally {
    await Promise.allSettled(pending)
  }
}

function checkedSizes(options: BulkOptions): { batchBytes: number; concurrency: number } {
  try {
    checkOptions('option of bulk', options, BULK_OPTIONS)
  } catch (error) {
    throw lamellaError(error)
  }
  return {
    batchBytes: atLeastOne('batchBytes', options.batchBytes ?? BATCH_BYTES),
    concurrency: atLeastOne('concurrency', options.concurrency ?? CONCURRENCY),
  }
}

function atLeastOne(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new LamellaError(
    new IllegalArgumentError(`[${name}] must be a whole number of at least 1, found [${value}]`)
      .record,
  )
}

function newBatch(start: number): Batch {
  return { parts: [], start, count: 0, sent: [], unsent: [], bytes: 0, sourceBytes: 0 }
}

/** A batch in which no operation is left to send is no request. */
async function answerTo(
  batch: Batch,
  index: string,
  send: (call: BulkCall) => Promise<BulkOutcome>,
): Promise<Answered> {
  if (batch.sent.length === 0) return { batch, items: [] }
  const { items } = await send(callOf(index, batch))
  return { batch, items }
}

function addOperation<T extends JsonInput>(batch: Batch, operation: GivenOperation<T>): void {
  const position = batch.start + batch.count
  if (operation instanceof RefusedOperation) {
    batch.unsent.push({ position, id: operation.id, error: operation.error })
    batch.count++
    return
  }
  batch.sent.push(position)
  checkOptions('key of an operation', operation, OPERATION_KEYS)
  const { routing } = operation
  if ('delete' in operation) {
    addLine(batch, encodeUtf8(JSON.stringify({ delete: { _id: operation.delete, routing } })))
  } else {
    const { id, create = false } = operation
    const target = { _id: id, routing }
    const action = create ? { create: target } : { index: target }
    const source = oneLine(jsonBytes(operation.source, 'a document'))
    addLine(batch, encodeUtf8(JSON.stringify(action)))
    addLine(batch, source)
    batch.sourceBytes += source.length
  }
  batch.count++
}

function addLine(batch: Batch, line: Uint8Array): void {
  batch.parts.push(line)
  batch.bytes += line.length + 1
}

/** JSON in one line: breaks are legal between tokens alone, where a blank says the same. */
function oneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(NEWLINE) && !json.includes(CARRIAGE_RETURN)) return json
  return json.map(byte => (byte === NEWLINE || byte === CARRIAGE_RETURN ? BLANK : byte))
}

function callOf(index: string, batch: Batch): BulkCall {
  const body = new Uint8Array(batch.bytes)
  let at = 0
  for (const part of batch.parts) {
    body.set(part, at)
    at += part.length
    body[at++] = NEWLINE
  }
  batch.parts.length = 0
  return {
    body,
    index,
    routing: null,
    refresh: 'false',
    requireAlias: false,
    source: null,
    waitForActiveShards: null,
    timeoutInMillis: 60_000,
  }
}

/** Sums up what was answered. */
class Tally {
  readonly #started = nowInNanos()
  #indexed = 0
  #deleted = 0
  #failed = 0
  #bytes = 0

  add({ batch, items }: Answered): BulkProgress {
    const failures: BulkFailure[] = [...batch.unsent]
    items.forEach((item, i) => {
      if ('error' in item) {
        const error = lamellaError(item.error)
        if (!(error instanceof LamellaError)) throw error
        failures.push({ position: batch.sent[i]!, id: item.id, error })
      } else if (item.action === 'delete') this.#deleted++
      else this.#indexed++
    })
    failures.sort((a, b) => a.position - b.position)
    this.#failed += failures.length
    this.#bytes += batch.sourceBytes
    return this.#record(failures, false)
  }

  last(): BulkProgress {
    return this.#record([], true)
  }

  #record(failures: readonly BulkFailure[], isLast: boolean): BulkProgress {
    const seconds = Math.max((nowInNanos() - this.#started) / 1e9, 1e-9)
    return {
      done: this.#indexed + this.#deleted + this.#failed,
      indexed: this.#indexed,
      deleted: this.#deleted,
      failed: this.#failed,
      bytes: this.#bytes,
      elapsedInMillis: seconds * 1e3,
      docsPerSecond: this.#indexed / seconds,
      bytesPerSecond: this.#bytes / seconds,
      failures,
      isLast,
    }
  }
}
