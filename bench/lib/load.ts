/** Load on a server, from processes of its own. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A load: one request, over and over. */
export interface Load {
  readonly host: string
  readonly port: number
  /** Its bytes, as they go on the socket. */
  readonly request: string
  /** Requests a second of all processes together, whatever becomes of them; 0: each connection waits for its answer. */
  readonly ratePerSecond: number
  readonly millis: number
  /** Of all processes together, at most. */
  readonly connections: number
  readonly processes: number
}

/** What came of a load. */
export interface LoadResult {
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Times of the answers with 200, ascending, from when the request was due. */
  readonly acceptedInMillis: readonly number[]
  /** Requests whose connection ended without an answer. */
  readonly failed: number
  /** Requests for which no connection was free. */
  readonly unsent: number
}

interface ChildResult extends Omit<LoadResult, 'acceptedInMillis'> {
  readonly accepted: readonly number[]
}

/** Puts a load on a server until its time is over. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { processes, ratePerSecond, connections, ...rest } = load
  const task = {
    ...rest,
    ratePerSecond: ratePerSecond / processes,
    connections: Math.floor(connections / processes),
  }
  const results = await Promise.all(Array.from({ length: processes }, () => runProcess(task)))
  const statuses: Record<string, number> = {}
  for (const result of results)
    for (const [status, count] of Object.entries(result.statuses))
      statuses[status] = (statuses[status] ?? 0) + count
  return {
    statuses,
    acceptedInMillis: results.flatMap(({ accepted }) => accepted).sort((a, b) => a - b),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    unsent: results.reduce((sum, { unsent }) => sum + unsent, 0),
  }
}

/** A time that so great a share of the answers did not exceed. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

function runProcess(task: object): Promise<ChildResult> {
  const script = fileURLToPath(new URL('load-child.mjs', import.meta.url))
  // Without the loaders that this process runs under.
  const child = fork(script, [JSON.stringify(task)], { execArgv: [] })
  return new Promise((resolve, reject) => {
    child.on('message', message => resolve(message as ChildResult))
    child.on('error', reject)
    child.on('exit', code => reject(new Error(`the generator ended with code ${code}`)))
  })
}
