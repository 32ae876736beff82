/** A model of the caller's that makes vectors of texts: its calls in batches, with retries and limits. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { checkOptions, checkRecord, checkText, type OptionKeys } from './arguments.ts'

/**
 * Makes vectors of texts, on the thread that opened the database: a model that takes long does so on a thread or
 * server of its own.
 * @param texts one to `batchSize` of them, none empty
 * @returns a vector for each text, in their order; may be a promise
 */
export type EmbedTexts = (texts: readonly string[], call: EmbedCall) => Vectors | Promise<Vectors>

/** A vector for each text: typed arrays or lists of numbers. */
export type Vectors = readonly ArrayLike<number>[]

/** What a call of a model is for. */
export interface EmbedCall {
  /** The field that the vectors are for. */
  readonly field: string
  /** Texts of documents or of queries: some models want them marked. */
  readonly purpose: EmbedPurpose
  /** Aborts when the call has taken longer than `timeoutInMillis`. */
  readonly signal: AbortSignal
  /** From 1; above it the call is a repetition. */
  readonly attempt: number
}

/** What texts are. */
export type EmbedPurpose = 'document' | 'query'

/** How the vectors of a field come from texts. */
export interface Embedding {
  /** The field whose text becomes the vector; of several, their texts in lines. */
  readonly from: string | readonly string[]
  readonly embed: EmbedTexts
  /** Texts of a call, from 1; default 32. */
  readonly batchSize?: number
  /** Calls at a time, from 1; default 1. */
  readonly concurrency?: number
  /** Texts that may wait, from 1; default 10,000. Further ones are refused. */
  readonly queueSize?: number
  /** How often a call that failed is repeated, from 0; default 2. */
  readonly retries?: number
  /** Milliseconds ahead of the first repetition, doubling from one to the next; default 100. */
  readonly retryDelayInMillis?: number
  /** Milliseconds of a call, from 1; default 60,000. */
  readonly timeoutInMillis?: number
}

/** Embeddings by field. */
export type Embeddings = Readonly<Record<string, Embedding>>

const EMBEDDING_OPTIONS: OptionKeys<Embedding> = {
  from: true,
  embed: true,
  batchSize: true,
  concurrency: true,
  queueSize: true,
  retries: true,
  retryDelayInMillis: true,
  timeoutInMillis: true,
}

interface Waiting {
  readonly text: string
  readonly purpose: EmbedPurpose
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: unknown) => void
}

/** Gathers texts into calls of one model. */
export class Embedder {
  /** The field that the vectors are for. */
  readonly field: string
  /** The fields whose texts become the vector. */
  readonly from: readonly string[]
  /** Texts of a call. */
  readonly batchSize: number
  /** Calls at a time. */
  readonly concurrency: number
  readonly #embed: EmbedTexts
  readonly #queueSize: number
  readonly #retries: number
  readonly #delayInMillis: number
  readonly #timeoutInMillis: number
  readonly #waiting: Waiting[] = []
  #running = 0
  #isScheduled = false

  /** @throws {IllegalArgumentError} options out of range or of another type */
  constructor(field: string, given: Embedding) {
    checkRecord(`embedding of field [${field}]`, given)
    checkOptions('option of an embedding', given, EMBEDDING_OPTIONS)
    const { from, embed } = given
    if (typeof embed !== 'function')
      throw new IllegalArgumentError(`[embed] of field [${field}] must be a function`)
    const all = typeof from === 'string' ? [from] : from
    if (!Array.isArray(all) || all.length === 0)
      throw new IllegalArgumentError(`[from] of field [${field}] must name one field or several`)
    for (const name of all) checkText(`from] of field [${field}`, name)
    const whole = (name: keyof Embedding, usual: number, least: number): number => {
      const value = given[name] ?? usual
      if (Number.isSafeInteger(value) && Number(value) >= least) return Number(value)
      throw new IllegalArgumentError(
        `[${name}] of field [${field}] must be a whole number of at least ${least}, found [${value}]`,
      )
    }
    this.field = field
    this.from = all
    this.#embed = embed
    this.batchSize = whole('batchSize', 32, 1)
    this.concurrency = whole('concurrency', 1, 1)
    this.#queueSize = whole('queueSize', 10_000, 1)
    this.#retries = whole('retries', 2, 0)
    this.#delayInMillis = whole('retryDelayInMillis', 100, 0)
    this.#timeoutInMillis = whole('timeoutInMillis', 60_000, 1)
  }

  /**
   * The vector of a text. Texts that come within one turn of the event loop go to the model together.
   * @throws {EngineError} `illegal_state_exception`: the model failed; `rejected_execution_exception`: too many
   *   texts wait already
   */
  vectorOf(text: string, purpose: EmbedPurpose): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#queueSize) {
        reject(
          new EngineError({
            type: 'rejected_execution_exception',
            reason: `field [${this.field}] cannot be embedded: [${this.#queueSize}] texts wait already`,
          }),
        )
        return
      }
      this.#waiting.push({ text, purpose, resolve, reject })
      if (this.#isScheduled) return
      this.#isScheduled = true
      setImmediate(() => {
        this.#isScheduled = false
        this.#start()
      })
    })
  }

  #start(): void {
    while (this.#running < this.concurrency && this.#waiting.length > 0) {
      this.#running++
      void this.#run(this.#nextBatch()).finally(() => {
        this.#running--
        this.#start()
      })
    }
  }

  /** Texts of one purpose, in the order in which they came. */
  #nextBatch(): readonly Waiting[] {
    const { purpose } = this.#waiting[0]!
    let count = 1
    while (count < this.batchSize && this.#waiting[count]?.purpose === purpose) count++
    return this.#waiting.splice(0, count)
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const vectors = await this.#vectorsOf(batch)
      for (const [i, { resolve }] of batch.entries()) resolve(vectors[i]!)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #vectorsOf(batch: readonly Waiting[]): Promise<readonly Float32Array[]> {
    let delay = this.#delayInMillis
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(batch, attempt)
      } catch (error) {
        if (attempt > this.#retries) throw this.#failure(error, attempt)
      }
      await sleep(delay)
      delay *= 2
    }
  }

  async #attempt(batch: readonly Waiting[], attempt: number): Promise<readonly Float32Array[]> {
    const ending = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const overdue = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`it took longer than [${this.#timeoutInMillis}] ms`)
        ending.abort(error)
        reject(error)
      }, this.#timeoutInMillis)
    })
    try {
      const call = {
        field: this.field,
        purpose: batch[0]!.purpose,
        signal: ending.signal,
        attempt,
      }
      const texts = batch.map(({ text }) => text)
      const vectors = await Promise.race([this.#embed(texts, call), overdue])
      return checkedVectors(vectors, texts.length)
    } finally {
      clearTimeout(timer)
    }
  }

  #failure(error: unknown, attempts: number): EngineError {
    const times = attempts === 1 ? '' : ` ${attempts} times, at last`
    const reason = error instanceof Error ? error.message : String(error)
    const failure = new EngineError({
      type: 'illegal_state_exception',
      reason: `field [${this.field}] cannot be embedded: the model failed${times}: ${reason}`,
    })
    failure.cause = error
    return failure
  }
}

/** Copies of the vectors that a model made. @throws {Error} not as many as there are texts, or no vectors */
function checkedVectors(vectors: Vectors, count: number): readonly Float32Array[] {
  if (!Array.isArray(vectors) || vectors.length !== count) {
    const found = Array.isArray(vectors) ? `${vectors.length} vectors` : typeof vectors
    throw new Error(`it gave [${found}] for [${count}] texts`)
  }
  return vectors.map((vector: unknown) => {
    const isList = Array.isArray(vector) || ArrayBuffer.isView(vector)
    if (!isList) throw new Error(`it gave [${typeof vector}] in place of a vector`)
    return Float32Array.from(vector as unknown as ArrayLike<number>)
  })
}

/** The embedders of an index. @throws {IllegalArgumentError} options that make no sense */
export function embeddersOf(embeddings: Embeddings): readonly Embedder[] {
  checkRecord('embed', embeddings)
  return Object.entries(embeddings).map(([field, each]) => new Embedder(field, each))
}
