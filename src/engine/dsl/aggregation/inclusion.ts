/** `include` and `exclude` of buckets, as they were written. */
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readInteger, readText } from '../json-scalars.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'

/** Values that a request lists, or a pattern of them. */
export type GivenSet =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: string }

/** Which values have buckets. */
export interface Inclusion {
  readonly include: GivenSet | null
  readonly exclude: GivenSet | null
  readonly partition: { readonly index: number; readonly count: number } | null
}

/** How errors name the kinds of sets. */
const METHODS: Readonly<Record<GivenSet['kind'], string>> = { texts: 'set', pattern: 'regex' }

/** All values have. */
export const NO_INCLUSION: Inclusion = { include: null, exclude: null, partition: null }

/** Reads `include`: a pattern, a list, or a partition. */
export function readInclude(node: JsonNode): Partial<Inclusion> {
  return node.kind === 'object' ? { partition: readPartition(node) } : { include: readSet(node) }
}

/** Reads `exclude`: a pattern or a list. */
export function readExclude(node: JsonNode): GivenSet {
  return readSet(node)
}

/**
 * @throws {IllegalArgumentError} values are taken by a partition, and left out beside it; or a list stands beside a
 * pattern
 */
export function checkInclusion({ include, partition, exclude }: Inclusion): void {
  if (partition !== null && exclude !== null)
    throw new IllegalArgumentError(
      'Cannot specify any excludes when using a partition-based include',
    )
  if (include !== null && exclude !== null && include.kind !== exclude.kind)
    throw new IllegalArgumentError(
      `Cannot mix a ${METHODS[include.kind]}-based include with a ${METHODS[exclude.kind]}-based method`,
    )
}

function readSet(node: JsonNode): GivenSet {
  if (node.kind === 'string') return { kind: 'pattern', pattern: node.value }
  if (node.kind === 'array') return { kind: 'texts', texts: node.items.map(readText) }
  throw parsingError(node, `Unrecognized token [${tokenName(node.kind)}] in include or exclude`)
}

function readPartition(node: Extract<JsonNode, { kind: 'object' }>): Inclusion['partition'] {
  let index: number | null = null
  let count: number | null = null
  for (const entry of node.entries) {
    if (entry.key === 'partition') index = readInteger(entry.value)
    else if (entry.key === 'num_partitions') count = readInteger(entry.value)
    else throw contentError(entry, `Unknown parameter in Include/Exclude clause: ${entry.key}`)
  }
  if (index === null)
    throw new IllegalArgumentError('Missing [partition] parameter for partition-based include')
  if (count === null)
    throw new IllegalArgumentError('Missing [num_partitions] parameter for partition-based include')
  if (index < 0 || index >= count || count < 1)
    throw new EngineError({
      type: 'illegal_argument_exception',
      reason: `partition [${index}] must be in [0, ${count})`,
    })
  return { index, count }
}
