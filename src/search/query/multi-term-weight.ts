/** The weight of multi-term queries: ranges of the dictionary, looked up in each leaf. */
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { appended } from '../../util/lists.ts'
import type { ShardTerms } from '../weight/shard-terms.ts'
import { countPostings, ordsOf } from '../weight/term-walk.ts'
import type { Expansion, MultiTermWeight, TermRun } from '../weight/weight.ts'
import type { WeightBuilder } from './query-type.ts'

/** Ranges with more terms in a leaf are not listed; the search thread walks the dictionary. */
const MAX_LISTED_TERMS = 16

const NOT_FOUND: Expansion = { states: [], postings: 0 }

/** @param runs ascending and disjoint */
export function multiTermWeight(
  builder: WeightBuilder,
  field: string,
  id: number,
  score: number,
  runs: readonly TermRun[],
): MultiTermWeight {
  const { leaves, terms } = builder
  const expansionId = terms.states[0]?.expansions.length ?? 0
  builder.openPostings++
  terms.use(field, 'terms')
  for (let i = 0; i < leaves.length; i++) {
    const states = terms.states[i]!
    const expansion = expand(leaves[i]!, field, runs, terms)
    states.expansions = appended(states.expansions, expansion)
    builder.cost += expansion.postings
  }
  return { kind: 'multiTerm', id, field, score, expansionId, runs }
}

function expand(
  leaf: Leaf,
  field: string,
  runs: readonly TermRun[],
  shardTerms: ShardTerms,
): Expansion {
  const info = leaf.fieldInfo(field)
  const terms = leaf.terms(field)
  if (info === null || terms === null) return NOT_FOUND
  if (info.indexOptions === 'none') {
    shardTerms.use(field, 'ordinals')
    return { states: null, postings: info.docCount }
  }
  shardTerms.use(field, 'postings')
  const ranges = runs.map(run => ordsOf(terms, run))
  const count = ranges.reduce((sum, [from, to]) => sum + to - from, 0)
  let postings = 0
  if (count > MAX_LISTED_TERMS) {
    for (const [from, to] of ranges) postings += countPostings(leaf, field, from, to)
    return { states: null, postings }
  }
  const iterator = terms.iterator()
  const states: TermState[] = []
  for (const [from, to] of ranges)
    for (let ord = from; ord < to; ord++) {
      iterator.seekOrd(ord)
      const state = iterator.state()
      states.push(state)
      postings += state.docFreq
    }
  return { states, postings }
}
