/** A model of how the lists of a hybrid query become one, as plainly as the contract has it. */
import type { HybridScoring, ScoreBound } from '../../src/engine/search/hybrid/hybrid-scoring.ts'

/** A hit of one list, in one shard. */
export interface PlainHit {
  readonly shard: number
  readonly doc: number
  readonly id: string
  readonly score: number
}

const f = Math.fround
const sum = (values: readonly number[]): number => values.reduce((all, value) => f(all + value), 0)

/**
 * Combines lists.
 * @param lists of each sub-query the hits of all shards, shard by shard, best first
 * @returns all documents of the lists, best first
 */
export function plainHybrid(
  lists: readonly (readonly PlainHit[])[],
  scoring: HybridScoring,
): readonly PlainHit[] {
  const documents = new Map<string, { hit: PlainHit; scores: number[] }>()
  for (const [i, list] of lists.entries()) {
    const scores =
      scoring.kind === 'rank' ? ranks(list, scoring.rankConstant) : scaled(list, i, scoring)
    for (const [at, hit] of list.entries()) {
      const key = `${hit.shard} ${hit.doc}`
      const known = documents.get(key) ?? { hit, scores: lists.map(() => 0) }
      known.scores[i] = scores[at]!
      documents.set(key, known)
    }
  }
  return [...documents.values()]
    .map(({ hit, scores }) => ({ ...hit, score: combined(scores, scoring) }))
    .sort((a, b) => b.score - a.score || a.shard - b.shard || a.doc - b.doc)
}

function ranks(list: readonly PlainHit[], constant: number): readonly number[] {
  const order = [...list].sort((a, b) => b.score - a.score || a.doc - b.doc || a.shard - b.shard)
  return list.map(hit => {
    const divisor = BigInt(constant + order.indexOf(hit) + 1)
    return f(Number((20_000_000_000n + divisor) / (2n * divisor)) / 1e10)
  })
}

function scaled(
  list: readonly PlainHit[],
  i: number,
  { technique, lowerBounds, upperBounds }: Exclude<HybridScoring, { kind: 'rank' }>,
): readonly number[] {
  const scores = list.map(({ score }) => score)
  const [min, max] = [Math.min(...scores), Math.max(...scores)]
  if (technique === 'l2') {
    const norm = f(Math.sqrt(sum(scores.map(score => f(score * score)))))
    return scores.map(score => (norm === 0 ? 0 : f(score / norm)))
  }
  if (technique === 'z_score') {
    const mean = f(sum(scores) / scores.length)
    const squares = scores.map(score => f(f(score - mean) * f(score - mean)))
    const deviation = f(Math.sqrt(f(sum(squares) / scores.length)))
    return scores.map(score => {
      if (score === mean) return max
      if (deviation === 0) return min
      return Math.max(f(f(score - mean) / deviation), 0) || f(0.001)
    })
  }
  return scores.map(score => minMax(score, min, max, lowerBounds?.[i], upperBounds?.[i]))
}

function minMax(
  score: number,
  min: number,
  max: number,
  lower?: ScoreBound,
  upper?: ScoreBound,
): number {
  if (min === max) return 1
  let [low, high] = [min, max]
  if (lower?.mode === 'apply' && max > lower.score && score > lower.score) low = lower.score
  if (lower?.mode === 'clip' && max >= lower.score) {
    low = lower.score
    if (score < low) return f(0.001)
  }
  if (upper?.mode === 'apply' && min < upper.score && score < upper.score) high = upper.score
  if (upper?.mode === 'clip' && min <= upper.score) high = upper.score
  // A bound below all scores leaves the highest of them in its place.
  if (upper?.mode === 'clip' && score > high) return 1
  return low === high ? 1 : f(f(score - low) / f(high - low)) || f(0.001)
}

function combined(scores: readonly number[], scoring: HybridScoring): number {
  const weights = scores.map((_, i) => f(scoring.weights?.[i] ?? 1))
  if (scoring.kind === 'rank') return sum(scores.map((score, i) => f(score * weights[i]!)))
  const { combination } = scoring
  const counts = scores
    .map((score, i) => ({ score, weight: weights[i]! }))
    .filter(({ score }) => (combination === 'arithmetic_mean' ? score >= 0 : score > 0))
  const total = sum(counts.map(({ weight }) => weight))
  if (combination === 'arithmetic_mean')
    return total === 0 ? 0 : f(sum(counts.map(({ score, weight }) => f(score * weight))) / total)
  if (combination === 'harmonic_mean') {
    const inverses = sum(counts.map(({ score, weight }) => f(weight / score)))
    return inverses > 0 ? f(total / inverses) : 0
  }
  const logarithms = counts.reduce((all, { score, weight }) => f(all + weight * Math.log(score)), 0)
  return total === 0 ? 0 : f(Math.exp(f(logarithms / total)))
}
