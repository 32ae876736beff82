/** Patterns of the main log of the mail server Exim, part by part: lines have them in any order. */

/** Words by which lines begin that tell of no message's way. */
const OTHER_LINES: readonly string[] = [
  'Message is frozen',
  '(?:un)?frozen',
  'retry time not reached for any host',
  'retry timeout exceeded',
  'remote host address is the local host',
  'no immediate delivery',
  'another process is handling this message',
  'Start queue run',
  'End queue run',
  'closed connection',
  'no host name found',
]

/** By name. */
export const MAIL_PATTERNS: Readonly<Record<string, string>> = {
  // Time, process and sequence in base 62.
  EXIM_MSGID: '[0-9A-Za-z]{6}-[0-9A-Za-z]{6}-[0-9A-Za-z]{2}',
  EXIM_FLAGS: '(?:<=|=>|->|>>|\\*>|\\*\\*|==|<>)',
  EXIM_DATE: '%{YEAR:exim_year}-%{MONTHNUM:exim_month}-%{MONTHDAY:exim_day} %{TIME:exim_time}',
  EXIM_PID: '\\[%{POSINT}\\]',
  EXIM_QT: '(?:\\d+[ywdhms])+',
  EXIM_EXCLUDE_TERMS: `(?:${OTHER_LINES.join('|')})`,
  EXIM_REMOTE_HOST:
    'H=(?:%{NOTSPACE:remote_hostname} )?(?:\\(%{NOTSPACE:remote_heloname}\\) )?' +
    '\\[%{IP:remote_host}\\](?::%{POSINT:remote_port})?',
  EXIM_INTERFACE: 'I=\\[%{IP:exim_interface}\\](?::%{NUMBER:exim_interface_port})?',
  EXIM_PROTOCOL: 'P=%{NOTSPACE:protocol}',
  EXIM_MSG_SIZE: 'S=%{NUMBER:exim_msg_size}',
  EXIM_HEADER_ID: 'id=%{NOTSPACE:exim_header_id}',
  EXIM_SUBJECT: 'T=%{QS:exim_subject}',
}
