/** Patterns of what the services of a system log: schedulers, sessions, syslog as RFC 5424 has it. */

/** A value of syslog, or a dash where there is none. */
const orNil = (pattern: string): string => `(?:-|${pattern})`

/** By name. */
export const SYSTEM_PATTERNS: Readonly<Record<string, string>> = {
  CRON_ACTION: '[A-Z][A-Z ]*',
  CRONLOG: '%{SYSLOGBASE} \\(%{USER:user}\\) %{CRON_ACTION:action} \\(%{DATA:message}\\)',
  SYSLOGPAMSESSION:
    '%{SYSLOGBASE} (?:(?<message>[^(]*) )?%{WORD:pam_module}\\((?<pam_caller>[^)]+)\\): ' +
    'session (?<pam_session_state>opened|closed) for user %{USER:username}(?: by %{GREEDYDATA:pam_by})?',
  SYSLOGLINE: '%{SYSLOGBASE2} ?%{GREEDYDATA:message}',
  SYSLOGBASE2:
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) (?:%{SYSLOGFACILITY} )?' +
    '%{SYSLOGHOST:logsource}(?: %{SYSLOGPROG}:)?',
  SYSLOG5424PRINTASCII: '[!-~]+',
  SYSLOG5424PRI: '<%{NONNEGINT:syslog5424_pri}>',
  SYSLOG5424SD: '(?:\\[(?:[^\\]"]|"(?:\\\\.|[^"\\\\])*")*\\])+',
  SYSLOG5424BASE: [
    '%{SYSLOG5424PRI}%{NONNEGINT:syslog5424_ver}',
    orNil('%{TIMESTAMP_ISO8601:syslog5424_ts}'),
    orNil('%{IPORHOST:syslog5424_host}'),
    orNil('%{SYSLOG5424PRINTASCII:syslog5424_app}'),
    orNil('%{SYSLOG5424PRINTASCII:syslog5424_proc}'),
    orNil('%{SYSLOG5424PRINTASCII:syslog5424_msgid}'),
    orNil('%{SYSLOG5424SD:syslog5424_sd}'),
  ].join(' '),
  SYSLOG5424LINE: '%{SYSLOG5424BASE} ?%{GREEDYDATA:syslog5424_msg}',
}
