/** Checks of aliases against the index that they are put on, and against each other. */
import { TRUSTED_ASKER } from '../../task/access.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { SearchScripts } from '../api/scripts.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery } from '../dsl/query-context.ts'
import type { AliasMetadata } from '../metadata/alias.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { viewThrough } from '../metadata/index-view.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { Node } from '../node/node.ts'

/** Scripts in filters of aliases are compiled when they are searched through. */
const UNCOMPILED: SearchScripts = {
  forSearch: ({ source, id, lang, params }) => ({
    lang: lang === 'expression' ? 'expression' : 'painless',
    source: source ?? '',
    id,
    params,
    regex: { regex: 'limited', regexLimitFactor: 6 },
    uses: new Set(),
  }),
}

/**
 * Builds the filter of an alias for a trial.
 * @throws {EngineError} `illegal_argument_exception`: it is no query of the index
 */
export function checkAliasFilter(
  node: Node,
  index: IndexMetadata,
  name: string,
  { filter }: AliasMetadata,
): void {
  if (filter === null) return
  const { effectiveSettings, vectorRequests } = node
  const facts = { effectiveSettings, scripts: UNCOMPILED, vectorRequests }
  const context = queryContextOf(viewThrough(index, null, TRUSTED_ASKER), facts, Date.now())
  try {
    buildQuery(parseQuery(filter), context)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new IllegalArgumentError(`failed to parse filter for alias [${name}]`, {
      causedBy: error.record,
    })
  }
}

/**
 * Refuses an alias whose indices contradict each other.
 * @param indices all that have the alias, in order of name
 * @throws {EngineError} `illegal_state_exception`, 400
 */
export function checkAliasTogether(name: string, indices: readonly IndexMetadata[]): void {
  const of = (index: IndexMetadata): AliasMetadata | undefined => index.aliases.get(name)
  const namesOf = (chosen: readonly IndexMetadata[]): string =>
    chosen.map(index => index.name).join(',')
  const written = indices.filter(index => of(index)?.isWriteIndex === true)
  if (written.length > 1)
    throw contradiction(`alias [${name}] has more than one write index [${namesOf(written)}]`)
  const hidden = indices.filter(index => of(index)?.isHidden === true)
  if (hidden.length > 0 && hidden.length < indices.length) {
    const others = indices.filter(index => !hidden.includes(index))
    throw contradiction(
      `alias [${name}] has is_hidden set to true on indices [${namesOf(hidden)}] but does not have ` +
        `is_hidden set to true on indices [${namesOf(others)}]; alias must have the same is_hidden ` +
        'setting on all indices',
    )
  }
}

function contradiction(reason: string): EngineError {
  return new EngineError({ type: 'illegal_state_exception', reason, status: 400 })
}

/** 400: a name that is an index's. */
export function nameOfIndex(alias: string): EngineError {
  return new EngineError({
    type: 'invalid_alias_name_exception',
    reason: `Invalid alias name [${alias}], an index exists with the same name as the alias`,
  })
}

/**
 * Refuses an alias that is called like a data stream.
 * @throws {EngineError} `invalid_alias_name_exception`
 */
export function checkNotOfStream(metadata: MetadataStore, alias: string): void {
  if (metadata.dataStream(alias) !== null)
    throw new EngineError({
      type: 'invalid_alias_name_exception',
      reason: `Invalid alias name [${alias}], a data stream exists with the same name as the alias`,
    })
}
