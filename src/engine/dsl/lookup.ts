/**
 * Lookups: what a request's queries read from other documents before they are built. Each runs once
 * for the whole request; queries then build from the answers, for every index.
 */
import { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'

/** Values of one document: below a path of its source, or of a stored field. */
export interface DocumentValues {
  readonly index: string
  readonly id: string
  readonly routing: string | null
  readonly path: string
  readonly isStored: boolean
}

/** Values of the documents that a query finds. */
export interface HitValues {
  readonly index: string
  readonly query: JsonNode
  readonly routing: string | null
  readonly path: string
  readonly isStored: boolean
}

/** A document as it was given, with the name of its index. */
export interface FoundDocument {
  readonly index: string
  readonly source: Uint8Array
}

/** The documents that lookups read, with the access of the request's caller. */
export interface LookupCalls {
  /** The names of the indices that the request searches. */
  readonly indices: readonly string[]
  /**
   * The values, lists flattened, without nulls; none where there is no such document.
   * @throws {EngineError} there is no such index, or it may not be read
   */
  valuesOf(asked: DocumentValues): Promise<readonly JsonNode[]>
  /**
   * The same over all hits.
   * @throws {EngineError} also where there are more hits than may be fetched
   */
  valuesOfHits(asked: HitValues): Promise<readonly JsonNode[]>
  /** A document; null: there is none. */
  document(index: string, id: string, routing: string | null): Promise<FoundDocument | null>
}

/** A lookup, which is its own key to its answer. */
export interface Lookup<T> {
  run(calls: LookupCalls): Promise<T>
  /** Where its answer stands in one document, which can be read at once; null: it needs more than that. */
  readonly inDocument: InDocument<T> | null
}

/** A lookup's answer in one document. */
export interface InDocument<T> {
  readonly asked: DocumentValues
  /** @param values as `LookupCalls.valuesOf` gives them */
  answerOf(values: readonly JsonNode[]): T
}

/** The answers to a request's lookups. */
export interface Answers {
  /** @throws {EngineError} `illegal_state_exception`: it has not been run, which filters of aliases are not */
  of<T>(lookup: Lookup<T>): T
}

/** Where no lookup is run. */
export const NO_ANSWERS: Answers = {
  of() {
    throw new EngineError({
      type: 'illegal_state_exception',
      reason: 'async actions are left after rewrite',
    })
  },
}

/** A query without lookups. */
export const NO_LOOKUPS: readonly Lookup<unknown>[] = []

/**
 * Runs lookups side by side.
 * @throws {EngineError} the error of the first that fails
 */
export async function answersOf(
  lookups: readonly Lookup<unknown>[],
  calls: LookupCalls,
): Promise<Answers> {
  const answers = new Map<Lookup<unknown>, unknown>()
  await Promise.all(
    lookups.map(async lookup => {
      answers.set(lookup, await lookup.run(calls))
    }),
  )
  return {
    of<T>(lookup: Lookup<T>): T {
      return answers.has(lookup) ? (answers.get(lookup) as T) : NO_ANSWERS.of(lookup)
    },
  }
}
