import { describe, expect, it } from 'vitest'
import { Grok } from '../../src/pipeline/grok/grok.ts'
import { GROK_BANK } from '../../src/pipeline/grok/grok-bank.ts'
import { UNWATCHED } from '../support/ingest-runs.ts'

/** The fields of a line, those without a value left out; null: it does not match. */
function fieldsOf(name: string, line: string): Record<string, unknown> | null {
  const options = { bank: GROK_BANK, tracesMatch: false, capturesAll: false }
  const found = new Grok([`\\A%{${name}}\\z`], options).match(line, UNWATCHED.matches)
  if (found === null) return null
  return Object.fromEntries(
    found.filter(([, value]) => value !== null).map(([path, value]) => [path.text, value]),
  )
}

const LINES: readonly (readonly [name: string, line: string, fields: Record<string, string>])[] = [
  [
    'CRONLOG',
    'Sep  3 14:05:01 web1 CRON[812]: (root) CMD (run-parts /etc/cron.hourly)',
    {
      timestamp: 'Sep  3 14:05:01',
      logsource: 'web1',
      program: 'CRON',
      pid: '812',
      user: 'root',
      action: 'CMD',
      message: 'run-parts /etc/cron.hourly',
    },
  ],
  [
    'SYSLOGPAMSESSION',
    'Jan 12 08:00:09 db2 sshd[77]: pam_unix(sshd:session): session opened for user ada by (uid=0)',
    {
      timestamp: 'Jan 12 08:00:09',
      logsource: 'db2',
      program: 'sshd',
      pid: '77',
      pam_module: 'pam_unix',
      pam_caller: 'sshd:session',
      pam_session_state: 'opened',
      username: 'ada',
      pam_by: '(uid=0)',
    },
  ],
  [
    'SYSLOGLINE',
    '2024-05-06T07:08:09+02:00 mail postfix/smtpd[9]: connect from unknown',
    {
      timestamp8601: '2024-05-06T07:08:09+02:00',
      logsource: 'mail',
      program: 'postfix/smtpd',
      pid: '9',
      message: 'connect from unknown',
    },
  ],
  [
    'SYSLOG5424LINE',
    '<165>1 2024-10-11T22:14:15.003Z host.example app 42 ID47 [a@1 k="v]" l="\\"x"][b] two words',
    {
      syslog5424_pri: '165',
      syslog5424_ver: '1',
      syslog5424_ts: '2024-10-11T22:14:15.003Z',
      syslog5424_host: 'host.example',
      syslog5424_app: 'app',
      syslog5424_proc: '42',
      syslog5424_msgid: 'ID47',
      syslog5424_sd: '[a@1 k="v]" l="\\"x"][b]',
      syslog5424_msg: 'two words',
    },
  ],
  [
    'SYSLOG5424LINE',
    '<0>1 - - - - - -',
    { syslog5424_pri: '0', syslog5424_ver: '1', syslog5424_msg: '' },
  ],
  ['REDISLOG', '[4018] 14 Nov 07:01:22.119 * ', { pid: '4018', timestamp: '14 Nov 07:01:22.119' }],
  [
    'POSTGRESQL',
    '2024-02-03 04:05:06 UTC ada 5f2a.11 2212',
    { timestamp: '2024-02-03 04:05:06', user_id: 'ada', connection_id: '5f2a.11', pid: '2212' },
  ],
  [
    'MONGO_LOG',
    'Apr 20 02:22:11 [conn7] end connection',
    { timestamp: 'Apr 20 02:22:11', component: 'conn7', message: 'end connection' },
  ],
  [
    'MONGO_SLOWQUERY',
    'query shop.orders-old query: { n: { $gt: 1 } } ntoreturn:5 ntoskip:0 nscanned:812 keyUpdates:0 locks(micros) r:9 nreturned:5 reslen:212 104ms',
    {
      database: 'shop',
      collection: 'orders-old',
      query: '{ n: { $gt: 1 } }',
      ntoreturn: '5',
      ntoskip: '0',
      nscanned: '812',
      nreturned: '5',
      duration: '104',
    },
  ],
  [
    'MONGO3_LOG',
    '2024-11-03T18:28:32.450-0500 I NETWORK  [listener] waiting for connections on port 27017',
    {
      timestamp: '2024-11-03T18:28:32.450-0500',
      severity: 'I',
      component: 'NETWORK',
      context: 'listener',
      message: 'waiting for connections on port 27017',
    },
  ],
  [
    'HAPROXYHTTP',
    'Dec  9 13:01:26 lb haproxy[28]: 10.0.0.5:39759 [09/Dec/2013:12:59:46.633] www app/web8 0/51/1/48/99 200 83285 - - ---- 87/86/85/1/0 0/67 {agent|x} {cache} "GET /a/b.png?c=1 HTTP/1.1"',
    {
      syslog_timestamp: 'Dec  9 13:01:26',
      syslog_server: 'lb',
      program: 'haproxy',
      pid: '28',
      client_ip: '10.0.0.5',
      client_port: '39759',
      accept_date: '09/Dec/2013:12:59:46.633',
      haproxy_monthday: '09',
      haproxy_month: 'Dec',
      haproxy_year: '2013',
      haproxy_time: '12:59:46',
      haproxy_hour: '12',
      haproxy_minute: '59',
      haproxy_second: '46',
      haproxy_milliseconds: '633',
      frontend_name: 'www',
      backend_name: 'app',
      server_name: 'web8',
      time_request: '0',
      time_queue: '51',
      time_backend_connect: '1',
      time_backend_response: '48',
      time_duration: '99',
      http_status_code: '200',
      bytes_read: '83285',
      captured_request_cookie: '-',
      captured_response_cookie: '-',
      termination_state: '----',
      actconn: '87',
      feconn: '86',
      beconn: '85',
      srvconn: '1',
      retries: '0',
      srv_queue: '0',
      backend_queue: '67',
      captured_request_headers: 'agent|x',
      captured_response_headers: 'cache',
      http_verb: 'GET',
      http_request: '/a/b.png?c=1',
      http_version: '1.1',
    },
  ],
  [
    'HTTPD_ERRORLOG',
    '[Mon Mar 04 05:06:07 2024] [error] [client 192.0.2.3] File does not exist: /srv/a',
    {
      timestamp: 'Mon Mar 04 05:06:07 2024',
      loglevel: 'error',
      clientip: '192.0.2.3',
      errormsg: 'File does not exist: /srv/a',
    },
  ],
  [
    'HTTPD_ERRORLOG',
    '[Mon Mar 04 05:06:07.123456 2024] [proxy:error] [pid 812:tid 140] (111)Connection refused: [client 192.0.2.3:5123] AH00957: HTTP: attempt failed',
    {
      timestamp: 'Mon Mar 04 05:06:07.123456 2024',
      module: 'proxy',
      loglevel: 'error',
      pid: '812',
      tid: '140',
      proxy_errorcode: '111',
      proxy_errormessage: 'Connection refused',
      client: '192.0.2.3',
      clientport: '5123',
      errorcode: 'AH00957',
      message: 'HTTP: attempt failed',
    },
  ],
  [
    'HTTPD24_ERRORLOG',
    '[Mon Mar 04 05:06:07.123456 2024] [mpm_event:notice] [pid 7] resuming normal operations',
    {
      timestamp: 'Mon Mar 04 05:06:07.123456 2024',
      module: 'mpm_event',
      loglevel: 'notice',
      pid: '7',
      message: 'resuming normal operations',
    },
  ],
  [
    'JAVASTACKTRACEPART',
    '\tat org.acme.Größe$Inner.<init>(Größe.java:12)',
    { class: 'org.acme.Größe$Inner', method: '<init>', file: 'Größe.java', line: '12' },
  ],
  [
    'CATALINALOG',
    'Jan 9, 2024 7:13:13 AM org.acme.Starter started in 7 ms',
    {
      timestamp: 'Jan 9, 2024 7:13:13 AM',
      class: 'org.acme.Starter',
      logmessage: 'started in 7 ms',
    },
  ],
  [
    'TOMCATLOG',
    '2024-01-09 20:03:28,269 -0800 | ERROR | org.acme.Starter - no port',
    {
      timestamp: '2024-01-09 20:03:28,269 -0800',
      level: 'ERROR',
      class: 'org.acme.Starter',
      logmessage: 'no port',
    },
  ],
  [
    'RUBY_LOGGER',
    'I, [2024-03-04T05:06:07.123456 #31]  INFO -- main: hello there',
    {
      timestamp: '2024-03-04T05:06:07.123456',
      pid: '31',
      loglevel: 'INFO',
      progname: 'main',
      message: 'hello there',
    },
  ],
  [
    'RAILS3',
    'Started POST "/cart?x=1" for 10.0.0.9 at 2024-08-05 11:37:01 +0200\nProcessing by Shop::CartController#create as JSON\nCompleted 200 OK in 16ms (Views: 4.0ms | ActiveRecord: 1.5ms)',
    {
      verb: 'POST',
      request: '/cart?x=1',
      clientip: '10.0.0.9',
      timestamp: '2024-08-05 11:37:01 +0200',
      controller: 'Shop::CartController',
      action: 'create',
      format: 'JSON',
      response: '200',
      totalms: '16',
      viewms: '4.0',
      activerecordms: '1.5',
      context: '',
    },
  ],
  [
    'MCOLLECTIVE',
    'I, [2024-03-04T05:06:07.123456 #31]  INFO',
    { timestamp: '2024-03-04T05:06:07.123456', pid: '31', event_level: 'INFO' },
  ],
  ['MCOLLECTIVEAUDIT', '2024-03-04T05:06:07.123:', { timestamp: '2024-03-04T05:06:07.123' }],
]

describe('lines of logs', () => {
  it.each(LINES)('%s: %s', (name, line, fields) => {
    expect(fieldsOf(name, line)).toEqual(fields)
  })
})

describe('lines of Nagios', () => {
  it.each<[string, Record<string, string>]>([
    [
      'CURRENT SERVICE STATE: web;SSH;OK;HARD;1;SSH OK; fine',
      {
        hostname: 'web',
        service: 'SSH',
        state: 'OK',
        statetype: 'HARD',
        statecode: '1',
        message: 'SSH OK; fine',
      },
    ],
    [
      'HOST ALERT: web;DOWN;SOFT;2;no answer',
      { hostname: 'web', state: 'DOWN', statelevel: 'SOFT', attempt: '2', message: 'no answer' },
    ],
    [
      'SERVICE NOTIFICATION: ada;web;Disk;CRITICAL;notify-by-mail;full',
      {
        notifyname: 'ada',
        hostname: 'web',
        service: 'Disk',
        state: 'CRITICAL',
        contact: 'notify-by-mail',
        message: 'full',
      },
    ],
    ['HOST FLAPPING ALERT: web;STARTED;x', { hostname: 'web', state: 'STARTED', message: 'x' }],
    [
      'SERVICE EVENT HANDLER: web;Disk;OK;HARD;restart',
      {
        hostname: 'web',
        service: 'Disk',
        state: 'OK',
        statelevel: 'HARD',
        event_handler_name: 'restart',
      },
    ],
    [
      'EXTERNAL COMMAND: SCHEDULE_HOST_DOWNTIME;web;1;2;1;0;60;ada;new disk',
      {
        command: 'SCHEDULE_HOST_DOWNTIME',
        hostname: 'web',
        start_time: '1',
        end_time: '2',
        fixed: '1',
        trigger_id: '0',
        duration: '60',
        author: 'ada',
        comment: 'new disk',
      },
    ],
    [
      'EXTERNAL COMMAND: DISABLE_HOST_SVC_NOTIFICATIONS;web',
      { command: 'DISABLE_HOST_SVC_NOTIFICATIONS', hostname: 'web' },
    ],
    [
      'TIMEPERIOD TRANSITION: workhours;-1;1',
      { service: 'workhours', unknown1: '-1', unknown2: '1' },
    ],
  ])('%s', (line, fields) => {
    const [type] = line.split(':')
    expect(fieldsOf('NAGIOSLOGLINE', `[1427925600] ${line}`)).toEqual({
      nagios_epoch: '1427925600',
      nagios_type: type,
      ...Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [`nagios_${name}`, value]),
      ),
    })
  })

  it('are told apart from others', () => {
    expect(fieldsOf('NAGIOSLOGLINE', '[1] Warning: slow')).toEqual({
      nagios_epoch: '1',
      nagios_message: 'slow',
    })
    expect(fieldsOf('NAGIOSLOGLINE', '[1] AUTO-SAVE: done')).toBeNull()
    expect(fieldsOf('NAGIOS_EC_LINE_ENABLE_HOST_CHECK', 'EXTERNAL COMMAND: NOPE;a')).toBeNull()
  })
})
