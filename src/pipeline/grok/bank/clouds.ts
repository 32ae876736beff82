/** Patterns of the access logs of Amazon's storage and load balancers. */

/** Columns in order: a pattern of the bank and the field that it fills. */
type Columns = readonly (readonly [pattern: string, field: string])[]

/** Columns in a row; a dash stands for a value that is missing. */
function row(columns: Columns, separator: string): string {
  return columns
    .map(([pattern, field]) => `(?:-|${pattern.replace('FIELD', field)})`)
    .join(separator)
}

const WORDS = '%{NOTSPACE:FIELD}'
const COUNT = '%{NONNEGINT:FIELD:int}'
/** Seconds; −1 where a step was not reached. */
const SECONDS = '%{NUMBER:FIELD:float}'
const QUOTED = '%{QS:FIELD}'

const S3_BEFORE_REQUEST: Columns = [
  [WORDS, 'owner'],
  [WORDS, 'bucket'],
  ['\\[%{HTTPDATE:FIELD}\\]', 'timestamp'],
  ['%{IP:FIELD}', 'clientip'],
  [WORDS, 'requester'],
  [WORDS, 'request_id'],
  [WORDS, 'operation'],
  [WORDS, 'key'],
]

const S3_BEHIND_REQUEST: Columns = [
  [COUNT, 'response'],
  [WORDS, 'error_code'],
  [COUNT, 'bytes'],
  [COUNT, 'object_size'],
  [COUNT, 'request_time_ms'],
  [COUNT, 'turnaround_time_ms'],
  [QUOTED, 'referrer'],
  [QUOTED, 'agent'],
  [WORDS, 'version_id'],
]

const BALANCED: Columns = [
  ['%{TIMESTAMP_ISO8601:FIELD}', 'timestamp'],
  [WORDS, 'elb'],
  ['%{IP:FIELD}:%{POSINT:clientport:int}', 'clientip'],
  ['%{IP:FIELD}:%{POSINT:backendport:int}', 'backendip'],
  [SECONDS, 'request_processing_time'],
  [SECONDS, 'backend_processing_time'],
  [SECONDS, 'response_processing_time'],
  [COUNT, 'response'],
  [COUNT, 'backend_response'],
  [COUNT, 'received_bytes'],
  [COUNT, 'bytes'],
]

/** The first line of a request, or whatever stands in its place. */
const requestLine = (uri: string): string =>
  `(?:%{WORD:verb} ${uri}(?: HTTP/%{NUMBER:httpversion})?|(?<rawrequest>[^"]*))`

/** By name. */
export const CLOUD_PATTERNS: Readonly<Record<string, string>> = {
  S3_REQUEST_LINE: requestLine('%{NOTSPACE:request}'),
  S3_ACCESS_LOG:
    `${row(S3_BEFORE_REQUEST, ' ')} (?:-|"%{S3_REQUEST_LINE}") ` +
    // Releases since 2019 have more columns.
    `${row(S3_BEHIND_REQUEST, ' ')}(?: .*)?`,
  ELB_URIPATHPARAM: '%{URIPATH:path}%{URIPARAM:params}?',
  ELB_URI: '%{URIPROTO:proto}://%{URIHOST:urihost}%{ELB_URIPATHPARAM}?',
  ELB_REQUEST_LINE: requestLine('%{ELB_URI:request}'),
  ELB_ACCESS_LOG: `${row(BALANCED, ' ')} "(?:- - - |%{ELB_REQUEST_LINE})"(?: .*)?`,
}
