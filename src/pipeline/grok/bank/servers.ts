/** Patterns of the access logs of web servers in the common and the combined format. */

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

/** By name. */
export const SERVER_PATTERNS: Readonly<Record<string, string>> = {
  HTTPDUSER: '%{EMAILADDRESS}|%{USER}',
  HTTPD_COMMONLOG: COMMON.join(' '),
  HTTPD_COMBINEDLOG: [...COMMON, ...COMBINED].join(' '),
  COMMONAPACHELOG: '%{HTTPD_COMMONLOG}',
  COMBINEDAPACHELOG: '%{HTTPD_COMBINEDLOG}',
}
