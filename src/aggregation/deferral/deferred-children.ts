/** Which parts of a tree are collected when: with their parent, or in a second pass. */
import type { Aggregation } from '../aggregation.ts'
import { typeOf } from '../aggregation-types.ts'
import { scriptsOf } from '../plan-sources.ts'

/** The children that a second pass collects; null: the node needs none. */
export function deferredOf(node: Aggregation): readonly Aggregation[] | null {
  return (typeOf(node).deferred?.(node) ?? null) as readonly Aggregation[] | null
}

/** The children that see all documents of their parent. */
export function collectedWith(node: Aggregation): readonly Aggregation[] {
  const deferred = deferredOf(node)
  const children = node.children as readonly Aggregation[]
  return deferred === null ? children : children.filter(child => !deferred.includes(child))
}

/** Whether a node, or one that is collected with it, reads the scores of documents. */
export function readsScores(node: Aggregation): boolean {
  return (
    typeOf(node).readsScores(node) ||
    scriptsOf(node).some(script => script.readsScore) ||
    collectedWith(node).some(readsScores)
  )
}
