/** The weight of queries for many terms: ranges of ords, found in each leaf's dictionary. */
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { appended } from '../../util/lists.ts'
import { keyBytes } from '../weight/key-text.ts'
import type { ShardTerms } from '../weight/shard-terms.ts'
import { countPostings, ordsOf } from '../weight/term-walk.ts'
import type { Expansion } from '../weight/weight.ts'
import type { MultiTermWeight, TermRun } from '../weight/weight-node.ts'
import { matchingRanges } from './dictionary-matches.ts'
import type { TermAutomaton } from './matching-terms.ts'
import type { WeightBuilder } from './query-type.ts'

/** Ranges with more terms in a leaf are not listed; the search thread walks the dictionary. */
const MAX_LISTED_TERMS = 16

const NO_RANGES = new Int32Array(0)
const NOT_FOUND: Expansion = { states: [], ranges: NO_RANGES, postings: 0 }

/** Terms of a leaf. */
interface LeafTerms {
  /** Pairs of ords, from and to, ascending and disjoint. */
  readonly ranges: Int32Array
  /** Sum of their document frequencies; null: not known. */
  readonly postings: number | null
}

/** Many terms, whichever of them a leaf has. */
interface ManyTerms {
  /** Tells them from all others of the field. */
  readonly key: string
  in(leaf: Leaf, field: string): LeafTerms
}

/**
 * The terms of some ranges of byte order.
 * @param runs ascending and disjoint
 */
export function termsOfRuns(runs: readonly TermRun[]): ManyTerms {
  return {
    get key() {
      return runs.map(runKey).join('')
    },
    in(leaf, field) {
      const terms = leaf.terms(field)!
      return { ranges: Int32Array.from(runs.flatMap(run => ordsOf(terms, run))), postings: null }
    },
  }
}

/** The terms that an automaton accepts, which is of the key. */
export function acceptedTerms(key: string, automaton: TermAutomaton): ManyTerms {
  return { key, in: (leaf, field) => matchingRanges(leaf, field, automaton) }
}

/** Documents with any of many terms; constant score. */
export function multiTermWeight(
  builder: WeightBuilder,
  field: string,
  id: number,
  score: number,
  many: ManyTerms,
): MultiTermWeight {
  const { leaves, terms } = builder
  const expansionId = terms.states[0]?.expansions.length ?? 0
  builder.openPostings++
  terms.use(field, 'terms')
  for (let i = 0; i < leaves.length; i++) {
    const states = terms.states[i]!
    const expansion = expand(leaves[i]!, field, many, terms)
    states.expansions = appended(states.expansions, expansion)
    builder.cost += expansion.postings
  }
  return { kind: 'multiTerm', id, field, score, expansionId, key: many.key }
}

function expand(leaf: Leaf, field: string, many: ManyTerms, shardTerms: ShardTerms): Expansion {
  const info = leaf.fieldInfo(field)
  const terms = leaf.terms(field)
  if (info === null || terms === null) return NOT_FOUND
  const { ranges, postings } = many.in(leaf, field)
  if (info.indexOptions === 'none') {
    shardTerms.use(field, 'ordinals')
    return { states: null, ranges, postings: info.docCount }
  }
  shardTerms.use(field, 'postings')
  let count = 0
  for (let i = 0; i < ranges.length; i += 2) count += ranges[i + 1]! - ranges[i]!
  if (count > MAX_LISTED_TERMS)
    return { states: null, ranges, postings: postings ?? countPostings(leaf, field, ranges) }
  const iterator = terms.iterator()
  const states: TermState[] = []
  let listed = 0
  for (let i = 0; i < ranges.length; i += 2)
    for (let ord = ranges[i]!; ord < ranges[i + 1]!; ord++) {
      iterator.seekOrd(ord)
      states.push(iterator.state())
      listed += iterator.docFreq
    }
  return { states, ranges: NO_RANGES, postings: listed }
}

function runKey({ lower, upper }: TermRun): string {
  return `${keyBytes(lower)}${upper === null ? '-' : keyBytes(upper)}`
}
