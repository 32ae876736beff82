/** Patterns of what frameworks of Java and Ruby log. */

/** By name. */
export const APPLICATION_PATTERNS: Readonly<Record<string, string>> = {
  JAVACLASS: '(?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*[\\p{L}_$][\\p{L}\\p{N}_$]*',
  JAVAFILE: '[\\p{L}\\p{N}_$. -]+',
  JAVAMETHOD: '(?:<(?:cl)?init>|[\\p{L}_$][\\p{L}\\p{N}_$]*)',
  JAVASTACKTRACEPART:
    '\\s*at %{JAVACLASS:class}\\.%{JAVAMETHOD:method}\\(%{JAVAFILE:file}(?::%{INT:line})?\\)',
  JAVATHREAD: '(?:\\w+-)+\\w*\\d+',
  JAVALOGMESSAGE: '%{GREEDYDATA}',
  CATALINA_DATESTAMP: '%{MONTH} %{MONTHDAY}, %{YEAR} %{HOUR}:%{MINUTE}:%{SECOND} [AP]M',
  TOMCAT_DATESTAMP:
    '%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND} %{ISO8601_TIMEZONE}',
  CATALINALOG: '%{CATALINA_DATESTAMP:timestamp} %{JAVACLASS:class} %{JAVALOGMESSAGE:logmessage}',
  TOMCATLOG:
    '%{TOMCAT_DATESTAMP:timestamp} \\| %{LOGLEVEL:level} \\| %{JAVACLASS:class} - %{JAVALOGMESSAGE:logmessage}',
  RUBY_LOGLEVEL: '(?:DEBUG|INFO|WARN|ERROR|FATAL|UNKNOWN|ANY)',
  RUBY_LOGGER: `[DIWEFA], \\[%{TIMESTAMP_ISO8601:timestamp} #%{INT:pid}\\]\\s+%{RUBY_LOGLEVEL:loglevel} -- (?<progname>[^:]*): %{GREEDYDATA:message}`,
  RUUID: '[0-9a-fA-F]{32}',
  RCONTROLLER: '(?<controller>[A-Z]\\w*(?:::[A-Z]\\w*)*)#%{WORD:action}',
  RAILS3HEAD:
    'Started %{WORD:verb} "%{URIPATHPARAM:request}" for %{IPORHOST:clientip} at (?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND} %{ISO8601_TIMEZONE})',
  RPROCESSING:
    'Processing by %{RCONTROLLER} as %{NOTSPACE:format}(?:\\s+Parameters: \\{%{DATA:params}\\})?',
  RAILS3FOOT: 'Completed %{INT:response} [\\w ]+? in %{NUMBER:totalms}ms ?%{RAILS3PROFILE}.*',
  RAILS3PROFILE:
    '(?:\\((?:Views: %{NUMBER:viewms}ms)?(?: \\| )?(?:ActiveRecord: %{NUMBER:activerecordms}ms)?)?',
  RAILS3: '%{RAILS3HEAD}(?:\\s+%{RPROCESSING})?(?<context>(?:\\n.*)*?)(?:\\s+%{RAILS3FOOT})?',
  MCOLLECTIVE: '[DIWEFA], \\[%{TIMESTAMP_ISO8601:timestamp} #%{INT:pid}\\]\\s+%{WORD:event_level}',
  MCOLLECTIVEAUDIT: '%{TIMESTAMP_ISO8601:timestamp}:',
}
