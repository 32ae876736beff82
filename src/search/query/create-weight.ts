/**
 * Makes the weight of a rewritten query over one shard: statistics over all its leaves, the terms
 * of multi-term clauses, and every term's state in every leaf. Runs once per shard and search, on
 * the thread that holds the dictionaries; the result is plain data.
 *
 * Statistics count deleted documents until they are merged away, as in Lucene.
 */
import type { Leaf } from '../../segment/leaf.ts'
import { nowInNanos } from '../../util/clock.ts'
import { MAX_OPEN_TERMS } from '../script/asked-terms.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import type { GivenCounts, TermCounts } from '../similarity/scored-terms.ts'
import { countedTerms } from '../weight/counted-terms.ts'
import { scriptSections } from '../weight/script-sections.ts'
import { ShardTerms } from '../weight/shard-terms.ts'
import type { DefinedSimilarity, Similarity } from '../weight/similarity.ts'
import type { TermStatistics } from '../weight/term-statistics.ts'
import type { Weight } from '../weight/weight.ts'
import type { WeightNode } from '../weight/weight-node.ts'
import type { FieldSimilarities, Query } from './query.ts'
import { classNameOf, queryText } from './query-ops.ts'
import type { WeightBuilder } from './query-type.ts'
import { typeOf } from './query-types.ts'

/**
 * @param query  rewritten
 * @param leaves of the shard's snapshot; dictionaries are loaded as they are read
 * @param needsScores false when no score will be read
 * @param describes false when no profile will print the nodes: `nodes` then stays empty
 * @param shared    statistics in place of the shard's own; null: none
 */
export function createWeight(
  query: Query,
  leaves: readonly Leaf[],
  needsScores: boolean,
  describes = true,
  shared: TermStatistics | null = null,
): Weight {
  return new Builder(leaves, describes, shared).build(query, needsScores)
}

/** The shard's statistics of the terms and fields of a query, rewritten, that reads scores. */
export function termStatistics(query: Query, leaves: readonly Leaf[]): TermStatistics {
  const builder = new Builder(leaves, false, null)
  builder.build(query, true)
  return builder.terms.statistics()
}

/** Mutable while it is built. */
interface NodeInfo {
  readonly type: string
  readonly description: string
  readonly parent: number
  readonly createStart: number
  createTime: number
}

class Builder implements WeightBuilder {
  readonly leaves: readonly Leaf[]
  readonly terms: ShardTerms
  cost = 0
  openPostings = 0
  hasScripts = false
  similarities: FieldSimilarities = []
  readonly #describes: boolean
  readonly #nodes: NodeInfo[] = []
  #nodeCount = 0

  constructor(leaves: readonly Leaf[], describes: boolean, shared: TermStatistics | null) {
    this.leaves = leaves
    this.#describes = describes
    this.terms = new ShardTerms(leaves, shared)
  }

  build(query: Query, needsScores: boolean): Weight {
    const root = this.child(query, 1, needsScores, -1)
    return {
      root,
      nodes: this.#nodes,
      leaves: this.terms.states,
      sections: this.terms.uses,
      openPostings: this.openPostings,
      cost: this.cost,
      hasScripts: this.hasScripts,
    }
  }

  /** Makes one node and its children; the recorded time covers both. */
  child(query: Query, boost: number, scored: boolean, parentId: number): WeightNode {
    const id = this.#nodeCount++
    if (!this.#describes) return this.createAs(id, query, boost, scored)
    const info: NodeInfo = {
      type: classNameOf(query),
      description: queryText(query),
      parent: parentId,
      createStart: nowInNanos(),
      createTime: 0,
    }
    this.#nodes.push(info)
    const node = this.createAs(id, query, boost, scored)
    info.createTime = Math.max(1, nowInNanos() - info.createStart)
    return node
  }

  bind(
    field: string,
    termIds: readonly number[],
    boost: number,
    given: GivenCounts | null = null,
  ): Similarity | null {
    const similarity = this.#similarityOf(field)
    if (similarity === null || similarity.kind === 'bm25') return similarity
    const counts =
      given === null ? this.terms.countsOf(termIds) : [this.terms.givenCounts(termIds[0]!, given)]
    return this.#bound(similarity, field, boost, counts)
  }

  bindAsOne(field: string, termIds: readonly number[], boost: number): Similarity | null {
    const similarity = this.#similarityOf(field)
    if (similarity === null || similarity.kind === 'bm25') return similarity
    const counts = this.terms.countsOf(termIds)
    const one = {
      docFreq: counts.reduce((most, { docFreq }) => Math.max(most, docFreq), 0),
      totalTermFreq: counts.reduce((sum, { totalTermFreq }) => sum + totalTermFreq, 0),
    }
    return this.#bound(similarity, field, boost, counts.length === 0 ? [] : [one])
  }

  #similarityOf(field: string): DefinedSimilarity | null {
    // Few queries have any, and those few.
    if (this.similarities.length === 0) return null
    return this.similarities.find(([name]) => name === field)?.[1] ?? null
  }

  #bound(
    similarity: Exclude<DefinedSimilarity, { readonly kind: 'bm25' }>,
    field: string,
    boost: number,
    counts: readonly TermCounts[],
  ): Similarity {
    const terms = { boost, field: this.terms.fieldCounts(field), terms: counts }
    if (similarity.kind === 'model') return { ...similarity, terms }
    const { script, weightScript } = similarity
    return {
      kind: 'scripted',
      script: this.useScript(script),
      weightScript: weightScript === null ? null : this.useScript(weightScript),
      terms,
    }
  }

  createAs(id: number, query: Query, boost: number, scored: boolean): WeightNode {
    return typeOf(query).createWeight(query, this, id, boost, scored)
  }

  useScript(script: ScriptPlan): ScriptPlan {
    this.hasScripts = true
    this.terms.useSections(scriptSections(script))
    const { terms } = script
    if (terms === null) return script
    this.openPostings += MAX_OPEN_TERMS
    return { ...script, terms: countedTerms(terms, this.leaves) }
  }
}
