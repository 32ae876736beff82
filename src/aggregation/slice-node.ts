import type { Leaf } from '../segment/leaf.ts'
import type { NodePartial, ReducedChild, SliceReducer } from './aggregation-type.ts'
import { typeOf } from './aggregation-types.ts'
import type { ReadyNode } from './ready-node.ts'

/** A node while the slices of a shard are merged, with the nodes below it. */
export class SliceNode implements ReducedChild {
  readonly name: string
  readonly children: readonly SliceNode[]
  readonly #own: SliceReducer
  /** Slices that were surveyed and wait for being added. */
  #waiting: (readonly [partial: NodePartial, owners: Int32Array])[] = []

  constructor({ plan, ready, children }: ReadyNode, leaves: readonly Leaf[]) {
    this.name = plan.name
    this.children = children.map(child => new SliceNode(child, leaves))
    this.#own = typeOf(plan).sliceReducer(plan, ready, leaves, this.children)
  }

  /** Adds a slice. @param owners the owning bucket here by owning bucket there */
  add(partial: NodePartial, owners: Int32Array): void {
    if (partial.own === null) return
    if (this.#own.survey === undefined) this.#merge(partial, owners)
    else {
      this.#own.survey(partial.own, owners)
      this.#waiting.push([partial, owners])
    }
  }

  #merge(partial: NodePartial, owners: Int32Array): void {
    const buckets = this.#own.add(partial.own, owners)
    for (const [i, child] of this.children.entries()) child.add(partial.children[i]!, buckets)
  }

  /** The shard's columns for owning buckets that stay, in their new order. */
  close(owners: Int32Array): NodePartial {
    const waiting = this.#waiting
    this.#waiting = []
    for (const each of waiting) this.#merge(...each)
    const { own, buckets } = this.#own.close(owners)
    return { own, children: this.children.map(child => child.close(buckets)) }
  }

  value(owner: number, metric: string | null): number {
    return this.#own.value(owner, metric)
  }

  get isLate(): boolean {
    return this.#own.isLate === true
  }

  bucketOf(owner: number): number {
    return this.#own.bucketOf(owner)
  }
}
