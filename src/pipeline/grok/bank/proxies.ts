/** Patterns of the logs of proxies and balancers. */

/** Patterns of connections to HAProxy, and where it sends them. */
const CONNECTION: readonly string[] = [
  '%{IP:client_ip}:%{INT:client_port}',
  '\\[%{HAPROXYDATE:accept_date}\\]',
  '%{NOTSPACE:frontend_name}',
  '(?<backend_name>[^\\s/]+)/%{NOTSPACE:server_name}',
]

/** Connections that are open, and those that wait. */
const LOAD: readonly string[] = [
  '%{INT:actconn}/%{INT:feconn}/%{INT:beconn}/%{INT:srvconn}/%{NOTSPACE:retries}',
  '%{INT:srv_queue}/%{INT:backend_queue}',
]

/** By name. */
export const PROXY_PATTERNS: Readonly<Record<string, string>> = {
  HAPROXYTIME: '%{HOUR:haproxy_hour}:%{MINUTE:haproxy_minute}:%{SECOND:haproxy_second}',
  HAPROXYDATE:
    '%{MONTHDAY:haproxy_monthday}/%{MONTH:haproxy_month}/%{YEAR:haproxy_year}:%{HAPROXYTIME:haproxy_time}' +
    '\\.%{INT:haproxy_milliseconds}',
  HAPROXYCAPTUREDREQUESTHEADERS: '%{DATA:captured_request_headers}',
  HAPROXYCAPTUREDRESPONSEHEADERS: '%{DATA:captured_response_headers}',
  HAPROXYHTTPBASE: [
    ...CONNECTION,
    '%{INT:time_request}/%{INT:time_queue}/%{INT:time_backend_connect}/%{INT:time_backend_response}/%{NOTSPACE:time_duration}',
    '%{INT:http_status_code}',
    '%{NOTSPACE:bytes_read}',
    '%{DATA:captured_request_cookie}',
    '%{DATA:captured_response_cookie}',
    '%{NOTSPACE:termination_state}',
    ...LOAD,
    '(?:\\{%{HAPROXYCAPTUREDREQUESTHEADERS}\\} )?(?:\\{%{HAPROXYCAPTUREDRESPONSEHEADERS}\\} )?' +
      '"(?:<BADREQ>|%{WORD:http_verb} (?:%{URIPROTO:http_proto}://%{URIHOST:http_host})?' +
      '(?<http_request>[/*][^\\s"]*)?(?: HTTP/%{NUMBER:http_version})?)"?',
  ].join(' '),
  HAPROXYHTTP:
    '(?:%{SYSLOGTIMESTAMP:syslog_timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) ' +
    '%{IPORHOST:syslog_server} %{SYSLOGPROG}: %{HAPROXYHTTPBASE}',
  HAPROXYTCP: [
    '(?:%{SYSLOGTIMESTAMP:syslog_timestamp}|%{TIMESTAMP_ISO8601:timestamp8601})',
    '%{IPORHOST:syslog_server}',
    '%{SYSLOGPROG}:',
    ...CONNECTION,
    '%{INT:time_queue}/%{INT:time_backend_connect}/%{NOTSPACE:time_duration}',
    '%{NOTSPACE:bytes_read}',
    '%{NOTSPACE:termination_state}',
    ...LOAD,
  ].join(' '),
}
