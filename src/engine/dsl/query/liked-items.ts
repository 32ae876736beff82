/** Texts and documents that `more_like_this` is given. */
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { type JsonNode, type JsonObjectNode, parseJsonTree } from '../../../util/json/json-tree.ts'
import { readText, readTexts, scalarText } from '../json-scalars.ts'
import type { Lookup, LookupCalls } from '../lookup.ts'
import { parsingError } from '../parse-error.ts'

/** A document: one of an index, or one that the request brings. */
export interface LikedDocument {
  /** Null: of the index that is searched. */
  readonly index: string | null
  readonly id: string | null
  readonly routing: string | null
  /** The document itself; null: it is looked up. */
  readonly doc: JsonNode | null
  /** Empty: the query's. */
  readonly fields: readonly string[]
  /** Analyzers by field, in place of those of the mapping. */
  readonly analyzers: ReadonlyMap<string, string>
}

/** An item of `like` or `unlike`: a text or a document. */
export interface Liked {
  readonly texts: readonly string[]
  readonly documents: readonly LikedDocument[]
}

/** None. */
export const NOTHING_LIKED: Liked = { texts: [], documents: [] }

/**
 * Reads one text or document, or a list of them.
 * @throws {EngineError} 400: something else
 */
export function readLiked(node: JsonNode): Liked {
  const texts: string[] = []
  const documents: LikedDocument[] = []
  for (const item of node.kind === 'array' ? node.items : [node]) {
    if (item.kind === 'object') documents.push(readDocument(item))
    else texts.push(readText(item))
  }
  return { texts, documents }
}

function readDocument(node: JsonObjectNode): LikedDocument {
  const texts = new Map<string, string>()
  let doc: JsonNode | null = null
  let fields: readonly string[] = []
  let analyzers: ReadonlyMap<string, string> = new Map()
  for (const { key, value, line, col } of node.entries) {
    switch (key) {
      case '_index':
      case '_id':
      case 'routing':
      case '_routing':
      case 'version':
      case '_version':
      case 'version_type':
      case '_version_type':
        if (value.kind !== 'null') texts.set(key.replace(/^_/, ''), readText(value))
        break
      case 'doc':
        doc = value
        break
      case 'fields':
        fields = readTexts(value)
        break
      case 'per_field_analyzer':
        analyzers = new Map(
          value.kind === 'object'
            ? value.entries.map(entry => [entry.key, scalarText(entry.value) ?? ''])
            : [],
        )
        break
      default:
        throw parsingError(
          { line, col },
          `failed to parse More Like This item. unknown field [${key}]`,
        )
    }
  }
  const id = texts.get('id') ?? null
  if (id !== null && doc !== null)
    throw parsingError(
      node,
      'failed to parse More Like This item. either [id] or [doc] can be specified, but not both!',
    )
  if (id === null && doc === null)
    throw new IllegalArgumentError('Item requires either id or doc to be non-null')
  return {
    index: texts.get('index') ?? null,
    id,
    routing: texts.get('routing') ?? null,
    doc,
    fields,
    analyzers,
  }
}

/** The sources of documents, by their ord in a list and the index that is searched. */
export type LikedSources = ReadonlyMap<string, JsonNode>

/** The key of a document's source. */
export function sourceKey(ord: number, index: string): string {
  return `${ord} ${index}`
}

/** Looks the documents of a list up, those without an index in each index that is searched. */
export function likedSources(documents: readonly LikedDocument[]): Lookup<LikedSources> {
  return {
    inDocument: null,
    async run(calls) {
      const sources = new Map<string, JsonNode>()
      const found = documents.flatMap((document, ord) =>
        calls.indices.map(async index => {
          const source = await sourceOf(document, index, calls)
          if (source !== null) sources.set(sourceKey(ord, index), source)
        }),
      )
      await Promise.all(found)
      return sources
    },
  }
}

async function sourceOf(
  { index, id, routing, doc }: LikedDocument,
  searched: string,
  calls: LookupCalls,
): Promise<JsonNode | null> {
  if (doc !== null || id === null) return doc
  try {
    const found = await calls.document(index ?? searched, id, routing)
    return found === null ? null : parseJsonTree(found.source)
  } catch (error) {
    // A document of an index that is missing has no words.
    if (error instanceof EngineError && error.type === 'index_not_found_exception') return null
    throw error
  }
}
