/** Sources of intervals put together: alternatives of several lengths are told apart first. */
import type { IntervalSource } from '../../../search/query/query.ts'
import type { IntervalRelation } from '../../../search/scorer/interval/related-intervals.ts'
import { EngineError } from '../../../util/errors.ts'

/** How the parts of an interval follow one another. */
export type IntervalMode = 'ordered' | 'unordered' | 'unordered_no_overlap'

/** No interval. */
export const NO_INTERVALS: IntervalSource = { kind: 'none' }

/** Puts sources together; of alternatives there may be so many. */
export class IntervalCombiner {
  readonly #max: number

  /** @param max alternatives of one source */
  constructor(max: number) {
    this.#max = max
  }

  /** Any of several; one alone stands for itself. */
  any(sources: readonly IntervalSource[]): IntervalSource {
    const flat = sources.flatMap(each => (each.kind === 'or' ? each.sources : [each]))
    return flat.length === 1 ? flat[0]! : { kind: 'or', sources: flat }
  }

  /**
   * All of several.
   * @param maxGaps positions between them that none covers; −1: any number
   */
  all(sources: readonly IntervalSource[], maxGaps: number, mode: IntervalMode): IntervalSource {
    const [first, ...others] = sources
    if (first === undefined) return NO_INTERVALS
    if (others.length === 0) return first
    if (maxGaps === 0 && mode === 'ordered')
      return this.any(this.#products(sources).map(each => ({ kind: 'block', sources: each })))
    let source: IntervalSource
    if (mode === 'unordered_no_overlap')
      source = others.reduce(
        (all, each) =>
          this.any([
            { kind: 'ordered', sources: [all, each] },
            { kind: 'ordered', sources: [each, all] },
          ]),
        first,
      )
    else source = inRow(mode, sources)
    if (maxGaps < 0) return source
    return this.any(
      this.#apart(source).map(each => ({ kind: 'maxGaps', source: each, gaps: maxGaps })),
    )
  }

  /** Those of a source that lie so to those of another. */
  related(
    source: IntervalSource,
    relation: IntervalRelation,
    other: IntervalSource,
  ): IntervalSource {
    // The one that may be wider is told apart.
    if (relation === 'containedBy' || relation === 'notContainedBy' || relation === 'overlapping')
      return this.any(
        this.#apart(other).map(each => ({ kind: 'related', relation, source, other: each })),
      )
    return this.any(
      this.#apart(source).map(each => ({ kind: 'related', relation, source: each, other })),
    )
  }

  /** The alternatives of a source, each of one shape. */
  #apart(source: IntervalSource): readonly IntervalSource[] {
    switch (source.kind) {
      case 'or':
        return source.sources
      case 'ordered':
      case 'unordered':
      case 'block': {
        const { kind } = source
        return this.#products(source.sources).map(sources => ({ kind, sources }))
      }
      case 'maxGaps':
      case 'extend':
        return this.#apart(source.source).map(each => ({ ...source, source: each }))
      case 'none':
      case 'term':
      case 'multi':
      case 'beside':
      case 'related':
      case 'script':
      case 'fixed':
      case 'repeated':
        return [source]
    }
  }

  /** Every choice of an alternative of each; single words are one alternative together. */
  #products(sources: readonly IntervalSource[]): readonly (readonly IntervalSource[])[] {
    let products: readonly (readonly IntervalSource[])[] = [[]]
    for (const source of sources) {
      const apart = this.#apart(source)
      const words = apart.filter(({ kind }) => kind === 'term' || kind === 'multi')
      const others = apart.filter(({ kind }) => kind !== 'term' && kind !== 'multi')
      const choices = words.length > 0 ? [this.any(words), ...others] : others
      if (products.length * choices.length > this.#max)
        throw new EngineError({
          type: 'too_many_clauses',
          reason: `maxClauseCount is set to ${this.#max}`,
        })
      products = products.flatMap(before => choices.map(choice => [...before, choice]))
    }
    return products
  }
}

/** Sources of one mode, those of the same mode among them taken apart; equal ones are several of one. */
function inRow(mode: 'ordered' | 'unordered', given: readonly IntervalSource[]): IntervalSource {
  const sources = given.flatMap(each => (each.kind === mode ? each.sources : [each]))
  const runs: { readonly key: string; readonly source: IntervalSource; count: number }[] = []
  for (const source of sources) {
    const key = JSON.stringify(source)
    // In order, only neighbours are several of one.
    const known = mode === 'ordered' ? runs.slice(-1) : runs
    const same = known.find(run => run.key === key)
    if (same === undefined) runs.push({ key, source, count: 1 })
    else same.count++
  }
  const parts = runs.map(
    ({ source, count }): IntervalSource =>
      count === 1 ? source : { kind: 'repeated', source, count },
  )
  return parts.length === 1 ? parts[0]! : { kind: mode, sources: parts }
}
