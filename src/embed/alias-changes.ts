import type { AliasAction, ShownAliases } from '../engine/api/aliases.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { writeJson } from '../util/json/json-writer.ts'
import { checkOptions, checkText, type OptionKeys } from './arguments.ts'
import type { Clause } from './clause.ts'
import { jsonTree } from './json-body.ts'

/** Properties of an alias beside its name. */
export interface AliasOptions {
  /** Searches through the alias find matches of this query alone. */
  readonly filter?: Clause
  /** Routing of writes and searches, unless one of the next two says otherwise. */
  readonly routing?: string
  readonly indexRouting?: string
  /** May name several values, with commas between them. */
  readonly searchRouting?: string
  /** The index of several under one alias that writes go to. */
  readonly isWriteIndex?: boolean
  /** Wildcards pass it over. */
  readonly isHidden?: boolean
}

/** Indices, patterns among them, and their names. */
export interface AliasNames {
  readonly index: string | readonly string[]
  readonly alias: string | readonly string[]
}

/** One change of `changeAliases`. */
export type AliasChange =
  | { readonly add: AliasNames & AliasOptions }
  | {
      /** A pattern may stand for aliases too; `mustExist` false passes over what is not there. */
      readonly remove: AliasNames & { readonly mustExist?: boolean }
    }
  /** Deletes indices, so that an alias may take their name in the same step. */
  | { readonly removeIndex: Pick<AliasNames, 'index'> }

const CHANGES: OptionKeys<AliasChange> = { add: true, remove: true, removeIndex: true }
const ADDITION: OptionKeys<AliasNames & AliasOptions> = {
  index: true,
  alias: true,
  filter: true,
  routing: true,
  indexRouting: true,
  searchRouting: true,
  isWriteIndex: true,
  isHidden: true,
}
const REMOVAL: OptionKeys<AliasNames & { readonly mustExist?: boolean }> = {
  index: true,
  alias: true,
  mustExist: true,
}
const INDEX_REMOVAL: OptionKeys<Pick<AliasNames, 'index'>> = { index: true }

/**
 * A change as the engine takes it.
 * @throws {IllegalArgumentError} it is none, or holds more than one
 */
export function aliasAction(change: AliasChange): AliasAction {
  checkOptions('kind of alias change', change, CHANGES)
  const kinds = Object.keys(change)
  if (kinds.length !== 1)
    throw new IllegalArgumentError(
      `an alias change has one kind, found [${kinds.length === 0 ? 'none' : kinds.join(', ')}]`,
    )
  if ('add' in change) {
    checkOptions('key of an added alias', change.add, ADDITION)
    const { index, alias, filter, routing, indexRouting, searchRouting, isWriteIndex, isHidden } =
      change.add
    const options = {
      filter,
      routing,
      index_routing: indexRouting,
      search_routing: searchRouting,
      is_write_index: isWriteIndex,
      is_hidden: isHidden,
    }
    const indices = namesOf('index', index)
    const aliases = namesOf('alias', alias)
    return { kind: 'add', indices, aliases, alias: jsonTree(options, 'an alias') }
  }
  if ('remove' in change) {
    checkOptions('key of a removed alias', change.remove, REMOVAL)
    const { index, alias, mustExist } = change.remove
    const indices = namesOf('index', index)
    const aliases = namesOf('alias', alias)
    return { kind: 'remove', indices, aliases, mustExist: mustExist ?? null }
  }
  checkOptions('key of a removed index', change.removeIndex, INDEX_REMOVAL)
  return { kind: 'removeIndex', indices: namesOf('index', change.removeIndex.index) }
}

function namesOf(key: string, given: string | readonly string[]): readonly string[] {
  const names = Array.isArray(given) ? given : [given]
  if (names.length === 0) throw new IllegalArgumentError(`[${key}] must name at least one`)
  for (const name of names) checkText(key, name)
  return names
}

/** Aliases of one index by name; `routing` stands as the two that it became. */
export function aliasesOf({ aliases }: ShownAliases): Readonly<Record<string, AliasOptions>> {
  const printed = JSON.parse(decodeUtf8(writeJson(aliases))) as Record<string, PrintedAlias>
  return Object.fromEntries(
    Object.entries(printed).map(([name, alias]) => [
      name,
      {
        ...(alias.filter === undefined ? {} : { filter: alias.filter }),
        ...(alias.index_routing === undefined ? {} : { indexRouting: alias.index_routing }),
        ...(alias.search_routing === undefined ? {} : { searchRouting: alias.search_routing }),
        ...(alias.is_write_index === undefined ? {} : { isWriteIndex: alias.is_write_index }),
        ...(alias.is_hidden === undefined ? {} : { isHidden: alias.is_hidden }),
      },
    ]),
  )
}

/** An alias in wire form. */
interface PrintedAlias {
  readonly filter?: Clause
  readonly index_routing?: string
  readonly search_routing?: string
  readonly is_write_index?: boolean
  readonly is_hidden?: boolean
}
