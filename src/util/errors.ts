/**
 * Errors that a caller can cause, in the names of the OpenSearch API. `type` is the wire name, the
 * message is the wire's `reason`. A type and its HTTP status are one line of the table below.
 */

/** Every `type` that an answer can carry, with its HTTP status; an error record may carry another. */
export const ERROR_STATUS = {
  action_request_validation_exception: 400,
  aggregation_execution_exception: 400,
  aggregation_initialization_exception: 400,
  aliases_not_found_exception: 404,
  arithmetic_exception: 400,
  array_index_out_of_bounds_exception: 400,
  circuit_breaking_exception: 429,
  class_cast_exception: 400,
  cluster_block_exception: 403,
  concurrent_modification_exception: 400,
  connect_exception: 500,
  concurrent_snapshot_execution_exception: 503,
  content_too_long_exception: 413,
  corrupt_index_exception: 500,
  date_time_exception: 400,
  date_time_parse_exception: 400,
  document_missing_exception: 404,
  document_source_missing_exception: 400,
  exception: 500,
  fail_processor_exception: 500,
  failed_node_exception: 500,
  general_script_exception: 400,
  i_o_exception: 500,
  illegal_argument_exception: 400,
  illegal_format_exception: 400,
  illegal_state_exception: 500,
  index_closed_exception: 400,
  index_management_exception: 400,
  index_not_found_exception: 404,
  index_out_of_bounds_exception: 400,
  index_template_missing_exception: 404,
  input_coercion_exception: 400,
  invalid_alias_name_exception: 400,
  invalid_index_name_exception: 400,
  invalid_index_template_exception: 400,
  invalid_shape_exception: 400,
  invalid_snapshot_name_exception: 400,
  json_e_o_f_exception: 400,
  json_parse_exception: 400,
  k_n_n_invalid_indices_exception: 400,
  mapper_exception: 400,
  malformed_u_r_l_exception: 400,
  mapper_parsing_exception: 400,
  media_type_header_exception: 406,
  mustache_exception: 400,
  named_object_not_found_exception: 400,
  negative_array_size_exception: 400,
  no_shard_available_action_exception: 503,
  no_such_element_exception: 400,
  null_pointer_exception: 400,
  number_format_exception: 400,
  painless_error: 400,
  painless_explain_error: 400,
  parse_exception: 400,
  parsing_exception: 400,
  pattern_syntax_exception: 400,
  process_cluster_event_timeout_exception: 503,
  query_phase_execution_exception: 500,
  query_shard_exception: 400,
  rejected_execution_exception: 429,
  repository_exception: 400,
  repository_missing_exception: 404,
  repository_verification_exception: 500,
  resource_already_exists_exception: 400,
  resource_not_found_exception: 404,
  routing_missing_exception: 400,
  runtime_exception: 500,
  s_s_l_handshake_exception: 500,
  s3_exception: 500,
  script_exception: 400,
  search_context_missing_exception: 404,
  search_exception: 500,
  search_phase_execution_exception: 500,
  search_request_map_processing_exception: 400,
  security_exception: 403,
  shard_not_found_exception: 404,
  socket_timeout_exception: 500,
  snapshot_exception: 500,
  snapshot_missing_exception: 404,
  snapshot_restore_exception: 500,
  stack_overflow_error: 400,
  status_exception: 500,
  strict_dynamic_mapping_exception: 400,
  string_index_out_of_bounds_exception: 400,
  task_cancelled_exception: 429,
  timeout_exception: 503,
  too_many_buckets_exception: 503,
  too_many_clauses: 400,
  too_many_nested_clauses: 400,
  unavailable_shards_exception: 503,
  unknown_host_exception: 500,
  unsupported_operation_exception: 400,
  unsupported_temporal_type_exception: 400,
  validation_exception: 400,
  version_conflict_engine_exception: 409,
  x_content_parse_exception: 400,
  zone_rules_exception: 400,
} as const

/** The wire name of a kind of error. */
export type ErrorType = keyof typeof ERROR_STATUS

/** An error as plain data: crosses threads and is printed in responses. */
export interface ErrorRecord {
  readonly type: ErrorType
  readonly reason: string
  /** Further wire keys in print order: `index`, `line`, `col`, `shard`, … */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly causedBy?: ErrorRecord
  /** Entries of `root_cause` other than this error itself; printed there without their causes. */
  readonly rootCause?: readonly ErrorRecord[]
  /** HTTP status when it differs from the type's own (a search error takes its cause's). */
  readonly status?: number
}

/** The HTTP status that an error is answered with. */
export function statusOf(record: ErrorRecord): number {
  return record.status ?? ERROR_STATUS[record.type]
}

/** The base of all errors that a caller caused or must handle. */
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

/** A value out of range: 400 `illegal_argument_exception`. */
export class IllegalArgumentError extends EngineError {
  constructor(reason: string, more: Omit<ErrorRecord, 'type' | 'reason'> = {}) {
    super({ type: 'illegal_argument_exception', reason, ...more })
    this.name = 'IllegalArgumentError'
  }
}

/** All faults of a request, told at once: 400 `action_request_validation_exception`. */
export function validationFailed(faults: readonly string[]): EngineError {
  const list = faults.map((fault, i) => `${i + 1}: ${fault};`).join('')
  return new EngineError({
    type: 'action_request_validation_exception',
    reason: `Validation Failed: ${list}`,
  })
}

/** Corrupt bytes on disk or in memory. */
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
 * An error as plain data for another thread or a response. An `EngineError` gives its record. Any
 * other becomes an `illegal_state_exception` without its stack: a file system error's reason begins
 * with its meaning, an internal defect's is name and message.
 */
export function toErrorRecord(error: unknown): ErrorRecord {
  if (error instanceof EngineError) return error.record
  return { type: 'illegal_state_exception', reason: systemReason(error) ?? plainReason(error) }
}

/** Error codes of the file system that are not defects of ours. */
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk failed',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}

/** The meaning of a file system error, then the system's own message; null for other errors. */
export function systemReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code = '' } = error as NodeJS.ErrnoException
  if (!Object.hasOwn(SYSTEM_REASONS, code)) return null
  return `${SYSTEM_REASONS[code]} (${error.message})`
}

function plainReason(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
