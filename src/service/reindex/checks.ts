/** Checks of calls before their tasks begin. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { Target } from '../../engine/api/target.ts'
import { restrictedError, TRUSTED_ACCESS } from '../../task/access.ts'
import type { Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import type { ByScrollCall, Destination } from './by-scroll-call.ts'

/** Parts that `auto` makes at most. */
const MAX_AUTO_SLICES = 20

/**
 * Checks that a reindex does not write into what it reads, and may write where it wants to.
 * @throws {EngineError} `action_request_validation_exception`; as a write to the destination would;
 *   `index_not_found_exception`: no such source
 */
export async function checkDestination(
  { documents, searches }: EngineApi,
  source: Target,
  dest: Destination,
  context: CallContext,
): Promise<void> {
  const under = context.child('indices:data/write/index')
  const index = documents.writeIndex(dest.index, dest.requireAlias, under) ?? dest.index
  const reading = context.child('indices:data/read/search')
  const { indices } = await searches.shards({ target: source, body: null }, reading)
  for (const read of indices)
    if (read.index === index)
      throw validationFailed([`reindex cannot write into an index its reading from [${index}]`])
}

/**
 * Checks that the caller sees every field of the documents that he writes anew: what is hidden would be lost.
 * @throws {EngineError} 403 `security_exception`; as a search of the target
 */
export async function checkSeesWhole(
  { searches }: EngineApi,
  target: Target,
  context: CallContext,
): Promise<void> {
  if (context.access === TRUSTED_ACCESS) return
  const reading = context.child('indices:data/read/search')
  const { indices } = await searches.shards({ target, body: null }, reading)
  if (indices.some(({ index }) => (context.access.restrictionsOf(index)?.fields ?? null) !== null))
    throw restrictedError('Update is not supported when FLS or DLS or Fieldmasking is activated')
}

/**
 * Checks a pipeline's name.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkPipeline({ pipelines }: EngineApi, name: string | null): void {
  if (name === null || name === '_none' || pipelines.show([name]).some(({ id }) => id === name))
    return
  throw new IllegalArgumentError(`pipeline with id [${name}] does not exist`)
}

/**
 * The number of parts that a call runs in.
 * @throws {EngineError} `illegal_argument_exception`: fewer documents are asked for than there are parts
 */
export async function countSlices(
  engine: EngineApi,
  call: ByScrollCall,
  context: CallContext,
): Promise<number> {
  const count = call.slices === 'auto' ? await countShards(engine, call, context) : call.slices
  if (call.maxDocs === null || call.maxDocs >= count) return count
  throw new IllegalArgumentError('[max_docs] should be >= [slices]')
}

/** Shards of the index that has the fewest, at most so many as `auto` makes parts. */
async function countShards(
  { searches }: EngineApi,
  { source }: ByScrollCall,
  context: CallContext,
): Promise<number> {
  const action: Action = 'indices:admin/shards/search_shards'
  const { shards } = await searches.shards(
    { target: source.target, body: null },
    context.child(action),
  )
  const counts = new Map<string, number>()
  for (const { index } of shards) counts.set(index, (counts.get(index) ?? 0) + 1)
  return Math.max(1, Math.min(MAX_AUTO_SLICES, ...counts.values()))
}
