import type { DerivedFields } from '../../schema/derived-field.ts'
import type { JsonMap, JsonRecord } from '../../util/json/json-value.ts'
import type { ParsedAggregations } from '../dsl/aggregation/aggregation-parser.ts'
import type { RequestPart } from '../dsl/search-body/request-part.ts'
import type { Node } from '../node/node.ts'
import type { PrintedAnswer } from '../response/search-response.ts'
import type { SuggestRequest } from '../suggest/suggest-request.ts'
import type { PipelineRequest } from './pipeline-request.ts'
import type { ProfileRequest } from './profile-request.ts'
import type { SearchExtensions } from './search-extensions.ts'
import type { SearchedShard } from './searched-shard.ts'

/** The value of each part in one request; its names are those of the parts. */
export interface SearchPartValues {
  readonly aggregations: ParsedAggregations
  /** Null: none are asked for. */
  readonly suggest: SuggestRequest | null
  readonly profile: ProfileRequest
  /** Groups of statistics. */
  readonly groups: readonly string[]
  readonly ext: SearchExtensions
  readonly pipeline: PipelineRequest
  /** Fields of the search alone. */
  readonly derived: DerivedFields
}

/** The name of a part of a search. */
export type SearchPartName = keyof SearchPartValues

/** A search whose hits have been fetched. */
export interface SearchedCall {
  readonly node: Node
  /** In order of index and shard. */
  readonly answers: readonly SearchedShard[]
  /** Printed; null: none were asked for. */
  readonly aggregations: JsonMap | null
  /** Printed; null: none were asked for. */
  readonly suggestions: JsonRecord | null
  /** Durations have a text twin. */
  readonly human: boolean
}

/**
 * Something that a search answers beside its hits, with the keys of the body that ask for it. A part has
 * a file of its own in `part/` and a line in `search-parts.ts`.
 */
export interface SearchPart<Asked> extends RequestPart<Asked> {
  /**
   * Holds its keys against each other.
   * @throws {EngineError} 400
   */
  check(asked: Asked): void
  /** Adds its keys to the answer, where it was asked for. */
  print(asked: Asked, searched: SearchedCall, to: PrintedAnswer): void
}
