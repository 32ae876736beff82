/** Where nested documents stand that are hits themselves, and their part of the source. */
import { valuesAt } from '../../schema/source-values.ts'
import { openMatches } from '../../search/matches-at.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { FetchedDocument, NestedPlace } from './fetch-part.ts'
import { FetchQuery } from './fetch-query.ts'

/** A nested path with its documents of one block, ascending. */
interface Level {
  readonly path: string
  readonly docs: readonly number[]
}

/** Finds the places of nested documents. */
export class NestedPlaces {
  readonly #levels: readonly { readonly path: string; readonly query: FetchQuery }[]

  /** @param paths all nested ones of the index, outer ones first */
  constructor(paths: readonly string[]) {
    this.#levels = paths.map(path => ({
      path,
      query: new FetchQuery({ kind: 'term', field: '_nested_path', term: path }, false),
    }))
  }

  /** The place of a nested document in the whole document around it. */
  placeOf(docId: number, root: FetchedDocument): NestedPlace {
    const levels = this.#levels.map(({ path, query }) => ({ path, docs: docsOf(query, root) }))
    const own = levels.find(({ docs }) => docs.includes(docId))
    if (own === undefined) return { steps: [] }
    const around = levels.filter(({ path }) => `${own.path}.`.startsWith(`${path}.`))
    return { steps: around.map((level, i) => stepOf(level, around[i - 1] ?? null, docId)) }
  }
}

/** How many objects of a level are ahead of the one that a document lies in, within the same outer one. */
function stepOf(
  { path, docs }: Level,
  outer: Level | null,
  docId: number,
): { readonly field: string; readonly offset: number } {
  // Nested documents precede the one that they stand in.
  const own = docs.find(doc => doc >= docId)!
  const behind = outer?.docs.findLast(doc => doc < docId) ?? -1
  return {
    field: outer === null ? path : path.slice(outer.path.length + 1),
    offset: docs.filter(doc => doc > behind && doc < own).length,
  }
}

/** The matches of a query among the nested documents of a whole one. */
function docsOf(query: FetchQuery, { shard, snapshotLeaf, rootDoc }: FetchedDocument): number[] {
  const docs: number[] = []
  query.on(shard, snapshotLeaf, (weight, leaf) => {
    const matches = openMatches(weight, leaf, snapshotLeaf.ord)
    const first = (leaf.parents()?.previous(rootDoc - 1) ?? rootDoc - 1) + 1
    if (matches === null || first >= rootDoc) return
    const { iterator } = matches
    for (let doc = iterator.advance(first); doc < rootDoc; doc = iterator.nextDoc()) docs.push(doc)
  })
  return docs
}

/**
 * A document with nothing but the nested object at a place; null where it has none.
 * @param root  a whole document, or one nested object of it in the same form
 * @param taken how many of the steps `root` has one object at
 */
export function partAt(
  root: JsonNode | null,
  { steps }: NestedPlace,
  taken: number,
): Uint8Array | null {
  let node = root ?? undefined
  for (const [i, { field, offset }] of steps.entries()) {
    const objects =
      node === undefined ? [] : valuesAt(node, field, false).filter(({ kind }) => kind === 'object')
    node = objects[i < taken ? 0 : offset]
  }
  if (node === undefined) return null
  let value: JsonValue = jsonValueOf(node)
  for (const { field } of [...steps].reverse()) value = new Map([[field, value]])
  return writeJson(value)
}
