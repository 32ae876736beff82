import type { IntervalPlan } from '../weight/interval-plan.ts'
import { foundTerms } from './found-terms.ts'
import type { IntervalSource, PositionIntervalsQuery, Query } from './query.ts'
import type { QueryType, WeightBuilder } from './query-type.ts'

/** Documents with a minimal interval of positions. */
export const positionIntervalsQuery: QueryType<PositionIntervalsQuery> = {
  className: () => 'IntervalQuery',
  text: ({ field, source }) => `${field}:${sourceText(source)}`,
  clauseCount: ({ source }) => countSources(source),
  mapInner(query, change) {
    const source = mapped(query.source, change)
    return source === query.source ? query : { ...query, source }
  },
  visitTerms: ({ field, source }, visitor) => visitor.intervals(field, source),
  createWeight({ field, source }, builder, id, boost, scored) {
    const plan = planOf(source, field, builder) ?? { kind: 'or', sources: [] }
    const minWidth = widthOf(plan)
    return { kind: 'positionIntervals', id, source: plan, minWidth, weight: boost, scored }
  },
}

/** The source with its terms looked up; null: it has no intervals. */
function planOf(
  source: IntervalSource,
  field: string,
  builder: WeightBuilder,
): IntervalPlan | null {
  const plan = (inner: IntervalSource): IntervalPlan | null => planOf(inner, field, builder)
  switch (source.kind) {
    case 'none':
      return null
    case 'term':
      return planTerm(field, source.term, builder)
    case 'multi': {
      const terms = foundTerms(source.query) ?? []
      return anyOf(terms.map(each => planTerm(each.field, each.term, builder)))
    }
    case 'or': {
      if (source.sources.length === 1) return plan(source.sources[0]!)
      // One that is left stays an alternative: extended intervals may contain each other, and only
      // the minimal ones of alternatives count, whatever the others find.
      const sources = source.sources.flatMap(each => plan(each) ?? [])
      return sources.length === 0 ? null : { kind: 'or', sources }
    }
    case 'block':
    case 'ordered':
    case 'unordered': {
      const sources = source.sources.flatMap(each => plan(each) ?? [])
      return sources.length < source.sources.length ? null : { kind: source.kind, sources }
    }
    case 'repeated':
    case 'maxGaps':
    case 'extend':
    case 'beside': {
      const inner = plan(source.source)
      return inner === null ? null : { ...source, source: inner }
    }
    case 'script': {
      const inner = plan(source.source)
      builder.useScript(source.script)
      return inner === null ? null : { ...source, source: inner }
    }
    case 'related': {
      const inner = plan(source.source)
      const other = plan(source.other)
      if (inner !== null && other !== null) return { ...source, source: inner, other }
      return isNegative(source.relation) ? inner : null
    }
    case 'fixed':
      return planOf(source.source, source.field, builder)
  }
}

function isNegative(relation: string): boolean {
  return relation.startsWith('not')
}

function anyOf(sources: readonly IntervalPlan[]): IntervalPlan | null {
  return sources.length < 2 ? (sources[0] ?? null) : { kind: 'or', sources }
}

function planTerm(field: string, term: string, builder: WeightBuilder): IntervalPlan {
  const { terms } = builder
  const termId = terms.termId(field, term)
  terms.use(field, 'postings')
  terms.use(field, 'positions')
  builder.cost += 2 * terms.docFreqOf(termId)
  builder.openPostings++
  return { kind: 'term', field, termId }
}

/** The least width of an interval. */
function widthOf(plan: IntervalPlan): number {
  const widths = (plans: readonly IntervalPlan[]): number[] => plans.map(widthOf)
  switch (plan.kind) {
    case 'term':
    case 'beside':
      return 1
    case 'or':
      return plan.sources.length === 0 ? 1 : Math.min(...widths(plan.sources))
    case 'block':
    case 'ordered':
    case 'unordered':
      return widths(plan.sources).reduce((sum, width) => sum + width, 0)
    // Lucene takes one of them.
    case 'repeated':
    case 'maxGaps':
    case 'related':
    case 'script':
      return widthOf(plan.source)
    case 'extend':
      return Math.min(2147483647, widthOf(plan.source) + plan.before + plan.after)
  }
}

function mapped(source: IntervalSource, change: (inner: Query) => Query): IntervalSource {
  switch (source.kind) {
    case 'none':
    case 'term':
      return source
    case 'multi': {
      const query = change(source.query)
      return query === source.query ? source : { ...source, query }
    }
    case 'or':
    case 'block':
    case 'ordered':
    case 'unordered': {
      const sources = source.sources.map(each => mapped(each, change))
      const isSame = sources.every((each, i) => each === source.sources[i])
      return isSame ? source : { ...source, sources }
    }
    case 'repeated':
    case 'maxGaps':
    case 'extend':
    case 'beside':
    case 'script':
    case 'fixed': {
      const inner = mapped(source.source, change)
      return inner === source.source ? source : { ...source, source: inner }
    }
    case 'related': {
      const inner = mapped(source.source, change)
      const other = mapped(source.other, change)
      const isSame = inner === source.source && other === source.other
      return isSame ? source : { ...source, source: inner, other }
    }
  }
}

function countSources(source: IntervalSource): number {
  switch (source.kind) {
    case 'none':
    case 'term':
    case 'multi':
      return 1
    case 'or':
    case 'block':
    case 'ordered':
    case 'unordered':
      return source.sources.reduce((sum, inner) => sum + countSources(inner), 0)
    case 'repeated':
    case 'maxGaps':
    case 'extend':
    case 'beside':
    case 'script':
    case 'fixed':
      return countSources(source.source)
    case 'related':
      return countSources(source.source) + countSources(source.other)
  }
}

const RELATION_NAMES = {
  containing: 'CONTAINING',
  containedBy: 'CONTAINED_BY',
  overlapping: 'OVERLAPPING',
  notContaining: 'NOT_CONTAINING',
  notContainedBy: 'NOT_CONTAINED_BY',
  notOverlapping: 'NON_OVERLAPPING',
} as const

function sourceText(source: IntervalSource): string {
  switch (source.kind) {
    case 'none':
      return 'no_match'
    case 'term':
      return source.term
    case 'multi':
      return `MultiTerm(${source.label})`
    case 'or':
      return `or(${source.sources.map(sourceText).join(',')})`
    case 'block':
    case 'ordered':
    case 'unordered':
      return `${source.kind.toUpperCase()}(${source.sources.map(sourceText).join(',')})`
    case 'repeated':
      return Array.from({ length: source.count }, () => sourceText(source.source)).join(',')
    case 'maxGaps':
      return `MAXGAPS/${source.gaps}(${sourceText(source.source)})`
    case 'extend':
      return `EXTEND(${sourceText(source.source)},${source.before},${source.after})`
    case 'beside':
      return source.side === 'before'
        ? `PRECEDING(${sourceText(source.source)})`
        : `FOLLOWING(${sourceText(source.source)})`
    case 'related':
      return `${RELATION_NAMES[source.relation]}(${sourceText(source.source)},${sourceText(source.other)})`
    case 'script':
      return `FILTER(${source.script.name ?? source.script.source})(${sourceText(source.source)})`
    case 'fixed':
      return `FIELD(${source.field},${sourceText(source.source)})`
  }
}
