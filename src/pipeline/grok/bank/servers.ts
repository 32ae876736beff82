/** Patterns of web servers: access logs in the common and the combined format, and logs of errors. */

/** A field that may be missing, which the formats tell by a dash. */
const orDash = (pattern: string): string => `(?:${pattern}|-)`

/** The first line of a request, or whatever stands in its place. */
const REQUEST_LINE =
  '(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})'

/** Fields of the common format in its order. */
const COMMON: readonly string[] = [
  '%{IPORHOST:clientip}',
  '%{HTTPDUSER:ident}',
  '%{HTTPDUSER:auth}',
  '\\[%{HTTPDATE:timestamp}\\]',
  `"${REQUEST_LINE}"`,
  orDash('%{NUMBER:response}'),
  orDash('%{NUMBER:bytes}'),
]

/** Fields that the combined format has beside them. */
const COMBINED: readonly string[] = ['%{QS:referrer}', '%{QS:agent}']

/** When an error happened. */
const ERROR_TIME = '\\[%{HTTPDERROR_DATE:timestamp}\\]'

/** By name. */
export const SERVER_PATTERNS: Readonly<Record<string, string>> = {
  HTTPDUSER: '%{EMAILADDRESS}|%{USER}',
  COMMONAPACHELOG: COMMON.join(' '),
  COMBINEDAPACHELOG: ['%{COMMONAPACHELOG}', ...COMBINED].join(' '),
  HTTPDERROR_DATE: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{YEAR}',
  HTTPD20_ERRORLOG: `${ERROR_TIME} \\[%{LOGLEVEL:loglevel}\\] (?:\\[client %{IPORHOST:clientip}\\] )?%{GREEDYDATA:errormsg}`,
  HTTPD24_ERRORLOG: [
    `${ERROR_TIME} \\[%{WORD:module}:%{LOGLEVEL:loglevel}\\] \\[pid %{POSINT:pid}(?::tid %{NUMBER:tid})?\\]`,
    '(?: \\(%{POSINT:proxy_errorcode}\\)%{DATA:proxy_errormessage}:)?',
    '(?: \\[client %{IPORHOST:client}:%{POSINT:clientport}\\])?',
    '(?: %{DATA:errorcode}:)? %{GREEDYDATA:message}',
  ].join(''),
  HTTPD_ERRORLOG: '%{HTTPD20_ERRORLOG}|%{HTTPD24_ERRORLOG}',
}
