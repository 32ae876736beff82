/** Suppliers of scorers in which terms stand for one another: synonyms and phrases with them. */
import type { MultiPhraseWeight, SpanPlan, SpanWeight, SynonymWeight } from '../weight/weight.ts'
import type { PositionPostings } from './freq-postings.ts'
import { freqScoring } from './freq-scoring.ts'
import { ExactPhraseMatcher, PhraseScorer, SloppyPhraseMatcher } from './phrase-scorer.ts'
import type { ScorerSupplier } from './scorer.ts'
import { constantScorer, openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import { GapSpans, NearSpans, OrSpans, SpanMatcher, type Spans, TermSpans } from './span-matcher.ts'
import { TermScorer } from './term-scorer.ts'
import { UnionPostings } from './union-postings.ts'

/** Postings of those terms that the leaf has; null when it has none of them. */
interface Alternatives {
  readonly cost: number
  open(): PositionPostings
}

function alternatives(
  field: string,
  termIds: readonly number[],
  context: ScorerContext,
): Alternatives | null {
  const states = termIds.flatMap(termId => context.states.terms[termId] ?? [])
  if (states.length === 0) return null
  return {
    cost: states.reduce((sum, state) => sum + state.docFreq, 0),
    open: () => {
      const postings = states.map(state => openPostings(field, state, context))
      return postings.length === 1 ? postings[0]! : new UnionPostings(postings)
    },
  }
}

export function synonymSupplier(
  node: SynonymWeight,
  context: ScorerContext,
): ScorerSupplier | null {
  const terms = alternatives(node.field, node.termIds, context)
  if (terms === null) return null
  return supplier(terms.cost, () => {
    const postings = terms.open()
    if (!node.scored) return constantScorer(context, 0, postings)
    const scorer = new TermScorer(postings, freqScoring(node, context), context.watch)
    context.skippers.push(scorer.skipper)
    return scorer
  })
}

export function multiPhraseSupplier(
  node: MultiPhraseWeight,
  context: ScorerContext,
): ScorerSupplier | null {
  const places: Alternatives[] = []
  for (const termIds of node.termIds) {
    const place = alternatives(node.field, termIds, context)
    if (place === null) return null
    places.push(place)
  }
  return supplier(Math.min(...places.map(place => place.cost)), () => {
    const postings = places.map(place => place.open())
    const isSloppy = node.slop > 0
    const matcher = isSloppy
      ? new SloppyPhraseMatcher(postings, node.positions, repeatsOf(node.termIds), node.slop)
      : new ExactPhraseMatcher(postings, node.positions)
    const scoring = freqScoring(node, context)
    const scorer = new PhraseScorer(postings, matcher, isSloppy, scoring, context.watch)
    context.skippers.push(scorer.skipper)
    return scorer
  })
}

/** Equal numbers for places that share a term, directly or by way of others. */
function repeatsOf(termIds: readonly (readonly number[])[]): number[] {
  const groups = termIds.map((_, i) => i)
  const firstOf = new Map<number, number>()
  for (const [i, ids] of termIds.entries())
    for (const termId of ids) {
      const other = firstOf.get(termId)
      if (other === undefined) {
        firstOf.set(termId, i)
        continue
      }
      const from = groups[i]
      const to = groups[other]!
      for (const [k, group] of groups.entries()) if (group === from) groups[k] = to
    }
  return groups
}

export function spanSupplier(node: SpanWeight, context: ScorerContext): ScorerSupplier | null {
  const { field } = node
  const needs = (span: SpanPlan): SpanPlan | null => withTerms(span, context)
  const span = needs(node.span)
  if (span === null) return null
  // What must all be in a document: each span of a near one, by any of its terms.
  const parts = span.kind === 'near' ? span.spans.filter(each => each.kind !== 'gap') : [span]
  const costs = parts.map(part => costOf(part, context))
  return supplier(Math.min(...costs), () => {
    const all: PositionPostings[] = []
    const made = new Map<SpanPlan, Spans>()
    const conditions = parts.map(part => {
      const own: PositionPostings[] = []
      made.set(part, spansOf(part, field, own, context))
      all.push(...own)
      return own.length === 1 ? own[0]! : new UnionPostings(own)
    })
    const root =
      span.kind === 'near'
        ? new NearSpans(
            span.spans.map(each => made.get(each) ?? spansOf(each, field, all, context)),
          )
        : made.get(span)!
    const lead = conditions[0]!
    const matcher = new SpanMatcher(root, all, () => lead.docId())
    const scorer = new PhraseScorer(
      conditions,
      matcher,
      true,
      freqScoring(node, context),
      context.watch,
    )
    context.skippers.push(scorer.skipper)
    return scorer
  })
}

/** The span without alternatives that the leaf has no terms of; null when nothing is left. */
function withTerms(span: SpanPlan, context: ScorerContext): SpanPlan | null {
  switch (span.kind) {
    case 'term':
      return (context.states.terms[span.termId] ?? null) === null ? null : span
    case 'gap':
      return span
    case 'or': {
      const spans = span.spans.flatMap(each => withTerms(each, context) ?? [])
      if (spans.length === 0) return null
      return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
    }
    case 'near': {
      const spans = span.spans.flatMap(each => withTerms(each, context) ?? [])
      return spans.length < span.spans.length ? null : { kind: 'near', spans }
    }
  }
}

function costOf(span: SpanPlan, context: ScorerContext): number {
  if (span.kind === 'term') return context.states.terms[span.termId]?.docFreq ?? 0
  if (span.kind === 'gap') return 0
  return span.spans.reduce((sum, each) => sum + costOf(each, context), 0)
}

/** @param opened receives the postings of the span's terms */
function spansOf(
  span: SpanPlan,
  field: string,
  opened: PositionPostings[],
  context: ScorerContext,
): Spans {
  switch (span.kind) {
    case 'term': {
      const postings = openPostings(field, context.states.terms[span.termId]!, context)
      opened.push(postings)
      return new TermSpans(postings)
    }
    case 'gap':
      return new GapSpans(span.width)
    case 'or':
      return new OrSpans(span.spans.map(each => spansOf(each, field, opened, context)))
    case 'near':
      return new NearSpans(span.spans.map(each => spansOf(each, field, opened, context)))
  }
}
