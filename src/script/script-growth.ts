/** How large texts and collections of one execution get, and the memory that they are charged. */
import { limitExceeded, type ScriptRun } from './script-run.ts'

/** UTF-16 units of one text. */
export const MAX_TEXT_LENGTH: number = 1 << 20

/** Entries of one list, map or set. */
export const MAX_COLLECTION_SIZE: number = 1 << 20

/** Bytes that an entry of a list is charged. */
const LIST_ENTRY_BYTES = 8

/** Bytes that an entry of a map or set is charged. */
const MAP_ENTRY_BYTES = 48

/**
 * Charges a text before it is made.
 * @param length in UTF-16 units
 * @param added how many of them take memory: fewer than all where a text is appended to
 * @throws {EngineError} `circuit_breaking_exception`
 */
export function chargeText(run: ScriptRun, length: number, added: number = length): void {
  if (length > MAX_TEXT_LENGTH) throw limitExceeded('string length', MAX_TEXT_LENGTH)
  run.charge(2 * added)
  // A copy of 256 units takes the time of a step.
  run.step(added >> 8)
}

/**
 * Charges entries that a list takes up.
 * @param size of the list with them
 * @throws {EngineError} `circuit_breaking_exception`
 */
export function chargeList(run: ScriptRun, size: number, added: number): void {
  if (size > MAX_COLLECTION_SIZE) throw limitExceeded('list size', MAX_COLLECTION_SIZE)
  run.charge(LIST_ENTRY_BYTES * added)
}

/**
 * Charges entries that a map or set takes up.
 * @param size of the map with them
 * @throws {EngineError} `circuit_breaking_exception`
 */
export function chargeMap(run: ScriptRun, size: number, added: number): void {
  checkMapSize(size)
  run.charge(MAP_ENTRY_BYTES * added)
}

/**
 * Holds the size of a map or set against its limit.
 * @throws {EngineError} `circuit_breaking_exception`
 */
export function checkMapSize(size: number): void {
  if (size > MAX_COLLECTION_SIZE) throw limitExceeded('map size', MAX_COLLECTION_SIZE)
}
