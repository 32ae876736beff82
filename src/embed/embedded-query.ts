/** Queries whose vectors a model makes of texts. */
import { IllegalArgumentError } from '../util/errors.ts'
import type { Embedder } from './embedding.ts'

/** What a `knn` query says of its field: `{ text, k, … }`. */
type Neighbours = Readonly<Record<string, unknown>>

/**
 * A body in which each `{ knn: { ⟨field⟩: { text: '…' } } }` has the vector of its text.
 * @param body a query or a whole search; stays as it is
 * @throws {IllegalArgumentError} a text for a field without a model, beside a vector, or empty
 * @throws {EngineError} a model failed, or too many texts wait for it
 */
export async function embedQuery<B extends object>(
  body: B,
  embedders: readonly Embedder[],
): Promise<B> {
  const texts = new Map<object, string>()
  findTexts(body, texts, new Set())
  if (texts.size === 0) return body
  const made = [...texts].map(async ([given, field]) => {
    const { text, ...rest } = given as Neighbours
    const vector = await embedderOf(field, text, rest, embedders).vectorOf(String(text), 'query')
    return [given, { vector, ...rest }] as const
  })
  return copyOf(body, new Map<object, object>(await Promise.all(made))) as B
}

/**
 * Finds the `knn` queries that have a text, and their fields.
 * @param seen objects that were looked into: a body may hold cycles, which are refused when it is written
 */
function findTexts(node: unknown, found: Map<object, string>, seen: Set<object>): void {
  if (!isPlain(node) || seen.has(node)) return
  seen.add(node)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'knn' && isPlain(value)) {
      const [entry, ...others] = Object.entries(value)
      if (others.length === 0 && isPlain(entry?.[1]) && 'text' in entry[1])
        found.set(entry[1], entry[0])
    }
    findTexts(value, found, seen)
  }
}

/** Lists and records, of which alone a body is made. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return typeof value[0] !== 'number'
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** @throws {IllegalArgumentError} no text, a vector beside it, or no model for the field */
function embedderOf(
  field: string,
  text: unknown,
  rest: Neighbours,
  embedders: readonly Embedder[],
): Embedder {
  if (typeof text !== 'string' || text.trim() === '')
    throw new IllegalArgumentError(`[text] of field [${field}] in [knn] must be a text, not empty`)
  if (rest['vector'] !== undefined)
    throw new IllegalArgumentError(
      `[knn] of field [${field}] takes a [text] or a [vector], not both`,
    )
  const embedder = embedders.find(each => each.field === field)
  if (embedder !== undefined) return embedder
  throw new IllegalArgumentError(
    `[knn] has a [text] for field [${field}], which has no model: \`embed\` of its index gives it one`,
  )
}

/** @param copies of objects, those that stand in place of others among them */
function copyOf(node: unknown, copies: Map<object, object>): unknown {
  if (!isPlain(node)) return node
  const before = copies.get(node)
  if (before !== undefined) return before
  const copy: Record<string, unknown> | unknown[] = Array.isArray(node) ? [] : {}
  copies.set(node, copy)
  for (const [key, value] of Object.entries(node))
    (copy as Record<string, unknown>)[key] = copyOf(value, copies)
  return copy
}
