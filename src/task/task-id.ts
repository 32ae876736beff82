import { IllegalArgumentError } from '../util/errors.ts'

/** A task's id in its parts. */
export interface TaskId {
  readonly nodeId: string
  readonly number: number
}

/**
 * Reads a task's id, `node:number`.
 * @throws {IllegalArgumentError} it is none
 */
export function parseTaskId(text: string): TaskId {
  const match = /^([^:]+):(\d{1,15})$/.exec(text)
  if (match === null) throw new IllegalArgumentError(`malformed task id ${text}`)
  return { nodeId: match[1]!, number: Number(match[2]) }
}
