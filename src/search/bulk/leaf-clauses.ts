/** The clauses of a shape for which one leaf has terms. */
import type { TermState } from '../../codec/terms/format.ts'
import { appended } from '../../util/lists.ts'
import type { LeafStates } from '../weight/weight.ts'
import type { TermWeight, WeightNode } from '../weight/weight-node.ts'
import type { BulkShape, TermClause } from './bulk-shape.ts'
import { type CursorScoring, constantScoring } from './cursor-maker.ts'

/** A term that the leaf has, with its scoring. */
export interface LeafTerm {
  readonly field: string
  readonly state: TermState
  readonly scoring: CursorScoring
  /** Position in its phrase. */
  readonly offset: number
  /** Ord of the term in its phrase. */
  readonly ord: number
}

/** An optional clause other than a term. */
export interface LeafSet {
  readonly node: WeightNode
  readonly score: number
}

/** The clauses of one leaf. */
export interface LeafClauses {
  /** Rarest first. */
  readonly required: readonly LeafTerm[]
  /** Terms that only filter. */
  readonly admitting: readonly LeafTerm[]
  readonly optional: readonly (LeafTerm | LeafSet)[]
}

/** The clauses that the leaf has terms for; null when nothing can match. */
export function leafClauses(shape: BulkShape, states: LeafStates): LeafClauses | null {
  const { phrase, minimum, filters } = shape
  const required = requiredTerms(shape, states)
  const admitting = required === null ? null : termsOf(shape.filterTerms, states)
  if (required === null || admitting === null) return null
  const optional = optionalClauses(shape, states)
  if (optional.length < minimum) return null
  const count = required.length + admitting.length + filters.length
  if (count === 0 && optional.length === 0) return null
  // Beside other terms, filter terms join the intersection; beside optional clauses alone they lead
  // if they are rare. A phrase joins no other terms.
  const leads = required.length > 0 || optional.length === 0 || isRare(admitting, optional)
  if (phrase !== null || !leads || admitting.length === 0) return { required, admitting, optional }
  return { required: rarestFirst([...required, ...admitting]), admitting: [], optional }
}

/** The required terms, rarest first; null when the leaf lacks one. */
function requiredTerms({ phrase, required }: BulkShape, states: LeafStates): LeafTerm[] | null {
  if (phrase === null) {
    const terms = termsOf(required, states)
    return terms === null ? null : rarestFirst(terms)
  }
  const terms: LeafTerm[] = []
  const { field, termIds, positions } = phrase
  for (let i = 0; i < termIds.length; i++) {
    const state = states.terms[termIds[i]!] ?? null
    if (state === null) return null
    terms.push({ field, state, scoring: phrase, offset: positions[i]!, ord: i })
  }
  return rarestFirst(terms)
}

/** Null when the leaf lacks one. */
function termsOf(clauses: readonly TermClause[], states: LeafStates): LeafTerm[] | null {
  let terms: LeafTerm[] = []
  for (const { node, constant } of clauses) {
    const state = states.terms[node.termId] ?? null
    if (state === null) return null
    terms = appended(terms, leafTerm(node, state, constant))
  }
  return terms
}

/** The optional clauses that may match in the leaf. */
function optionalClauses({ optional }: BulkShape, states: LeafStates): (LeafTerm | LeafSet)[] {
  const clauses: (LeafTerm | LeafSet)[] = []
  for (const { kind, node, constant } of optional) {
    if (kind === 'set') clauses.push({ node, score: constant })
    else {
      const state = states.terms[node.termId] ?? null
      if (state === null) continue
      clauses.push(leafTerm(node, state, constant))
    }
  }
  return clauses
}

function leafTerm(node: TermWeight, state: TermState, constant: number | null): LeafTerm {
  const scoring = constant === null ? node : constantScoring(constant)
  return { field: node.field, state, scoring, offset: 0, ord: 0 }
}

/** Optional clauses with this many times a filter's postings are probed with its documents. */
const RARE = 2

function isRare(filters: readonly LeafTerm[], optional: readonly (LeafTerm | LeafSet)[]): boolean {
  if (filters.length === 0) return false
  let postings = 0
  for (const clause of optional) {
    if (!('state' in clause)) return false
    postings += clause.state.docFreq
  }
  return filters.some(({ state }) => RARE * state.docFreq < postings)
}

/** Up to this many are sorted by insertion: faster without comparator calls. */
const FEW_TERMS = 32

/** A stable sort: the order of equal terms decides which one leads a phrase. */
function rarestFirst(terms: LeafTerm[]): LeafTerm[] {
  if (terms.length > FEW_TERMS) return terms.sort((a, b) => a.state.docFreq - b.state.docFreq)
  for (let i = 1; i < terms.length; i++) {
    const term = terms[i]!
    let at = i
    for (; at > 0 && term.state.docFreq < terms[at - 1]!.state.docFreq; at--)
      terms[at] = terms[at - 1]!
    terms[at] = term
  }
  return terms
}

/** Terms of which every match has one: the rarest that must match, else all that may; none where others may too. */
export function leadsOf(
  { required, admitting, optional }: LeafClauses,
  { minimum }: BulkShape,
): readonly LeafTerm[] {
  const [lead] = rarestFirst([...required, ...admitting])
  if (lead !== undefined) return [lead]
  const terms = optional.filter(clause => 'state' in clause)
  return minimum > 0 && terms.length === optional.length ? terms : NO_TERMS
}

const NO_TERMS: readonly LeafTerm[] = []
