/** `fvh`: fragments around terms and phrases, cut at characters; for fields with term vectors. */

import type { FieldType } from '../../../schema/field-type.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { Turn } from '../../../util/turns.ts'
import type { Reading } from '../fetch-part.ts'
import { boundaryScanner } from './break/boundary-scanner.ts'
import { isText } from './field-tokens.ts'
import type { FoundTerms } from './found-terms.ts'
import { type Highlighter, isTurnOver, type MatchedField } from './highlighter.ts'
import { lengthOf } from './passages.ts'
import { FragmentWriter } from './vector/fragment-writer.ts'
import { fragmentsOf, type VectorFragment, wholeText, withinValues } from './vector/fragments.ts'
import { mergedMatches, type PhraseMatch, phraseMatches } from './vector/phrase-matches.ts'
import { isOneTree, phraseTree } from './vector/phrase-tree.ts'

const NOTHING_FOUND: FoundTerms = new Map()

/** See the file's header. */
export const vectorHighlighter: Highlighter = {
  matchedFields: 'instead',
  positions: 'all',
  fits: hasVectorOffsets,
  make(field) {
    const { name, options, markup } = field
    if (!hasVectorOffsets(field.field))
      throw new IllegalArgumentError(
        `the field [${name}] should be indexed with term vector with position offsets to be used ` +
          'with fast vector highlighter',
      )
    const { numberOfFragments, fragmentSize, fragmentOffset, phraseLimit, noMatchSize } = options
    const scanner = boundaryScanner(options)
    const matched = field.matched.map(each => ({ ...each, find: matchesIn(each, phraseLimit) }))
    return function* (document, values, turn) {
      if (values.length === 0) return null
      const length = lengthOf(values)
      const lists: (readonly PhraseMatch[])[] = []
      for (const { tokens, find } of matched) {
        if (isTurnOver(turn, length)) yield
        const found = yield* tokens(document, values, Number.POSITIVE_INFINITY, turn)
        if (isTurnOver(turn, length)) yield
        lists.push(yield* find(found, turn))
        if (isTurnOver(turn, length)) yield
      }
      const matches = lists.length === 1 ? lists[0]! : mergedMatches(lists)
      const isWhole = numberOfFragments === 0
      const all = isWhole ? wholeText(matches) : fragmentsOf(matches, fragmentSize, fragmentOffset)
      const within = (fragments: readonly VectorFragment[]): readonly VectorFragment[] =>
        values.length > 1 ? withinValues(fragments, values) : fragments
      let shown = within(all)
      if (!isWhole && options.isByScore)
        shown = [...shown].sort((a, b) => b.weight - a.weight || a.start - b.start)
      if (!isWhole) shown = shown.slice(0, numberOfFragments)
      if (shown.length === 0 && noMatchSize > 0)
        // Of several values the first must have as much.
        shown = within([{ start: 0, end: noMatchSize, matches: [], weight: 0 }])
      if (shown.length === 0) return null
      const writer = new FragmentWriter(values, options, markup.encode, scanner)
      return shown.map(each => writer.write(each))
    }
  },
}

/** Whether a field's vectors have offsets; some are made when they are asked for. */
function hasVectorOffsets(field: FieldType): boolean {
  const { indexed, parameters } = field
  return indexed && isText(field) && String(parameters.get('term_vector')).includes('offsets')
}

/** Finds the matches of a text. */
function matchesIn(
  { sought: { clauses } }: MatchedField,
  limit: number,
): (found: FoundTerms, turn: Turn) => Reading<readonly PhraseMatch[]> {
  const tree = isOneTree(clauses) ? phraseTree(clauses, NOTHING_FOUND) : null
  return (found, turn) => phraseMatches(tree ?? phraseTree(clauses, found), found, limit, turn)
}
