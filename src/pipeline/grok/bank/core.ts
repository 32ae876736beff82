/** Patterns of words, numbers, addresses, paths, dates and log levels. */

const HEX4 = '[0-9A-Fa-f]{1,4}'
const OCTET = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})'
const QUAD = `${OCTET}(?:\\.${OCTET}){3}`

/** Groups of an IPv6 address around its gap: the ends are as long as they can be. */
const SHORT_V6: readonly string[] = [1, 2, 3, 4, 5, 6].map(
  before => `(?:${HEX4}:){1,${before}}(?::${HEX4}){1,${7 - before}}`,
)

/** Months by what may stand behind their first letters, in English and German. */
const MONTHS =
  'Jan(?:uary?)? Feb(?:ruary?)? M(?:a|ä|)r(?:ch|z)? Apr(?:il)? Ma[yi]? Jun[ei]? Jul[yi]? ' +
  'Aug(?:ust)? Sep(?:tember)? O[ck]?t(?:ober)? Nov(?:ember)? De[cz](?:ember)?'

const DAYS =
  'Mon(?:day)? Tue(?:sday)? Wed(?:nesday)? Thu(?:rsday)? Fri(?:day)? Sat(?:urday)? Sun(?:day)?'

/** Levels, the longer ones before those that they begin with. */
const LEVELS =
  'alert trace debug notice information info warning warn error err critical crit fatal severe ' +
  'emergency emerg'

/** Words as they are, with a capital first letter, and in capitals. */
function inAnyCase(words: string): string {
  return words
    .split(' ')
    .flatMap(word => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()])
    .join('|')
}

/** The first letters of words in either case. */
function withEitherInitial(words: string): string {
  return words
    .split(' ')
    .map(word => `[${word.charAt(0)}${word.charAt(0).toLowerCase()}]${word.slice(1)}`)
    .join('|')
}

/** By name. */
export const CORE_PATTERNS: Readonly<Record<string, string>> = {
  USERNAME: '[a-zA-Z0-9._-]+',
  USER: '%{USERNAME}',
  EMAILLOCALPART: "[a-zA-Z][a-zA-Z0-9_.+=:!#$%&'*/?^`{|}~-]*",
  EMAILADDRESS: '%{EMAILLOCALPART}@%{HOSTNAME}',
  INT: '(?:[+-]?[0-9]+)',
  BASE10NUM: '(?<![0-9.+-])(?>[+-]?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+))',
  NUMBER: '(?:%{BASE10NUM})',
  BASE16NUM: '(?<![0-9A-Fa-f])(?:[+-]?(?:0x)?[0-9A-Fa-f]+)',
  BASE16FLOAT:
    '\\b(?<![0-9A-Fa-f.])(?:[+-]?(?:0x)?(?:[0-9A-Fa-f]+(?:\\.[0-9A-Fa-f]*)?|\\.[0-9A-Fa-f]+))\\b',
  POSINT: '\\b[1-9][0-9]*\\b',
  NONNEGINT: '\\b[0-9]+\\b',
  WORD: '\\b\\w+\\b',
  NOTSPACE: '\\S+',
  SPACE: '\\s*',
  DATA: '.*?',
  GREEDYDATA: '.*',
  QUOTEDSTRING:
    '(?:"(?>(?:[^"\\\\]|\\\\.)*)"|\'(?>(?:[^\'\\\\]|\\\\.)*)\'|`(?>(?:[^`\\\\]|\\\\.)*)`)',
  QS: '%{QUOTEDSTRING}',
  UUID: '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}',

  MAC: '(?:%{CISCOMAC}|%{WINDOWSMAC}|%{COMMONMAC})',
  CISCOMAC: '(?:[0-9A-Fa-f]{4}(?:\\.[0-9A-Fa-f]{4}){2})',
  WINDOWSMAC: '(?:[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5})',
  COMMONMAC: '(?:[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5})',
  IPV6: `(?:(?:${HEX4}:){6}${QUAD}|(?:${HEX4}:){1,5}:(?:${HEX4}:){0,4}${QUAD}|::(?:${HEX4}:){0,5}${QUAD}|(?:${HEX4}:){7}${HEX4}|${SHORT_V6.join('|')}|(?:${HEX4}:){1,7}:|:(?::${HEX4}){1,7}|::)(?:%[0-9A-Za-z._~-]+)?`,
  IPV4: `(?<![0-9])(?:${QUAD})(?![0-9])`,
  IP: '(?:%{IPV6}|%{IPV4})',
  HOSTNAME: '\\b(?:[0-9A-Za-z][0-9A-Za-z-]{0,62})(?:\\.[0-9A-Za-z][0-9A-Za-z-]{0,62})*(?:\\.?|\\b)',
  IPORHOST: '(?:%{IP}|%{HOSTNAME})',
  HOSTPORT: '%{IPORHOST}:%{POSINT}',

  PATH: '(?:%{UNIXPATH}|%{WINPATH})',
  UNIXPATH: '(?:/[\\w%!$@:.,+~-]*)+',
  TTY: '/dev/(?:pts|tty[pq]?)\\w*?/?[0-9]+',
  WINPATH: '(?>[A-Za-z]+:|\\\\)(?:\\\\[^\\\\?*]*)+',
  URIPROTO: '[A-Za-z](?:[A-Za-z0-9+.-]*)',
  URIHOST: '%{IPORHOST}(?::%{POSINT:port})?',
  URIPATH: "(?:/[A-Za-z0-9$.+!*'(){},~:;=@#%&_-]*)+",
  URIPARAM: "\\?[A-Za-z0-9$.+!*'|(){},~@#%&/=:;_?\\-\\[\\]<>]*",
  URIPATHPARAM: '%{URIPATH}(?:%{URIPARAM})?',
  URI: '%{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?',

  MONTH: `\\b(?:${withEitherInitial(MONTHS)})\\b`,
  MONTHNUM: '(?:0?[1-9]|1[0-2])',
  MONTHNUM2: '(?:0[1-9]|1[0-2])',
  MONTHDAY: '(?:0[1-9]|[12][0-9]|3[01]|[1-9])',
  DAY: `(?:${DAYS.replaceAll(' ', '|')})`,
  YEAR: '(?>[0-9]{2}){1,2}',
  HOUR: '(?:2[0123]|[01]?[0-9])',
  MINUTE: '(?:[0-5][0-9])',
  SECOND: '(?:(?:[0-5]?[0-9]|60)(?:[:.,][0-9]+)?)',
  TIME: '(?<![0-9])%{HOUR}:%{MINUTE}(?::%{SECOND})(?![0-9])',
  DATE_US: '%{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}',
  DATE_EU: '%{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}',
  ISO8601_TIMEZONE: '(?:Z|[+-]%{HOUR}(?::?%{MINUTE}))',
  ISO8601_HOUR: '(?:2[0-3]|[01][0-9])',
  ISO8601_SECOND: '(?:%{SECOND}|60)',
  TIMESTAMP_ISO8601:
    '%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{ISO8601_HOUR}:?%{MINUTE}(?::?%{SECOND})?%{ISO8601_TIMEZONE}?',
  DATE: '%{DATE_US}|%{DATE_EU}',
  DATESTAMP: '%{DATE}[- ]%{TIME}',
  TZ: '(?:[APMCE][SD]T|UTC)',
  DATESTAMP_RFC822: '%{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}',
  DATESTAMP_RFC2822: '%{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} %{ISO8601_TIMEZONE}',
  DATESTAMP_OTHER: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}',
  DATESTAMP_EVENTLOG: '%{YEAR}%{MONTHNUM2}%{MONTHDAY}%{HOUR}%{MINUTE}%{SECOND}',

  SYSLOGTIMESTAMP: '%{MONTH} +%{MONTHDAY} %{TIME}',
  PROG: '[\\x21-\\x5a\\x5c\\x5e-\\x7e]+',
  SYSLOGPROG: '%{PROG:program}(?:\\[%{POSINT:pid}\\])?',
  SYSLOGHOST: '%{IPORHOST}',
  SYSLOGFACILITY: '<%{NONNEGINT:facility}.%{NONNEGINT:priority}>',
  HTTPDATE: '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}',
  SYSLOGBASE:
    '%{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource} %{SYSLOGPROG}:',
  LOGLEVEL: `(?:${inAnyCase(LEVELS)})`,
}
