/**
 * Where nested documents stand in the source of the whole document around them. Those of one whole
 * document precede it as a block, and each of them precedes the one that it stands in.
 */
import type { Mapping } from '../../schema/mapping.ts'
import { valuesAt } from '../../schema/source-values.ts'
import { openMatches } from '../../search/matches-at.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { FetchedDocument, NestedPlace } from './fetch-part.ts'
import { FetchQuery } from './fetch-query.ts'

type Steps = NestedPlace['steps']

/** A nested path with its documents in a part of a block, ascending. */
interface Level {
  readonly path: string
  readonly docs: readonly number[]
}

/** Finds the places of nested documents that are hits themselves. */
export class NestedPlaces {
  readonly #paths: readonly NestedPath[]

  /** @param paths all nested ones of the index, outer ones first */
  constructor(paths: readonly string[]) {
    this.#paths = paths.map(path => new NestedPath(path))
  }

  /** The place of a nested document in the whole document around it. */
  placeOf(docId: number, root: FetchedDocument): NestedPlace {
    const first = firstOfBlock(root)
    const levels = this.#paths.map(path => path.level(root, first, root.rootDoc))
    const own = levels.find(({ docs }) => docs.includes(docId))
    if (own === undefined) return { steps: [] }
    const around = levels.filter(({ path }) => isWithin(own.path, path))
    return { steps: stepsTo(docId, around, null) }
  }
}

/** Finds the places of the documents of one nested path, below a hit that they stand in. */
export class PlacesBelow {
  /** Nested paths from the hit's to their own, outer ones first. */
  readonly #paths: readonly NestedPath[]
  /** That of the hit; null: it is a whole document. */
  readonly #around: NestedPath | null

  /** @param around path of the hit; null: it is a whole document */
  constructor(path: string, around: string | null, mapping: Mapping) {
    this.#paths = mapping.nestedPaths
      .filter(each => isWithin(path, each) && (around === null || each.startsWith(`${around}.`)))
      .map(each => new NestedPath(each))
    this.#around = around === null ? null : new NestedPath(around)
  }

  /** The first of the documents that stand in a hit: those of a nested one begin behind the one before it. */
  firstOf(hit: FetchedDocument): number {
    const first = firstOfBlock(hit)
    if (this.#around === null) return first
    const before = this.#around.level(hit, first, hit.docId).docs.at(-1) ?? first - 1
    return before >= hit.docId ? first : before + 1
  }

  /** The places of documents that stand in a hit, in the whole document around it. */
  of(hit: FetchedDocument, docIds: readonly number[]): NestedPlace[] {
    const first = this.firstOf(hit)
    const levels = this.#paths.map(path => path.level(hit, first, hit.docId))
    const around = this.#around?.path ?? null
    const outer = hit.nested?.steps ?? []
    return docIds.map(docId => ({ steps: [...outer, ...stepsTo(docId, levels, around)] }))
  }
}

/** The documents of one nested path. */
class NestedPath {
  readonly path: string
  readonly #query: FetchQuery

  constructor(path: string) {
    this.path = path
    this.#query = new FetchQuery({ kind: 'term', field: '_nested_path', term: path }, false)
  }

  /** Those from one document on and ahead of another one of the same leaf. */
  level({ shard, snapshotLeaf }: FetchedDocument, start: number, end: number): Level {
    const docs: number[] = []
    this.#query.on(shard, snapshotLeaf, (weight, leaf) => {
      const matches = openMatches(weight, leaf, snapshotLeaf.ord)
      if (matches === null || start >= end) return
      const { iterator } = matches
      for (let doc = iterator.advance(start); doc < end; doc = iterator.nextDoc()) docs.push(doc)
    })
    return { path: this.path, docs }
  }
}

/** The first document of the block that ends with a whole document. */
function firstOfBlock({ leaf, rootDoc }: FetchedDocument): number {
  return (leaf.parents()?.previous(rootDoc - 1) ?? rootDoc - 1) + 1
}

/** Whether objects of a path stand in those of another, or are those. */
function isWithin(path: string, outer: string): boolean {
  return `${path}.`.startsWith(`${outer}.`)
}

/**
 * The steps to a nested document: at each level, how many objects are ahead in the same outer one.
 * @param levels down to its own, outer ones first
 * @param around path that the first level stands in; null: in whole documents
 */
function stepsTo(docId: number, levels: readonly Level[], around: string | null): Steps {
  return levels.map(({ path, docs }, i) => {
    const outer = levels[i - 1]
    const own = docs.find(doc => doc >= docId)!
    const behind = outer?.docs.findLast(doc => doc < docId) ?? -1
    const outerPath = outer?.path ?? around
    return {
      field: outerPath === null ? path : path.slice(outerPath.length + 1),
      offset: docs.filter(doc => doc > behind && doc < own).length,
    }
  })
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
