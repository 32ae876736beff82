/** Patterns of the logs of databases. */

/** By name. */
export const DATABASE_PATTERNS: Readonly<Record<string, string>> = {
  REDISTIMESTAMP: '%{MONTHDAY} %{MONTH} %{TIME}',
  REDISLOG: '\\[%{POSINT:pid}\\] %{REDISTIMESTAMP:timestamp} [.*#-] ?',
  POSTGRESQL:
    '(?:%{TIMESTAMP_ISO8601:timestamp}|%{DATESTAMP:timestamp}) %{TZ} %{NOTSPACE:user_id} ' +
    '%{NOTSPACE:connection_id} %{POSINT:pid}',
  MONGO_WORDDASH: '\\b[\\w-]+\\b',
  MONGO_LOG: '%{SYSLOGTIMESTAMP:timestamp} \\[%{WORD:component}\\] %{GREEDYDATA:message}',
  MONGO_QUERY: '\\{.*?\\}(?= ntoreturn:)',
  MONGO_SLOWQUERY: [
    '%{WORD} %{MONGO_WORDDASH:database}\\.%{MONGO_WORDDASH:collection} %{WORD}: %{MONGO_QUERY:query}',
    '%{WORD}:%{NONNEGINT:ntoreturn}',
    '%{WORD}:%{NONNEGINT:ntoskip}',
    '%{WORD}:%{NONNEGINT:nscanned} .*?nreturned:%{NONNEGINT:nreturned} (?:.* )?%{INT:duration}ms',
  ].join(' '),
  MONGO3_SEVERITY: '[A-Z]',
  MONGO3_COMPONENT: '(?:%{WORD}|-)',
  MONGO3_LOG:
    '%{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:severity} +%{MONGO3_COMPONENT:component} +' +
    '(?:\\[%{DATA:context}\\])? ?%{GREEDYDATA:message}',
}
