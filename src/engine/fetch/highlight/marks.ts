import { compareBytes, encodeUtf8 } from '../../../util/bytes.ts'
import { type FoundTerms, type Occurrence, termsLike } from './found-terms.ts'
import { visitIntervals } from './interval-marks.ts'
import type { Sought, SoughtClause } from './sought.ts'
import { phraseSpan, type SpanVisitor, visitSpans } from './span-marks.ts'

/** A stretch of a text that a query matches. */
export interface Mark {
  readonly start: number
  readonly end: number
  /** The term, or the clause that stands for many. */
  readonly label: string
  /** Marks of the text with the label. */
  readonly freq: number
}

/**
 * The marks of a text by start, end and label. Terms of phrases, spans and intervals are marked where
 * these are; a term that is looked for by itself, too, is marked everywhere, and once.
 */
export function marksOf({ clauses }: Sought, found: FoundTerms): readonly Mark[] {
  if (found.size === 0) return []
  const marks: Mark[] = []
  const free = new Set<string>()
  for (const clause of clauses) if (clause.kind === 'term') free.add(clause.term)
  for (const term of free) addMarks(marks, term, found.get(term) ?? [])
  for (const [term, tokens] of tokensInPlace(clauses, found, free))
    addMarks(marks, term, distinct(tokens))
  const labels = new Set<string>()
  for (const clause of clauses) {
    if (clause.kind !== 'like' || labels.has(clause.label)) continue
    labels.add(clause.label)
    const tokens = termsLike(found, clause).flatMap(term => found.get(term)!)
    addMarks(marks, clause.label, tokens)
  }
  return marks.sort(byPlace)
}

function addMarks(marks: Mark[], label: string, tokens: readonly Occurrence[]): void {
  const freq = tokens.length
  for (const { start, end } of tokens) marks.push({ start, end, label, freq })
}

/** The tokens that phrases, spans and intervals are made of, by term. */
function tokensInPlace(
  clauses: readonly SoughtClause[],
  found: FoundTerms,
  free: ReadonlySet<string>,
): ReadonlyMap<string, Occurrence[]> {
  const tokens = new Map<string, Occurrence[]>()
  const visitor: SpanVisitor = {
    span() {},
    token(term, occurrence) {
      if (free.has(term)) return
      const known = tokens.get(term)
      if (known === undefined) tokens.set(term, [occurrence])
      else if (known.at(-1) !== occurrence) known.push(occurrence)
    },
  }
  for (const clause of clauses)
    if (clause.kind === 'phrase') visitSpans(phraseSpan(clause.phrase), found, visitor)
    else if (clause.kind === 'span') visitSpans(clause.span, found, visitor)
    else if (clause.kind === 'intervals') visitIntervals(clause.source, found, visitor)
  return tokens
}

/** Tokens without those that stand where another one does. */
function distinct(tokens: readonly Occurrence[]): readonly Occurrence[] {
  const places = new Map(tokens.map(token => [`${token.start}:${token.end}`, token]))
  return [...places.values()]
}

/** The order of marks. */
export function byPlace(a: Mark, b: Mark): number {
  return (
    a.start - b.start ||
    a.end - b.end ||
    (a.label === b.label ? 0 : compareBytes(encodeUtf8(a.label), encodeUtf8(b.label)))
  )
}
