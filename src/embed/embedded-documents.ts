/** Documents whose vectors a model makes of their texts. */
import { decodeUtf8, encodeUtf8 } from '../util/bytes.ts'
import { type BulkOperation, RefusedOperation } from './bulk-load.ts'
import type { Embedder } from './embedding.ts'
import type { JsonInput } from './json-body.ts'
import { type LamellaError, lamellaError } from './lamella-error.ts'
import { vectorJson } from './vector-text.ts'

const CLOSING_BRACE = 0x7d

/**
 * A document with the vectors that it lacks. One that has a value in a field of vectors, null too, keeps it; one
 * without a text gets no vector.
 * @param source stays as it is
 * @throws {EngineError} a model failed, or too many texts wait for it
 */
export async function embedDocument<T extends JsonInput>(
  source: T,
  embedders: readonly Embedder[],
): Promise<T> {
  const document = documentOf(source)
  if (document === null) return source
  const lacking = embedders.flatMap(embedder => {
    const text = textOf(document, embedder)
    const isGiven = valueAt(document, embedder.field.split('.')) !== undefined
    return text === '' || isGiven ? [] : [{ embedder, text }]
  })
  const vectors = await Promise.all(
    lacking.map(async ({ embedder, text }) => ({
      field: embedder.field,
      vector: await embedder.vectorOf(text, 'document'),
    })),
  )
  if (vectors.length === 0) return source
  if (source instanceof Uint8Array) return withEntries(source, vectors) as T
  return vectors.reduce((made, { field, vector }) => withValue(made, field, vector), document) as T
}

/**
 * Operations in their order, those of documents with vectors. Texts of several documents go to a model together, so
 * that the source is read ahead by as many as its calls take.
 */
export async function* embeddedOperations<T extends JsonInput>(
  source: AsyncIterable<BulkOperation<T>> | Iterable<BulkOperation<T>>,
  embedders: readonly Embedder[],
): AsyncGenerator<BulkOperation<T> | RefusedOperation, void, undefined> {
  const room = embedders.map(({ batchSize, concurrency }) => batchSize * (concurrency + 1))
  const ahead = Math.min(...room)
  const pending: Promise<BulkOperation<T> | RefusedOperation>[] = []
  for await (const operation of source) {
    pending.push(embedOperation(operation, embedders))
    if (pending.length >= ahead) yield pending.shift()!
  }
  yield* pending
}

async function embedOperation<T extends JsonInput>(
  operation: BulkOperation<T>,
  embedders: readonly Embedder[],
): Promise<BulkOperation<T> | RefusedOperation> {
  if ('delete' in operation) return operation
  try {
    return { ...operation, source: await embedDocument(operation.source, embedders) }
  } catch (error) {
    return new RefusedOperation(operation.id ?? null, lamellaError(error) as LamellaError)
  }
}

type Document = Readonly<Record<string, unknown>>

/** The document that bytes hold; null: they hold none, which indexing refuses in words of its own. */
function documentOf(source: JsonInput): Document | null {
  let value: unknown = source
  if (source instanceof Uint8Array)
    try {
      value = JSON.parse(decodeUtf8(source))
    } catch {
      return null
    }
  return isDocument(value) ? value : null
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The texts of a document that a vector is made of, in lines. */
function textOf(document: Document, { from }: Embedder): string {
  const texts = from.flatMap(field => {
    const value = valueAt(document, field.split('.'))
    return (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string')
  })
  return texts.join('\n').trim()
}

/** The value of a field, whose names may stand as one: `{"a.b": …}`. */
function valueAt(document: Document, names: readonly string[]): unknown {
  for (let end = 1; end <= names.length; end++) {
    const key = names.slice(0, end).join('.')
    if (!Object.hasOwn(document, key)) continue
    const value = document[key]
    if (end === names.length) return value
    const below = isDocument(value) ? valueAt(value, names.slice(end)) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** A copy with a value, within the objects around it where they are there. */
function withValue(document: Document, field: string, vector: Float32Array): Document {
  const dot = field.indexOf('.')
  const own = dot < 0 ? undefined : document[field.slice(0, dot)]
  if (!isDocument(own)) return { ...document, [field]: vector }
  return {
    ...document,
    [field.slice(0, dot)]: withValue(own, field.slice(dot + 1), vector),
  }
}

/** A copy of a document's bytes, with further entries at its end. */
function withEntries(
  bytes: Uint8Array,
  entries: readonly { readonly field: string; readonly vector: Float32Array }[],
): Uint8Array {
  const end = bytes.lastIndexOf(CLOSING_BRACE)
  const text = entries.map(({ field, vector }) => `,${JSON.stringify(field)}:${vectorJson(vector)}`)
  const added = encodeUtf8(`${text.join('')}}`)
  const made = new Uint8Array(end + added.length)
  made.set(bytes.subarray(0, end))
  made.set(added, end)
  return made
}
