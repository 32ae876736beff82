/** Numbers in order, with how many values each stands for. */
export interface WeightedPoints {
  /** Sums of the values of each, ascending by mean. */
  readonly sums: Float64Array
  readonly counts: Float64Array
}

/**
 * Merges the two neighbours whose means are nearest, the lower ones of equally near ones, until no more than
 * a number are left.
 * @returns index of the first point of each cluster, ascending
 */
export function nearestClusters({ sums, counts }: WeightedPoints, size: number): Int32Array {
  const points = new Chain(sums, counts)
  for (let left = sums.length - size; left > 0; left--) points.mergeNearest()
  return points.heads()
}

/** Clusters in order, and a heap of the distances between neighbours. */
class Chain {
  readonly #sums: Float64Array
  readonly #counts: Float64Array
  /** The cluster behind each; its own index: there is none. */
  readonly #next: Int32Array
  readonly #previous: Int32Array
  /** Of a cluster to the one behind it. */
  readonly #distances: Float64Array
  readonly #isMerged: Uint8Array
  /** Clusters by distance; `#places` has where each stands, −1: nowhere. */
  readonly #heap: Int32Array
  readonly #places: Int32Array
  #size: number

  constructor(sums: Float64Array, counts: Float64Array) {
    const { length } = sums
    this.#sums = sums.slice()
    this.#counts = counts.slice()
    this.#next = Int32Array.from({ length }, (_, i) => Math.min(i + 1, length - 1))
    this.#previous = Int32Array.from({ length }, (_, i) => i - 1)
    this.#distances = new Float64Array(length)
    this.#isMerged = new Uint8Array(length)
    this.#size = Math.max(0, length - 1)
    this.#heap = Int32Array.from({ length: this.#size }, (_, i) => i)
    this.#places = Int32Array.from({ length }, (_, i) => (i < this.#size ? i : -1))
    for (let i = 0; i < this.#size; i++) this.#distances[i] = this.#distance(i)
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  heads(): Int32Array {
    const all = Int32Array.from({ length: this.#sums.length }, (_, i) => i)
    return all.filter(i => this.#isMerged[i] === 0)
  }

  mergeNearest(): void {
    const left = this.#heap[0]!
    const right = this.#next[left]!
    this.#remove(right)
    this.#isMerged[right] = 1
    this.#sums[left]! += this.#sums[right]!
    this.#counts[left]! += this.#counts[right]!
    const behind = this.#next[right]!
    if (behind === right) {
      this.#next[left] = left
      this.#remove(left)
    } else {
      this.#next[left] = behind
      this.#previous[behind] = left
      this.#update(left)
    }
    const ahead = this.#previous[left]!
    if (ahead >= 0) this.#update(ahead)
  }

  #distance(cluster: number): number {
    const next = this.#next[cluster]!
    return this.#sums[next]! / this.#counts[next]! - this.#sums[cluster]! / this.#counts[cluster]!
  }

  #update(cluster: number): void {
    this.#distances[cluster] = this.#distance(cluster)
    const at = this.#places[cluster]!
    this.#rise(at)
    this.#sink(this.#places[cluster]!)
  }

  #remove(cluster: number): void {
    const at = this.#places[cluster]!
    if (at < 0) return
    this.#places[cluster] = -1
    const last = this.#heap[--this.#size]!
    if (at === this.#size) return
    this.#put(last, at)
    this.#rise(at)
    this.#sink(this.#places[last]!)
  }

  #put(cluster: number, at: number): void {
    this.#heap[at] = cluster
    this.#places[cluster] = at
  }

  #isBefore(a: number, b: number): boolean {
    const left = this.#distances[a]!
    const right = this.#distances[b]!
    return left < right || (left === right && a < b)
  }

  #rise(from: number): void {
    const moved = this.#heap[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (!this.#isBefore(moved, this.#heap[parent]!)) break
      this.#put(this.#heap[parent]!, at)
      at = parent
    }
    this.#put(moved, at)
  }

  #sink(from: number): void {
    const moved = this.#heap[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#isBefore(this.#heap[child + 1]!, this.#heap[child]!))
        child++
      if (!this.#isBefore(this.#heap[child]!, moved)) break
      this.#put(this.#heap[child]!, at)
      at = child
    }
    this.#put(moved, at)
  }
}
