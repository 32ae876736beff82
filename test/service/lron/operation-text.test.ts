import { expect, it } from 'vitest'
import {
  endOfError,
  type Operation,
  type OperationKind,
  plainEnd,
} from '../../../src/service/lron/operation.ts'
import { endText, endTitle } from '../../../src/service/lron/operation-text.ts'
import { cancelledError } from '../../../src/util/cancelled-error.ts'
import { EngineError } from '../../../src/util/errors.ts'

const operation = (kind: OperationKind, more: Partial<Operation> = {}): Operation => ({
  kind,
  sources: ['a'],
  remoteHost: null,
  target: null,
  limitInMillis: null,
  ...more,
})

const RESULTS = ['complete', 'failed', 'timed_out', 'cancelled'] as const
const TITLES: readonly (readonly [Operation, readonly string[]])[] = [
  [
    operation('reindex'),
    ['has completed', 'has failed', 'has timed out', 'has been cancelled'].map(
      end => `Reindex operation on [c/a] ${end}`,
    ),
  ],
  [
    operation('shrink', { target: 'b' }),
    ['has completed', 'has failed', 'has timed out', 'has been cancelled'].map(
      end => `Shrink operation on [c/a] ${end}`,
    ),
  ],
  [
    operation('open'),
    ['has been opened', 'failed to open', 'timed out to open', 'failed to open'].map(
      end => `[c/a] ${end}`,
    ),
  ],
]

it.each(TITLES)('names the operation, its place and its end: %j', (what, titles) => {
  const found = RESULTS.map(result =>
    endTitle({ operation: what, end: plainEnd(result), clusterName: 'c', taskId: 'n:1' }),
  )
  expect(found).toEqual(titles)
})

it('lists a few indices, counts many, and names the other cluster', () => {
  const titleOf = (more: Partial<Operation>): string =>
    endTitle({
      operation: operation('force_merge', more),
      end: plainEnd('complete'),
      clusterName: 'c',
      taskId: 'n:1',
    })
  expect(titleOf({ sources: ['a', 'b'] })).toBe(
    'Force merge operation on [a,b] from [c] has completed',
  )
  const many = Array.from({ length: 11 }, (_, i) => `i${i}`)
  expect(titleOf({ sources: many })).toBe(
    'Force merge operation on 11 indexes from [c] has completed',
  )
  expect(titleOf({ remoteHost: 'far.example' })).toBe(
    'Force merge operation on [remote cluster far.example/a] has completed',
  )
})

it('says after how long a wait ended and where to look', () => {
  const late = operation('split', { target: 'b', limitInMillis: 60_000 })
  const end = plainEnd('timed_out')
  expect(endText({ operation: late, end, clusterName: 'c', taskId: 'n:1' })).toBe(
    'The split operation from [c/a] to [c/b] has timed out.\n\n' +
      'Waiting for it ended after 1m; it may go on. To see how far it is: GET /b/_recovery',
  )
})

it('tells at most two distinct errors', () => {
  const errors = ['one', 'one', 'two', 'three']
  const end = { ...plainEnd('failed'), errors }
  const text = endText({ operation: operation('reindex'), end, clusterName: 'c', taskId: 'n:1' })
  expect(text).toBe(
    'The reindex operation on [c/a] has failed.\n\nErrors: 4\none\ntwo\n\nFor details: GET /_tasks/n:1',
  )
})

it('tells cancellation and timeouts from other errors', () => {
  const late = new EngineError({ type: 'process_cluster_event_timeout_exception', reason: 'late' })
  expect(endOfError(cancelledError()).result).toBe('cancelled')
  expect(endOfError(late)).toEqual({ result: 'timed_out', counts: [], errors: ['late'] })
  expect(endOfError(new Error('x')).result).toBe('failed')
})
