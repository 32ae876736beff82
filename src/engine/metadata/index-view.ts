import type { Mapping } from '../../schema/mapping.ts'
import {
  type Access,
  type Asker,
  type FieldRestrictions,
  type Restrictions,
  restrictedError,
  TRUSTED_ACCESS,
} from '../../task/access.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { type JsonObjectNode, parseJsonTree } from '../../util/json/json-tree.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { visibleMapping } from './visible-mapping.ts'

/** An index as one call sees it: through the names that led to it, and with the caller's rights. */
export interface IndexView {
  readonly index: IndexMetadata
  /** The mapping as the caller searches it: a field that is hidden or masked is not mapped. */
  readonly mapping: Mapping
  /** The mapping as the caller is shown it: a field that is hidden is not mapped. */
  readonly shown: Mapping
  /** The parts of the documents that are hidden from the caller; null: none. */
  readonly fields: FieldRestrictions | null
  /** Filters of the aliases that led to the index, of which a document meets one; null without. */
  readonly aliasFilters: readonly JsonObjectNode[] | null
  /** Queries of which a document meets one to be seen by the caller; null: he sees every document. */
  readonly visible: readonly JsonObjectNode[] | null
  /** Routing values of searches by the aliases that led to the index; null leaves them to the request. */
  readonly searchRouting: readonly string[] | null
  /** Routing value of writes and gets by the alias that led to the index; null: it has none. */
  readonly indexRouting: string | null
}

/**
 * An index as a caller may see it.
 * @param aliases that led to it; null: its own name did, among others or alone
 * @throws {EngineError} 403 `security_exception`: a restriction of the caller is no query, so that he sees nothing
 */
export function viewThrough(
  index: IndexMetadata,
  aliases: readonly string[] | null,
  { access }: Pick<Asker, 'access'>,
): IndexView {
  const found = aliases?.flatMap(name => index.aliases.get(name) ?? []) ?? []
  const filters = found.flatMap(({ filter }) => filter ?? [])
  const routings = found.flatMap(({ searchRouting }) => searchRouting?.split(',') ?? [])
  // An alias that shows all of the index lifts what others narrow.
  const isNarrowed = found.length > 0 && filters.length === found.length
  const isRouted = found.length > 0 && found.every(({ searchRouting }) => searchRouting !== null)
  return {
    index,
    aliasFilters: isNarrowed ? filters : null,
    searchRouting: isRouted ? [...new Set(routings)] : null,
    indexRouting: found[0]?.indexRouting ?? null,
    ...seenBy(index, access),
  }
}

/**
 * A view that was made before, as a caller may see it now.
 * @throws {EngineError} as `viewThrough`
 */
export function viewAgain(view: IndexView, { access }: Pick<Asker, 'access'>): IndexView {
  return { ...view, ...seenBy(view.index, access) }
}

/** Whether two views of an index show the same of it. */
export function showsAlike(a: IndexView, b: IndexView): boolean {
  return a.fields?.key === b.fields?.key && JSON.stringify(a.visible) === JSON.stringify(b.visible)
}

function seenBy(
  { name, mapping }: IndexMetadata,
  access: Access,
): Pick<IndexView, 'mapping' | 'shown' | 'fields' | 'visible'> {
  const restrictions = access === TRUSTED_ACCESS ? null : access.restrictionsOf(name)
  if (restrictions === null) return { mapping, shown: mapping, fields: null, visible: null }
  const { fields } = restrictions
  return {
    ...(fields === null ? { mapping, shown: mapping } : visibleMapping(mapping, fields)),
    fields,
    visible: visibleBy(restrictions),
  }
}

function visibleBy({ documents }: Restrictions): readonly JsonObjectNode[] | null {
  if (documents === null) return null
  return documents.map(text => {
    const query = parseJsonTree(encodeUtf8(text))
    if (query.kind !== 'object') throw restrictedError('document restrictions are no query')
    return query
  })
}
