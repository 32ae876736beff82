/** Vectors that are drawn, the same for a seed. */
import { Random } from '../../dist/util/random.js'

/** Vectors of a bench. */
export interface VectorSet {
  readonly count: number
  readonly dimension: number
  /** Numbers behind the components of each vector, which they are sums of; 0: around centres instead. */
  readonly latent: number
}

/**
 * Draws queries and vectors of one kind.
 * @returns so many queries, and the vectors of the set
 */
export function drawVectors(
  { count, dimension, latent }: VectorSet,
  seed: number,
  queries: number,
): [Float32Array[], Float32Array[]] {
  const random = new Random(seed + dimension)
  const gaussian = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  const list = (length: number): Float32Array => Float32Array.from({ length }, gaussian)
  const basis = Array.from({ length: latent || count / 200 }, () => list(dimension))
  const all = Array.from({ length: count + queries }, () => {
    if (latent === 0) {
      const centre = basis[random.below(basis.length)]!
      return centre.map(value => value + 0.6 * gaussian())
    }
    const vector = new Float32Array(dimension)
    for (const direction of basis) {
      const factor = gaussian()
      for (let i = 0; i < dimension; i++) vector[i] = vector[i]! + factor * direction[i]!
    }
    return vector
  })
  return [all.slice(0, queries), all.slice(queries)]
}
