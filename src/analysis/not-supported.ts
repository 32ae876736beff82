/** Refuses parts of the real API that this build does not have by name: none is ignored. */
import { IllegalArgumentError } from '../util/errors.ts'

/** Analyzers of plug-ins that the real API's documentation lists with its own. */
const ANALYZERS = new Set(['polish', 'ukrainian'])

/** The error of something that the real API has. */
export function notSupported(what: string): IllegalArgumentError {
  return new IllegalArgumentError(`[${what}] is not supported yet`)
}

/** @throws {IllegalArgumentError} an analyzer of the real API; call once it is in no table */
export function refuseNotSupported(analyzer: string): void {
  if (ANALYZERS.has(analyzer)) throw notSupported(analyzer)
}
