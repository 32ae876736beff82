/** The weight of queries on addresses, and the text of an address as doc values hold it. */
import type { TermPointWeight, TermRun } from '../weight/weight-node.ts'
import type { WeightBuilder } from './query-type.ts'

/** @param runs ascending and disjoint */
export function addressWeight(
  builder: WeightBuilder,
  field: { readonly field: string; readonly indexed: boolean; readonly docValues: boolean },
  id: number,
  score: number,
  runs: readonly TermRun[],
): TermPointWeight {
  const { leaves, terms } = builder
  const { field: name, indexed, docValues } = field
  terms.use(name, 'terms')
  if (indexed) terms.use(name, 'points')
  if (docValues) terms.use(name, 'ordinals')
  for (const leaf of leaves) builder.cost += leaf.fieldInfo(name)?.docCount ?? 0
  return { kind: 'termPoint', id, field: name, score, runs, indexed, docValues }
}

/** The bytes of an address as Lucene prints bytes that are no text. */
export function storedText(address: Uint8Array): string {
  return `[${Array.from(address, byte => byte.toString(16)).join(' ')}]`
}
