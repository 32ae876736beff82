import type { Mapping } from '../../../schema/mapping.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import type { BlockScoreMode } from '../../../search/scorer/block-join-scorer.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { readText } from '../json-scalars.ts'
import type { QueryContext } from '../query-context.ts'
import { innerNotes, namedInOrder, noteInnerHits, noteNames } from '../query-notes.ts'
import { type InnerClause, readInnerClause } from './inner-clause.ts'
import { checkJoining } from './join-clause.ts'
import { mayMatchOutside } from './nested-reach.ts'
import type { QueryParser } from './query-parser.ts'
import { readScoreMode } from './score-mode.ts'

/** `nested`: documents of which a nested object matches a query. */
export const nestedParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let scoreMode: BlockScoreMode = 'avg'
    const clause = readInnerClause('nested', 'path', node, read, (key, value) => {
      if (key !== 'score_mode') return false
      scoreMode = readScoreMode(readText(value))
      return true
    })
    const asked = { ...clause, scoreMode }
    return { field: null, build: context => buildNested(asked, context) }
  },
}

interface NestedClause extends InnerClause {
  readonly scoreMode: BlockScoreMode
}

function buildNested(
  { target: path, query, scoreMode, ignoresUnmapped, innerHits }: NestedClause,
  context: QueryContext,
): Query {
  const { mapping, nested } = context
  checkJoining(context)
  const problem = nestedPathProblem(mapping, path)
  if (problem !== null) {
    if (ignoresUnmapped && mapping.object(path) === null) return matchNone('')
    throw new EngineError({ type: 'illegal_state_exception', reason: `[nested] ${problem}` })
  }
  const depth = nested.depth + 1
  if (depth > nested.maxDepth)
    throw new IllegalArgumentError(
      `The depth of Nested Query is [${depth}] has exceeded the allowed maximum of ` +
        `[${nested.maxDepth}]. This maximum can be set by changing the ` +
        '[index.query.max_nested_depth] index level setting.',
    )
  // Inner hits further in stand within those of this query, and nowhere where it has none.
  const notes = innerNotes(context.notes)
  const inner = query.build({ ...context, notes, nested: { ...nested, path, depth } })
  noteNames(context.notes, notes)
  const matches = nestedMatches(inner, path, mapping)
  if (innerHits !== null) {
    const of = { kind: 'nested', path, parentPath: nested.path } as const
    const asked = { asked: innerHits, of, inner: notes.innerHits, named: namedInOrder(notes) }
    noteInnerHits(context.notes, path, { ...asked, query: matches })
  }
  return {
    kind: 'blockJoin',
    query: matches,
    parentPath: nested.path,
    scoreMode,
  }
}

/** Why a path does not name nested objects; null: it does. */
export function nestedPathProblem(mapping: Mapping, path: string): string | null {
  const object = path === '' ? null : mapping.object(path)
  if (object === null) return `failed to find nested object under path [${path}]`
  if (object.nested === null) return `nested object under path [${path}] is not of nested type`
  return null
}

/** A query's matches among the nested documents of a path. */
export function nestedMatches(query: Query, path: string, mapping: Mapping): Query {
  if (!mayMatchOutside(query, path, mapping)) return query
  return {
    kind: 'boolean',
    clauses: [
      { occur: 'must', query },
      { occur: 'filter', query: { kind: 'term', field: '_nested_path', term: path } },
    ],
    minimumShouldMatch: 0,
  }
}
