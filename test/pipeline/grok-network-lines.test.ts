import { describe, expect, it } from 'vitest'
import { Grok } from '../../src/pipeline/grok/grok.ts'
import { GROK_BANK } from '../../src/pipeline/grok/grok-bank.ts'
import { messagePattern } from '../../src/pipeline/grok/message-pattern.ts'
import { Float32 } from '../../src/util/json/json-value.ts'
import { UNWATCHED } from '../support/ingest-runs.ts'

const OPTIONS = { bank: GROK_BANK, tracesMatch: false, capturesAll: false }

/** The fields of a line, those without a value left out; null: it does not match. */
function fieldsOf(name: string, line: string): Record<string, unknown> | null {
  const found = new Grok([`\\A%{${name}}\\z`], OPTIONS).match(line, UNWATCHED.matches)
  if (found === null) return null
  return Object.fromEntries(
    found.filter(([, value]) => value !== null).map(([path, value]) => [path.text, value]),
  )
}

type Sample = readonly [name: string, line: string, fields: Record<string, unknown>]

const TAB = '\t'
const SRC = { src_interface: 'in', src_ip: '10.1.2.3', src_port: '1024' }
const DST = { dst_interface: 'out', dst_ip: '198.51.100.7', dst_port: '443' }
const ENDS = { src_ip: '10.1.2.3', src_port: '1024', dst_ip: '198.51.100.7', dst_port: '443' }
const HASHES = { hashcode1: '0x1f', hashcode2: '0x0' }

const MAIL: readonly Sample[] = [
  ['EXIM_MSGID', '1kGx0f-0003Qb-7Y', {}],
  ['EXIM_FLAGS', '=>', {}],
  ['EXIM_FLAGS', '**', {}],
  [
    'EXIM_DATE',
    '2024-03-04 05:06:07',
    { exim_year: '2024', exim_month: '03', exim_day: '04', exim_time: '05:06:07' },
  ],
  ['EXIM_PID', '[4711]', {}],
  ['EXIM_QT', '2d4h', {}],
  [
    'EXIM_REMOTE_HOST',
    'H=mx.example.org (helo.example.org) [203.0.113.9]:25',
    {
      remote_hostname: 'mx.example.org',
      remote_heloname: 'helo.example.org',
      remote_host: '203.0.113.9',
      remote_port: '25',
    },
  ],
  ['EXIM_REMOTE_HOST', 'H=[2001:db8::7]', { remote_host: '2001:db8::7' }],
  [
    'EXIM_INTERFACE',
    'I=[192.0.2.1]:587',
    { exim_interface: '192.0.2.1', exim_interface_port: '587' },
  ],
  ['EXIM_PROTOCOL', 'P=esmtps', { protocol: 'esmtps' }],
  ['EXIM_MSG_SIZE', 'S=1234', { exim_msg_size: '1234' }],
  ['EXIM_HEADER_ID', 'id=a.b@c.example', { exim_header_id: 'a.b@c.example' }],
  ['EXIM_SUBJECT', 'T="two words"', { exim_subject: '"two words"' }],
  ['EXIM_EXCLUDE_TERMS', 'End queue run', {}],
]

const NAMES_AND_ROUTES: readonly Sample[] = [
  [
    'RT_FLOW2',
    'RT_FLOW_SESSION_CREATE: session created 10.1.2.3/1024->198.51.100.7/443 junos-https 192.0.2.8/2048->198.51.100.7/443 hide None 6 web trust untrust 99 N/A(N/A) ge-0/0/0.0',
    {
      event: 'RT_FLOW_SESSION_CREATE',
      'src-ip': '10.1.2.3',
      'src-port': '1024',
      'dst-ip': '198.51.100.7',
      'dst-port': '443',
      service: 'junos-https',
      'nat-src-ip': '192.0.2.8',
      'nat-src-port': '2048',
      'nat-dst-ip': '198.51.100.7',
      'nat-dst-port': '443',
      'src-nat-rule-name': 'hide',
      'dst-nat-rule-name': 'None',
      'protocol-id': '6',
      'policy-name': 'web',
      'from-zone': 'trust',
      'to-zone': 'untrust',
      'session-id': '99',
    },
  ],
  [
    'RT_FLOW3',
    'RT_FLOW_SESSION_DENY: session denied 10.1.2.3/1->10.9.9.9/23 telnet 6(0) none dmz trust UNKNOWN',
    {
      event: 'RT_FLOW_SESSION_DENY',
      'src-ip': '10.1.2.3',
      'src-port': '1',
      'dst-ip': '10.9.9.9',
      'dst-port': '23',
      service: 'telnet',
      'protocol-id': '6',
      'policy-name': 'none',
      'from-zone': 'dmz',
      'to-zone': 'trust',
    },
  ],
]

const MONITORS: readonly Sample[] = [
  [
    'BRO_CONN',
    [
      '1700000000.25',
      'CuX1',
      '10.0.0.5',
      '5353',
      '224.0.0.251',
      '5353',
      'udp',
      'dns',
      '0.5',
      '10',
      '20',
      'SF',
      'T',
      '0',
      'Dd',
      '1',
      '38',
      '1',
      '48',
      '(empty)',
    ].join(TAB),
    {
      ts: '1700000000.25',
      uid: 'CuX1',
      orig_h: '10.0.0.5',
      orig_p: '5353',
      resp_h: '224.0.0.251',
      resp_p: '5353',
      proto: 'udp',
      service: 'dns',
      duration: '0.5',
      orig_bytes: '10',
      resp_bytes: '20',
      conn_state: 'SF',
      local_orig: 'T',
      missed_bytes: '0',
      history: 'Dd',
      orig_pkts: '1',
      orig_ip_bytes: '38',
      resp_pkts: '1',
      resp_ip_bytes: '48',
      tunnel_parents: '(empty)',
    },
  ],
]

const FIREWALLS: readonly Sample[] = [
  [
    'CISCO_TAGGED_SYSLOG',
    '<166>Mar  4 2024 05:06:07 fw1 : %ASA-6-302013:',
    {
      syslog_pri: '166',
      timestamp: 'Mar  4 2024 05:06:07',
      sysloghost: 'fw1',
      ciscotag: 'ASA-6-302013',
    },
  ],
  [
    'CISCOFW104001',
    '(Primary) Switching to ACTIVE - mate is gone',
    { unit: 'Primary', switch_reason: 'mate is gone' },
  ],
  ['CISCOFW104003', '(Secondary) Switching to FAILED.', { unit: 'Secondary' }],
  [
    'CISCOFW105005',
    '(Primary) Lost Failover communications with mate on interface dmz',
    { unit: 'Primary', interface_name: 'dmz' },
  ],
  [
    'CISCOFW105009',
    '(Primary) Testing on interface dmz Passed',
    { unit: 'Primary', interface_name: 'dmz' },
  ],
  [
    'CISCOFW106001',
    'Inbound TCP connection denied from 10.1.2.3/1024 to 198.51.100.7/443 flags SYN on interface out',
    {
      ...ENDS,
      direction: 'Inbound',
      protocol: 'TCP',
      action: 'denied',
      tcp_flags: 'SYN',
      interface: 'out',
    },
  ],
  [
    'CISCOFW106006_106007_106010',
    'Deny inbound UDP from 10.1.2.3/1024 to 198.51.100.7/443 due to DNS Query',
    { ...ENDS, action: 'Deny', direction: 'inbound', protocol: 'UDP', reason: 'DNS Query' },
  ],
  [
    'CISCOFW106014',
    'Deny inbound icmp src out:198.51.100.9 dst in:10.1.2.3 (type 8, code 0)',
    {
      action: 'Deny',
      direction: 'inbound',
      protocol: 'icmp',
      src_interface: 'out',
      src_ip: '198.51.100.9',
      dst_interface: 'in',
      dst_ip: '10.1.2.3',
      icmp_type: '8',
      icmp_code: '0',
    },
  ],
  [
    'CISCOFW106015',
    'Deny TCP (no connection) from 10.1.2.3/1024 to 198.51.100.7/443 flags RST  on interface in',
    {
      ...ENDS,
      action: 'Deny',
      protocol: 'TCP',
      policy_id: 'no connection',
      tcp_flags: 'RST',
      interface: 'in',
    },
  ],
  [
    'CISCOFW106023',
    'Deny tcp src in:10.1.2.3/1024(LOCAL\\ada) dst out:198.51.100.7/443 by access-group "acl_in" [0x1f, 0x0]',
    {
      ...SRC,
      ...DST,
      ...HASHES,
      src_fwuser: 'LOCAL\\ada',
      action: 'Deny',
      protocol: 'tcp',
      policy_id: 'acl_in',
    },
  ],
  [
    'CISCOFW106100',
    'access-list acl_in denied tcp in/10.1.2.3(1024) -> out/198.51.100.7(443) hit-cnt 3 300-second interval [0x1f, 0x0]',
    {
      ...SRC,
      ...DST,
      ...HASHES,
      policy_id: 'acl_in',
      action: 'denied',
      protocol: 'tcp',
      hit_count: '3',
      interval: '300-second interval',
    },
  ],
  [
    'CISCOFW106100_2_3',
    "access-list acl_in permitted udp for user 'ada' in/10.1.2.3(1024) -> out/198.51.100.7(443) hit-cnt 1 first hit [0x1f, 0x0]",
    {
      ...SRC,
      ...DST,
      ...HASHES,
      src_fwuser: 'ada',
      policy_id: 'acl_in',
      action: 'permitted',
      protocol: 'udp',
      hit_count: '1',
      interval: 'first hit',
    },
  ],
  [
    'CISCOFW110002',
    'Failed to locate egress interface for UDP from in:10.1.2.3/1024 to 198.51.100.7/443',
    {
      ...SRC,
      dst_ip: '198.51.100.7',
      dst_port: '443',
      reason: 'Failed to locate egress interface',
      protocol: 'UDP',
    },
  ],
  [
    'CISCOFW302010',
    '12 in use, 340 most used',
    { connection_count: '12', connection_count_max: '340' },
  ],
  [
    'CISCOFW302013_302014_302015_302016',
    'Built outbound TCP connection 77 for out:198.51.100.7/443 (198.51.100.7/443) to in:10.1.2.3/1024 (192.0.2.8/2048)',
    {
      action: 'Built',
      direction: 'outbound',
      protocol: 'TCP',
      connection_id: '77',
      src_interface: 'out',
      src_ip: '198.51.100.7',
      src_port: '443',
      src_mapped_ip: '198.51.100.7',
      src_mapped_port: '443',
      dst_interface: 'in',
      dst_ip: '10.1.2.3',
      dst_port: '1024',
      dst_mapped_ip: '192.0.2.8',
      dst_mapped_port: '2048',
    },
  ],
  [
    'CISCOFW302013_302014_302015_302016',
    'Teardown TCP connection 77 for in:10.1.2.3/1024 to out:198.51.100.7/443 duration 0:01:02 bytes 5120 TCP FINs (ada)',
    {
      ...SRC,
      ...DST,
      action: 'Teardown',
      protocol: 'TCP',
      connection_id: '77',
      duration: '0:01:02',
      bytes: '5120',
      reason: 'TCP FINs',
      user: 'ada',
    },
  ],
  [
    'CISCOFW302020_302021',
    'Built inbound ICMP connection for faddr 198.51.100.7/443 gaddr 192.0.2.8/0 laddr 10.1.2.3/1024',
    {
      ...ENDS,
      action: 'Built',
      direction: 'inbound',
      protocol: 'ICMP',
      src_xlated_ip: '192.0.2.8',
      icmp_code_xlated: '0',
    },
  ],
  [
    'CISCOFW305011',
    'Built dynamic TCP translation from in:10.1.2.3/1024 to out:192.0.2.8/2048',
    {
      ...SRC,
      action: 'Built',
      xlate_type: 'dynamic',
      protocol: 'TCP',
      src_xlated_interface: 'out',
      src_xlated_ip: '192.0.2.8',
      src_xlated_port: '2048',
    },
  ],
  [
    'CISCOFW313001_313004_313008',
    'Denied IPv6-ICMP type=128, code=0 from 2001:db8::1 on interface out',
    {
      action: 'Denied',
      protocol: 'IPv6-ICMP',
      icmp_type: '128',
      icmp_code: '0',
      src_ip: '2001:db8::1',
      interface: 'out',
    },
  ],
  [
    'CISCOFW313005',
    'No matching connection for ICMP error message: icmp src in:10.1.2.3 dst out:198.51.100.7 (type 3, code 3) on in interface.  Original IP payload: udp src 198.51.100.7/53 dst 10.1.2.3/1024.',
    {
      reason: 'No matching connection',
      protocol: 'ICMP',
      err_protocol: 'icmp',
      src_interface: 'in',
      src_ip: '10.1.2.3',
      dst_interface: 'out',
      dst_ip: '198.51.100.7',
      err_icmp_type: '3',
      err_icmp_code: '3',
      interface: 'in',
      orig_payload: 'udp src 198.51.100.7/53 dst 10.1.2.3/1024.',
    },
  ],
  [
    'CISCOFW321001',
    "Resource 'conns' limit of 100 reached for system",
    { resource_name: 'conns', resource_limit: '100' },
  ],
  [
    'CISCOFW419001',
    'Dropping TCP packet from in:10.1.2.3/1024 to out:198.51.100.7/443, reason: MSS exceeded, MSS 460, data 1440',
    {
      ...SRC,
      ...DST,
      action: 'Dropping',
      protocol: 'TCP',
      reason: 'MSS exceeded, MSS 460, data 1440',
    },
  ],
  [
    'CISCOFW419002',
    'Duplicate TCP SYN from in:10.1.2.3/1024 to out:198.51.100.7/443 with different initial sequence number',
    { ...SRC, ...DST, reason: 'Duplicate TCP SYN' },
  ],
  [
    'CISCOFW500004',
    'Invalid transport field for protocol=UDP, from 10.1.2.3/1024 to 198.51.100.7/443',
    { ...ENDS, reason: 'Invalid transport field', protocol: 'UDP' },
  ],
  [
    'CISCOFW602303_602304',
    'IPSEC: An outbound LAN-to-LAN SA (SPI= 0x1A) between 10.1.2.3 and 198.51.100.7 (user= ada) has been created',
    {
      protocol: 'IPSEC',
      direction: 'outbound',
      tunnel_type: 'LAN-to-LAN',
      spi: '0x1A',
      src_ip: '10.1.2.3',
      dst_ip: '198.51.100.7',
      user: 'ada',
      action: 'created',
    },
  ],
  [
    'CISCOFW710001_710002_710003_710005_710006',
    'UDP request discarded from 10.1.2.3/1024 to out:198.51.100.7/443',
    { src_ip: '10.1.2.3', src_port: '1024', ...DST, protocol: 'UDP', action: 'discarded' },
  ],
  [
    'CISCOFW733100',
    '[Scanning] drop rate-1 exceeded. Current burst rate is 5 per second, max configured rate is 10; Current average rate is 6 per second, max configured rate is 5; Cumulative total count is 3900',
    {
      drop_type: 'Scanning',
      drop_rate_id: 'rate-1',
      drop_rate_current_burst: '5',
      drop_rate_max_burst: '10',
      drop_rate_current_avg: '6',
      drop_rate_max_avg: '5',
      drop_total_count: '3900',
    },
  ],
  [
    'SHOREWALL',
    'Mar  4 05:06:07 gate kernel: [12.5] Shorewall:net2fw:DROP:IN=eth0 OUT= MAC=00:11:22:33:44:55:66:77:88:99:aa:bb:08:00 SRC=203.0.113.5 DST=192.0.2.1 LEN=40 TOS=0x00 PREC=0x00 TTL=51 ID=7 PROTO=TCP SPT=4444 DPT=22 WINDOW=1024',
    {
      timestamp: 'Mar  4 05:06:07',
      nf_host: 'gate',
      nf_action1: 'net2fw',
      nf_action2: 'DROP',
      nf_in_interface: 'eth0',
      nf_dst_mac: '00:11:22:33:44:55',
      nf_src_mac: '66:77:88:99:aa:bb',
      nf_src_ip: '203.0.113.5',
      nf_dst_ip: '192.0.2.1',
      nf_len: '40',
      nf_tos: '0x00',
      nf_prec: '0x00',
      nf_ttl: '51',
      nf_id: '7',
      nf_protocol: 'TCP',
      nf_src_port: '4444',
      nf_dst_port: '22',
    },
  ],
]

const BACKUPS: readonly Sample[] = [
  [
    'STARTJOB',
    'Start Backup JobId 12, Job=Daily.2024-03-04_05.06.07_08',
    { backup_jobid: '12', job: 'Daily.2024-03-04_05.06.07_08' },
  ],
  ['USEDEVICE', 'Using Device "Store1"', { device: 'Store1' }],
  ['NEW_VOLUME', 'Created new Volume "Vol-0007" in catalog.', { volume: 'Vol-0007' }],
  [
    'MAX_CAPACITY',
    'User defined maximum volume capacity 1,073,741,824 exceeded on device "Store1" (/srv/bacula)',
    { device: 'Store1', path: '/srv/bacula' },
  ],
  [
    'END_VOLUME',
    'End of medium on Volume "Vol-0007" Bytes=1,024 Blocks=16 at 04-Mar-2024 05:06.',
    { volume: 'Vol-0007' },
  ],
  [
    'NOSTAT',
    'Could not stat /gone: ERR=No such file or directory',
    { filename: '/gone', berror: 'No such file or directory' },
  ],
  [
    'DIFF_FS',
    '/proc is a different filesystem. Will not descend from / into it.',
    { filename: '/proc', parent: '/' },
  ],
  [
    'JOBEND',
    'Job write elapsed time = 00:10:00, Transfer rate = 5.5 M Bytes/second',
    { elapsed: '00:10:00', rate: '5.5 M' },
  ],
  [
    'PRUNED_FILES',
    'Pruned Files from 3 Jobs for client web-fd from catalog.',
    { jobs: '3', client: 'web-fd' },
  ],
  [
    'FATAL_CONN',
    'Fatal error: bsock.c:135 Unable to connect to Client: web-fd on web.example.net:9102. ERR=Connection refused',
    {
      line: '135',
      client: 'web-fd',
      address: 'web.example.net',
      port: '9102',
      berror: 'Connection refused',
    },
  ],
]

const CLOUDS: readonly Sample[] = [
  [
    'S3_ACCESS_LOG',
    '79a5 pictures [04/Mar/2024:05:06:07 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT a/b.jpg "GET /pictures/a/b.jpg HTTP/1.1" 200 - 1024 2048 17 9 "-" "curl/8.0" - extra columns',
    {
      owner: '79a5',
      bucket: 'pictures',
      timestamp: '04/Mar/2024:05:06:07 +0000',
      clientip: '192.0.2.3',
      request_id: '3E57',
      operation: 'REST.GET.OBJECT',
      key: 'a/b.jpg',
      verb: 'GET',
      request: '/pictures/a/b.jpg',
      httpversion: '1.1',
      response: 200,
      bytes: 1024,
      object_size: 2048,
      request_time_ms: 17,
      turnaround_time_ms: 9,
      referrer: '"-"',
      agent: '"curl/8.0"',
    },
  ],
  [
    'ELB_ACCESS_LOG',
    '2024-03-04T05:06:07.123456Z front 192.0.2.3:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://www.example.net:80/a?b=1 HTTP/1.1"',
    {
      timestamp: '2024-03-04T05:06:07.123456Z',
      elb: 'front',
      clientip: '192.0.2.3',
      clientport: 2817,
      backendip: '10.0.0.1',
      backendport: 80,
      request_processing_time: new Float32(0.000073),
      backend_processing_time: new Float32(0.001048),
      response_processing_time: new Float32(0.000057),
      response: 200,
      backend_response: 200,
      received_bytes: 0,
      bytes: 29,
      verb: 'GET',
      request: 'http://www.example.net:80/a?b=1',
      proto: 'http',
      urihost: 'www.example.net:80',
      port: '80',
      path: '/a',
      params: '?b=1',
      httpversion: '1.1',
    },
  ],
]

describe('grok knows lines of', () => {
  it.each(MAIL)('mail servers: %s %s', (name, line, fields) => {
    expect(fieldsOf(name, line)).toEqual(fields)
  })
  it.each(NAMES_AND_ROUTES)('name servers and routers: %s %s', (name, line, fields) => {
    expect(fieldsOf(name, line)).toEqual(fields)
  })
  it.each(MONITORS)('network monitors: %s', (name, line, fields) => {
    expect(fieldsOf(name, line)).toEqual(fields)
    expect(fieldsOf(name, line.replaceAll(TAB, ' '))).toBeNull()
  })
  it.each(FIREWALLS)('firewalls: %s %s', (name, line, fields) => {
    expect(fieldsOf(name, line)).toEqual(fields)
    expect(fieldsOf(name, `# ${line}`)).toBeNull()
  })
  it.each(BACKUPS)('backups: %s %s', (name, line, fields) => {
    expect(fieldsOf(`BACULA_LOG_${name}`, line)).toEqual(fields)
    expect(fieldsOf('BACULA_LOGLINE', `04-Mar 05:06 bacula-dir JobId 9: ${line}`)).toEqual({
      bts: '04-Mar 05:06',
      hostname: 'bacula-dir',
      jobid: '9',
      ...fields,
    })
  })
  it.each(CLOUDS)('clouds: %s', (name, line, fields) => {
    expect(fieldsOf(name, line)).toEqual(fields)
  })
})

it('compiles every pattern of the bank', () => {
  expect(GROK_BANK.size).toBe(303)
  for (const name of GROK_BANK.keys())
    expect(() => new Grok([`%{${name}}`], OPTIONS), name).not.toThrow()
})

it('reads messages as their programs print them', () => {
  const parts = { 'a part': '[ab]+' }
  expect(messagePattern('x.{a part} ({#n})< {f}> -» {g}', parts)).toBe(
    'x\\.[ab]+ \\(%{INT:n}\\)(?: %{DATA:f})? -> %{GREEDYDATA:g}',
  )
})
