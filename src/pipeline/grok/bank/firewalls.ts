/**
 * Patterns of the logs of firewalls. Those of Cisco's are one line for each of its messages, written as its
 * manuals print them (`message-pattern.ts`).
 */
import { messagePattern } from '../message-pattern.ts'

/** An end of a connection: `inside:10.0.0.1/80`, the port of which may be left out. */
const END = (side: string): string =>
  `%{DATA:${side}_interface}:%{IP:${side}_ip}(?:/%{INT:${side}_port})?`
/** The same without an interface. */
const BARE = (side: string): string => `%{IP:${side}_ip}(?:/%{INT:${side}_port})?`
/** The same as lists of access print it: `inside/10.0.0.1(80)`. */
const LISTED = (side: string): string =>
  `%{DATA:${side}_interface}/%{IP:${side}_ip}\\(%{INT:${side}_port}\\)`
/** Who stands at an end. */
const WHO = (side: string): string => `(?:\\(%{DATA:${side}_fwuser}\\))?`
/** The address that an end has on the other side, and who stands there. */
const MAPPED = (side: string): string =>
  `(?: \\(%{IP:${side}_mapped_ip}(?:/%{INT:${side}_mapped_port})?\\))?${WHO(side)}`

/** Parts of messages. */
const PARTS: Readonly<Record<string, string>> = {
  'src end': END('src') + WHO('src'),
  'dst end': END('dst') + WHO('dst'),
  'src mapped': END('src') + MAPPED('src'),
  'dst mapped': END('dst') + MAPPED('dst'),
  'src listed': LISTED('src') + WHO('src'),
  'dst listed': LISTED('dst') + WHO('dst'),
  src: BARE('src') + WHO('src'),
  dst: BARE('dst') + WHO('dst'),
  translated: '%{DATA:src_xlated_interface}:%{IP:src_xlated_ip}/%{DATA:src_xlated_port}',
  outside: '%{IP:src_xlated_ip}/%{INT:icmp_code_xlated}',
  from: '(?:from|src)',
  to: '(?:to|dst)',
  'place or reason': '(?:on interface %{DATA:interface}|due to %{CISCO_REASON:reason})',
  action: '%{CISCO_ACTION:action}',
  direction: '%{CISCO_DIRECTION:direction}',
  interval: '%{CISCO_INTERVAL:interval}',
  reason: '%{CISCO_REASON:reason}',
  'whole reason': '%{GREEDYDATA:reason}',
  'translation type': '%{CISCO_XLATE_TYPE:xlate_type}',
  protocol: '(?<protocol>[\\w-]+)',
  hashes: '\\[%{DATA:hashcode1}, %{DATA:hashcode2}\\]',
  'is it natted': '(?<is_remote_natted>is(?: not)?)',
  'are we natted': '(?<is_local_natted>is(?: not)?)',
}

/** Messages by their numbers; those of one line have the same words. */
const MESSAGES: Readonly<Record<string, string>> = {
  '104001': '({unit}) Switching to ACTIVE - {switch_reason}',
  '104002': '({unit}) Switching to STANDBY - {switch_reason}',
  '104003': '({unit}) Switching to FAILED.',
  '104004': '({unit}) Switching to OK.',
  '105003': '({unit}) Monitoring on interface {interface_name} waiting',
  '105004': '({unit}) Monitoring on interface {interface_name} normal',
  '105005': '({unit}) Lost Failover communications with mate on interface {interface_name}',
  '105008': '({unit}) Testing Interface {interface_name}',
  '105009': '({unit}) Testing on interface {interface_name} <Passed><Failed>',
  '106001':
    '{direction} {protocol} connection {action} from {src} to {dst} flags {tcp_flags} on interface {interface}',
  '106006_106007_106010':
    '{action} {direction} {protocol} {from} {src} {to} {dst} {place or reason}',
  '106014':
    '{action} {direction} {protocol} src {src end} dst {dst end} (type {#icmp_type}, code {#icmp_code})',
  '106015':
    '{action} {protocol} ({policy_id}) from {src} to {dst} flags {tcp_flags} on interface {interface}',
  '106021': '{action} {protocol} reverse path check from {src} to {dst} on interface {interface}',
  '106023':
    '{action}< protocol> {protocol} src {src end} dst {dst end}< (type {#icmp_type}, code {#icmp_code})> by access-group "{policy_id}" {hashes}',
  '106100_2_3':
    "access-list {policy_id} {action} {protocol} for user '{src_fwuser}' {src listed} -» {dst listed} hit-cnt {#hit_count} {interval} {hashes}",
  '106100':
    'access-list {policy_id} {action} {protocol} {src listed} -» {dst listed} hit-cnt {#hit_count} {interval} {hashes}',
  '110002': '{reason} for {protocol} from {src end} to {dst}',
  '302010': '{#connection_count} in use, {#connection_count_max} most used',
  '302013_302014_302015_302016':
    '{action}< {direction}> {protocol} connection {#connection_id} for {src mapped} to {dst mapped}< duration {duration} bytes {#bytes}>< {reason}>< ({user})>',
  '302020_302021':
    '{action}< {direction}> {protocol} connection for faddr {dst} gaddr {outside} laddr {src}',
  '305011': '{action} {translation type} {protocol} translation from {src end} to {translated}',
  '313001_313004_313008':
    '{action} {protocol} type={#icmp_type}, code={#icmp_code} from {src} on interface {interface}< to {dst}>',
  '313005':
    '{reason} for {protocol} error message: {err_protocol} src {src end} dst {dst end} (type {#err_icmp_type}, code {#err_icmp_code}) on {interface} interface. Original IP payload: {orig_payload}',
  '321001': "Resource '{resource_name}' limit of {#resource_limit} reached for system",
  '402117':
    '{protocol}: Received a non-IPSec packet (protocol= {orig_protocol}) from {src} to {dst}',
  '402119':
    '{protocol}: Received an {orig_protocol} packet (SPI= {spi}, sequence number= {seq_num}) from {src} (user= {user}) to {dst} that failed anti-replay checking',
  '419001': '{action} {protocol} packet from {src end} to {dst end}, reason: {whole reason}',
  '419002': '{reason} from {src end} to {dst end} with different initial sequence number',
  '500004': '{reason} for protocol={protocol}, from {src} to {dst}',
  '602303_602304':
    '{protocol}: An {direction} {tunnel_type} SA (SPI= {spi}) between {src} and {dst} (user= {user}) has been {action}',
  '710001_710002_710003_710005_710006':
    '{protocol} <request><access> {action} from {src} to {dst end}',
  '713172':
    'Group = {group}, IP = {src}, Automatic NAT Detection Status: Remote end {is it natted} behind a NAT device This end {are we natted} behind a NAT device',
  '733100':
    '[{drop_type}] drop {drop_rate_id} exceeded. Current burst rate is {#drop_rate_current_burst} per second, max configured rate is {#drop_rate_max_burst}; Current average rate is {#drop_rate_current_avg} per second, max configured rate is {#drop_rate_max_avg}; Cumulative total count is {#drop_total_count}',
}

/** Blanks of messages may be several. */
const spaced = (pattern: string): string => pattern.replaceAll(' ', ' +')

/** Keys of a session that NetScreen logs, with the fields that they fill. */
const SESSION: readonly (readonly [key: string, field: string])[] = [
  ['start_time=', '%{QUOTEDSTRING:start_time}'],
  ['duration=', '%{INT:duration}'],
  ['policy_id=', '%{INT:policy_id}'],
  ['service=', '%{DATA:service}'],
  ['proto=', '%{INT:proto}'],
  ['src zone=', '%{WORD:src_zone}'],
  ['dst zone=', '%{WORD:dst_zone}'],
  ['action=', '%{WORD:action}'],
  ['sent=', '%{INT:sent}'],
  ['rcvd=', '%{INT:rcvd}'],
  ['src=', '%{IPORHOST:src_ip}'],
  ['dst=', '%{IPORHOST:dst_ip}'],
  ['src_port=', '%{INT:src_port}'],
  ['dst_port=', '%{INT:dst_port}'],
  ['src-xlated ip=', '%{IPORHOST:src_xlated_ip}'],
  ['port=', '%{INT:src_xlated_port}'],
  ['dst-xlated ip=', '%{IPORHOST:dst_xlated_ip}'],
  ['port=', '%{INT:dst_xlated_port}'],
  ['session_id=', '%{INT:session_id}'],
  ['reason=', '%{GREEDYDATA:reason}'],
]

/** What netfilter prints of a packet, in its order; others may stand between. */
const PACKET: string = [
  'IN=%{NOTSPACE:nf_in_interface}?',
  ' OUT=%{NOTSPACE:nf_out_interface}?',
  '(?: MAC=%{COMMONMAC:nf_dst_mac}:%{COMMONMAC:nf_src_mac}\\S*| MAC=)?',
  ' SRC=%{IP:nf_src_ip}',
  ' DST=%{IP:nf_dst_ip}',
  ' LEN=%{INT:nf_len}',
  '(?: TOS=%{NOTSPACE:nf_tos})?',
  '(?: PREC=%{NOTSPACE:nf_prec})?',
  '(?:.*? TTL=%{INT:nf_ttl})?',
  '(?:.*? ID=%{INT:nf_id})?',
  '.*? PROTO=%{WORD:nf_protocol}',
  '(?:.*? SPT=%{INT:nf_src_port} DPT=%{INT:nf_dst_port})?',
].join('')
const LINE_OF_KERNEL =
  '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) %{SYSLOGHOST:nf_host} ' +
  'kernel:(?: *\\[ *[0-9.]+\\])? '

/** By name. */
export const FIREWALL_PATTERNS: Readonly<Record<string, string>> = {
  CISCOTIMESTAMP: '%{MONTH} +%{MONTHDAY}(?: %{YEAR})? %{TIME}',
  CISCOTAG: '[A-Z0-9]+-%{INT}-\\w+',
  CISCO_TAGGED_SYSLOG:
    '<%{POSINT:syslog_pri}>%{CISCOTIMESTAMP:timestamp}(?: %{SYSLOGHOST:sysloghost})? ?: %%{CISCOTAG:ciscotag}:',
  CISCO_ACTION:
    '(?:Built|Teardown|Deny|Denied|Dropping|denied by ACL|denied|permitted|est-allowed|requested|discarded|created|deleted)',
  CISCO_DIRECTION: '(?:[Ii]nbound|[Oo]utbound)',
  CISCO_INTERVAL: '(?:first hit|%{INT}-second interval)',
  CISCO_REASON: '(?:[A-Za-z][\\w/-]*(?: [A-Za-z][\\w/-]*)*)',
  CISCO_XLATE_TYPE: '(?:static|dynamic)',
  ...Object.fromEntries(
    Object.entries(MESSAGES).map(([numbers, text]) => [
      `CISCOFW${numbers}`,
      spaced(messagePattern(text, PARTS)),
    ]),
  ),
  NETSCREENSESSIONLOG:
    '%{SYSLOGTIMESTAMP:date} %{IPORHOST:device} %{IPORHOST}: NetScreen device_id=%{WORD:device_id}%{DATA}: ' +
    SESSION.map(([key, field]) => `${key}${field}`).join(' '),
  SHOREWALL: `${LINE_OF_KERNEL}Shorewall:%{WORD:nf_action1}:%{WORD:nf_action2}:${PACKET}.*`,
}
