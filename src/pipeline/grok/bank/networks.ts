/** Patterns of the logs of routers and of the network monitor Bro. */

/** Columns of a log of the monitor, split by tabs, each with whatever stands in it. */
function columns(names: string): string {
  return names
    .split(' ')
    .map(name => TYPED[name] ?? `(?<${name}>[^\\t]*)`)
    .join('\\t')
}

/** Columns that are checked: times, addresses and ports. */
const TYPED: Readonly<Record<string, string>> = {
  ts: '%{NUMBER:ts}',
  uid: '%{NOTSPACE:uid}',
  orig_h: '%{IP:orig_h}',
  orig_p: '%{INT:orig_p}',
  resp_h: '%{IP:resp_h}',
  resp_p: '%{INT:resp_p}',
}

const ENDS = 'ts uid orig_h orig_p resp_h resp_p'

/** Ends of a flow through a router, and what became of them there. */
const FLOW: readonly string[] = [
  '%{IP:src-ip}/%{INT:src-port}->%{IP:dst-ip}/%{INT:dst-port}',
  '%{DATA:service}',
  '%{IP:nat-src-ip}/%{INT:nat-src-port}->%{IP:nat-dst-ip}/%{INT:nat-dst-port}',
  '%{DATA:src-nat-rule-name}',
  '%{DATA:dst-nat-rule-name}',
  '%{INT:protocol-id}',
  '%{DATA:policy-name}',
  '%{DATA:from-zone}',
  '%{DATA:to-zone}',
  '%{INT:session-id}',
]

/** By name. */
export const NETWORK_PATTERNS: Readonly<Record<string, string>> = {
  RT_FLOW_EVENT: 'RT_FLOW_SESSION_(?:CREATE|CLOSE|DENY)',
  RT_FLOW1:
    `%{RT_FLOW_EVENT:event}: %{GREEDYDATA:close-reason}: ${FLOW.join(' ')} ` +
    '\\d+\\(%{INT:sent}\\) \\d+\\(%{INT:received}\\) %{INT:elapsed-time} .*',
  RT_FLOW2: `%{RT_FLOW_EVENT:event}: session created ${FLOW.join(' ')} .*`,
  RT_FLOW3:
    '%{RT_FLOW_EVENT:event}: session denied %{IP:src-ip}/%{INT:src-port}->' +
    '%{IP:dst-ip}/%{INT:dst-port} %{DATA:service} %{INT:protocol-id}\\(\\d\\) ' +
    '%{DATA:policy-name} %{DATA:from-zone} %{DATA:to-zone} .*',

  BRO_HTTP: columns(
    `${ENDS} trans_depth method domain uri referrer user_agent request_body_len response_body_len ` +
      'status_code status_msg info_code info_msg filename bro_tags username password proxied ' +
      'orig_fuids orig_mime_types resp_fuids resp_mime_types',
  ),
  BRO_DNS: columns(
    `${ENDS} proto trans_id query qclass qclass_name qtype qtype_name rcode rcode_name AA TC RD RA Z ` +
      'answers TTLs rejected',
  ),
  BRO_CONN: columns(
    `${ENDS} proto service duration orig_bytes resp_bytes conn_state local_orig missed_bytes history ` +
      'orig_pkts orig_ip_bytes resp_pkts resp_ip_bytes tunnel_parents',
  ),
  BRO_FILES: columns(
    'ts fuid tx_hosts rx_hosts conn_uids source depth analyzers mime_type filename duration ' +
      'local_orig is_orig seen_bytes total_bytes missing_bytes overflow_bytes timedout parent_fuid ' +
      'md5 sha1 sha256 extracted',
  ),
}
