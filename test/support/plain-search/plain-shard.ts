/** One shard of a random collection, as its searches see it. */

import type { Query } from '../../../src/search/query/query.ts'
import { rewrite } from '../../../src/search/query/query-ops.ts'
import { compareBytes, encodeUtf8 } from '../../../src/util/bytes.ts'
import { Oracle } from '../oracle.ts'
import { tokensOf } from '../plain-bm25.ts'
import type { SearchedDocument } from './collection.ts'

/** A match of a shard. */
export interface ShardMatch {
  readonly document: SearchedDocument
  /** Where the document stands in its shard; nested objects stand before theirs. */
  readonly place: number
  readonly score: number
}

/** The documents of a shard in order, deleted ones included. */
export class PlainShard {
  readonly documents: readonly SearchedDocument[]
  readonly oracle: Oracle
  /** The values of `_routing` that lead to it. */
  readonly routes: readonly string[]
  readonly #places: readonly number[]
  readonly #found = new WeakMap<object, ReadonlySet<SearchedDocument>>()
  readonly #terms = new Map<string, ReadonlyMap<string, number>>()

  constructor(documents: readonly SearchedDocument[], routes: readonly string[]) {
    this.documents = documents
    this.routes = routes
    let next = 0
    this.#places = documents.map(({ objects }) => {
      next += objects.get('items')!.length
      return next++
    })
    this.oracle = new Oracle(documents, next)
  }

  /** Documents and nested objects that are not deleted. */
  get numDocs(): number {
    return this.documents.reduce(
      (sum, { isLive, objects }) => sum + (isLive ? 1 + objects.get('items')!.length : 0),
      0,
    )
  }

  /**
   * The matches in order of documents.
   * @param scored false: no score is read, so boosts are left out, which a least score within sees
   */
  matches(query: Query, scored: boolean = true): ShardMatch[] {
    const rewritten = rewrite(query, scored)
    return this.documents.flatMap((document, i) => {
      const score = document.isLive ? this.oracle.score(rewritten, document) : null
      return score === null ? [] : [{ document, place: this.#places[i]!, score }]
    })
  }

  /** The documents that a drawn query matches; each query is run once. */
  matchesOf(on: (shard: PlainShard) => Query): ReadonlySet<SearchedDocument> {
    const known = this.#found.get(on)
    if (known !== undefined) return known
    const found = new Set(this.matches(on(this), false).map(({ document }) => document))
    this.#found.set(on, found)
    return found
  }

  /** The terms of a field in order of bytes, with the documents that have each, deleted ones too. */
  terms(field: string): ReadonlyMap<string, number> {
    const known = this.#terms.get(field)
    if (known !== undefined) return known
    const counts = new Map<string, number>()
    for (const document of this.documents)
      for (const term of new Set(tokensOf(document, field)))
        counts.set(term, (counts.get(term) ?? 0) + 1)
    const sorted = [...counts].sort(([a], [b]) => compareBytes(encodeUtf8(a), encodeUtf8(b)))
    const terms = new Map(sorted)
    this.#terms.set(field, terms)
    return terms
  }
}
