/**
 * Errors that a caller can cause, in the names of the OpenSearch API. `type` is the wire name, the
 * message is the wire's `reason`; `rest/status.ts` maps every type to its HTTP status, so a type
 * that is new here does not compile until it has one.
 */

/** Every `type` that an answer can carry. */
export type ErrorType =
  | 'action_request_validation_exception'
  | 'circuit_breaking_exception'
  | 'cluster_block_exception'
  | 'content_too_long_exception'
  | 'corrupt_index_exception'
  | 'document_missing_exception'
  | 'document_source_missing_exception'
  | 'exception'
  | 'illegal_argument_exception'
  | 'illegal_state_exception'
  | 'index_closed_exception'
  | 'index_not_found_exception'
  | 'input_coercion_exception'
  | 'invalid_alias_name_exception'
  | 'invalid_index_name_exception'
  | 'json_parse_exception'
  | 'mapper_exception'
  | 'mapper_parsing_exception'
  | 'media_type_header_exception'
  | 'named_object_not_found_exception'
  | 'no_shard_available_action_exception'
  | 'number_format_exception'
  | 'parse_exception'
  | 'parsing_exception'
  | 'process_cluster_event_timeout_exception'
  | 'query_shard_exception'
  | 'rejected_execution_exception'
  | 'resource_already_exists_exception'
  | 'resource_not_found_exception'
  | 'routing_missing_exception'
  | 'search_exception'
  | 'search_phase_execution_exception'
  | 'security_exception'
  | 'strict_dynamic_mapping_exception'
  | 'task_cancelled_exception'
  | 'timeout_exception'
  | 'too_many_clauses'
  | 'too_many_nested_clauses'
  | 'unavailable_shards_exception'
  | 'unsupported_operation_exception'
  | 'validation_exception'
  | 'version_conflict_engine_exception'
  | 'x_content_parse_exception'

/** An error as plain data: what crosses a thread and what the response prints. */
export interface ErrorRecord {
  readonly type: ErrorType
  readonly reason: string
  /** Further wire keys in print order: `index`, `line`, `col`, `shard`, … */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly causedBy?: ErrorRecord
  /** What `root_cause` lists when it is not this error itself. */
  readonly rootCause?: readonly ErrorRecord[]
  /** HTTP status when it differs from the type's own (a search error takes its cause's). */
  readonly status?: number
}

/** The base of every error that a caller caused or must handle. */
export class EngineError extends Error {
  readonly record: ErrorRecord

  constructor(record: ErrorRecord) {
    super(record.reason)
    this.name = 'EngineError'
    this.record = record
  }

  get type(): ErrorType {
    return this.record.type
  }
}

/** A value outside what is allowed: 400 `illegal_argument_exception`. */
export class IllegalArgumentError extends EngineError {
  constructor(reason: string, more: Omit<ErrorRecord, 'type' | 'reason'> = {}) {
    super({ type: 'illegal_argument_exception', reason, ...more })
    this.name = 'IllegalArgumentError'
  }
}

/** Bytes on disk or in memory that are not what was written. */
export class CorruptSegmentError extends EngineError {
  constructor(file: string, offset: number, expected: string, found: string) {
    super({
      type: 'corrupt_index_exception',
      reason: `corrupt file [${file}] at byte [${offset}]: expected ${expected}, found ${found}`,
      extra: { file, offset, expected, found },
    })
    this.name = 'CorruptSegmentError'
  }
}

/** A file of a newer format than this build reads. */
export class UnsupportedFormatError extends EngineError {
  constructor(file: string, format: string, found: number, newest: number) {
    super({
      type: 'corrupt_index_exception',
      reason:
        `file [${file}] has version [${found}] of format [${format}], ` +
        `the newest that this build reads is [${newest}]: open it with a newer release`,
      extra: { file, format, found, newest },
    })
    this.name = 'UnsupportedFormatError'
  }
}

/**
 * An error as plain data for another thread or a response. What is not an `EngineError` is a defect
 * of ours: it becomes an `illegal_state_exception` with its message and without its stack.
 */
export function toErrorRecord(error: unknown): ErrorRecord {
  if (error instanceof EngineError) return error.record
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { type: 'illegal_state_exception', reason }
}
