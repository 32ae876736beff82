import { describe, expect, it } from 'vitest'
import { Grok } from '../../src/pipeline/grok/grok.ts'
import { GROK_BANK } from '../../src/pipeline/grok/grok-bank.ts'
import type { ScriptValue } from '../../src/script/value/script-value.ts'
import { UNWATCHED } from '../support/ingest-runs.ts'

/** The fields of a text by the paths that an expression gives them; null: it does not match. */
function match(expression: string, text: string): Record<string, ScriptValue> | null {
  const options = { bank: GROK_BANK, tracesMatch: false, capturesAll: false }
  const found = new Grok([expression], options).match(text, UNWATCHED.matches)
  return found === null
    ? null
    : Object.fromEntries(found.map(([path, value]) => [path.text, value]))
}

/** The whole of a text that a pattern of the bank takes. */
const whole = (name: string, text: string): boolean =>
  match(`\\A%{${name}:x}\\z`, text)?.['x'] === text

describe('the bank', () => {
  it.each([...GROK_BANK.keys()])('has %s, which is an expression', name => {
    expect(() => match(`%{${name}:x}`, 'some text 1')).not.toThrow()
    expect(() => match(`%{${name}:x}`, 'größer 1')).not.toThrow()
  })

  it.each([
    ['INT', ['0', '-12', '+7'], ['1.5', 'x', '']],
    ['NUMBER', ['1', '-1.5', '.5', '+0.25'], ['1.', 'x', '1e3']],
    ['BASE16NUM', ['ff', '0xFF', '-12'], ['fg', '0x']],
    ['POSINT', ['1', '100'], ['0', '01']],
    ['NONNEGINT', ['0', '12'], ['-1']],
    ['WORD', ['a_1', 'größe'], ['a b', 'a-b']],
    ['QUOTEDSTRING', ['"a \\" b"', "'x'", '`y`', '""'], ['"a', 'a"']],
    ['UUID', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
    [
      'MAC',
      ['00:1b:44:11:3A:B7', '001b.4411.3ab7', '00-1b-44-11-3a-b7'],
      ['00:1b:44:11:3A', 'gg:1b:44:11:3a:b7'],
    ],
    ['IPV4', ['0.0.0.0', '255.255.255.255', '192.168.1.1'], ['256.1.1.1', '1.2.3', '1.2.3.4.5']],
    [
      'IPV6',
      [
        '::',
        '::1',
        '1::',
        '1::8',
        '1:2:3:4:5:6:7:8',
        'fe80::1ff:fe23:4567:890a',
        '::ffff:10.0.0.1',
        '1:2::10.0.0.1',
        'fe80::1%eth0',
      ],
      ['1:2', '1:2:3:4:5:6:7:8:9', ':::', 'g::'],
    ],
    ['HOSTNAME', ['a', 'a-b.example.org', '1x'], ['-a', 'a..b']],
    ['HOSTPORT', ['a.b:80'], ['a.b', 'a.b:0']],
    ['EMAILADDRESS', ['a.b+c@ex.org'], ['@ex.org', 'a@']],
    ['UNIXPATH', ['/', '/a/b.c-d', '/a//b'], ['a/b']],
    ['WINPATH', ['C:\\a\\b', '\\\\host\\x'], ['C:a']],
    ['URI', ['http://a.b/c?d=e', 'https://u:p@h:8080/x', 'git+ssh://h/r'], ['//a', 'a.b']],
    ['MONTH', ['Jan', 'January', 'Dec', 'May', 'Mai'], ['Foo', 'J']],
    ['MONTHDAY', ['1', '01', '31'], ['0', '32']],
    ['DAY', ['Mon', 'Tuesday'], ['Mo']],
    ['TIME', ['23:59:59', '1:02:03,004', '00:00:60'], ['24:00:00', '12:30']],
    ['DATE', ['1/31/2020', '31.1.2020', '12-31-99'], ['2020-01-01']],
    [
      'TIMESTAMP_ISO8601',
      ['2020-01-02T03:04:05.678Z', '2020-01-02 03:04', '2020-01-02T03:04:05+01:00'],
      ['2020-01-02', '2020-13-02T03:04:05'],
    ],
    ['DATESTAMP_RFC2822', ['Mon, 02 Jan 2020 03:04:05 +0100'], ['Mon 2']],
    ['SYSLOGTIMESTAMP', ['Oct 11 22:14:15', 'Oct  1 2:14:15'], ['11 Oct 22:14:15']],
    ['HTTPDATE', ['10/Oct/2000:13:55:36 -0700'], ['10/10/2000:13:55:36 -0700']],
    ['LOGLEVEL', ['INFO', 'warning', 'ERROR', 'Fatal', 'EMERGENCY'], ['LOUD']],
  ])('%s takes %j and not %j', (name, good, bad) => {
    for (const text of good) expect([text, whole(name, text)]).toEqual([text, true])
    for (const text of bad) expect([text, whole(name, text)]).toEqual([text, false])
  })

  it.each([
    [
      'COMBINEDAPACHELOG',
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326 "http://e.com/s" "Mozilla/4.08 (X)"',
      {
        clientip: '127.0.0.1',
        ident: '-',
        auth: 'frank',
        timestamp: '10/Oct/2000:13:55:36 -0700',
        verb: 'GET',
        request: '/a.gif',
        httpversion: '1.0',
        response: '200',
        bytes: '2326',
        referrer: '"http://e.com/s"',
        agent: '"Mozilla/4.08 (X)"',
      },
    ],
  ])('%s reads %s', (name, text, fields) => {
    expect(match(`%{${name}}`, text)).toEqual(fields)
  })
})

describe('expressions', () => {
  it.each([
    ['(a)(?<x>b)', 'ab', { x: 'b' }],
    ['(?<x>a|ab)c', 'abc', { x: 'ab' }],
    ['(?<x>(?>a+))a', 'aaa', null],
    ['(?<x>a++)a', 'aaa', null],
    ['(?<x>a*+b)', 'aab', { x: 'aab' }],
    ['(?<x>a)\\k<x>', 'aa', { x: 'a' }],
    // Digits behind a reference are none of its own.
    ['(?<x>a)\\k<x>0', 'aa0', { x: 'a' }],
    ['(?<x>a)(?<y>b)(?>\\k<y>+)\\k<x>1(?<z>c)', 'abbba1c', { x: 'a', y: 'b', z: 'c' }],
    ['(?<x>a)\\\\k<x>', 'a\\k<x>', { x: 'a' }],
    ['(?<x>[(?<g0>]+)\\k<x>', '(?(?', { x: '(?' }],
    ['(?i)(?<x>ab[c-d])', 'ABD', { x: 'ABD' }],
    ['(?i:A)(?<x>b)', 'aB', null],
    ['(?<x>(?i)a)b', 'AB', null],
    ['(?m)(?<x>a.b)', 'a\nb', { x: 'a\nb' }],
    ['(?<x>a.b)', 'a\nb', null],
    ['(?x) (?<x> a ) # rest', 'a', { x: 'a' }],
    ['^(?<x>b)$', 'a\nb\nc', { x: 'b' }],
    ['\\A(?<x>b)', 'a\nb', null],
    ['(?<x>b)\\Z', 'b\n', { x: 'b' }],
    ['(?<x>[[:alpha:]_]+)', '1ab_c', { x: 'ab_c' }],
    ['(?<x>[[:^digit:]]+)', '12ab', { x: 'ab' }],
    ['(?<x>\\p{Alpha}+)', '1äb', { x: 'äb' }],
    ['(?<x>\\p{^Alpha}+)', 'ä12', { x: '12' }],
    ['(?<x>\\h+)', 'xyzAf0', { x: 'Af0' }],
    ['(?<x>\\H+)', 'af xyz', { x: ' xyz' }],
    ['(?<x>[\\w-]+)', 'a-ß b', { x: 'a-ß' }],
    ['(?<x>[a-c&]+)', 'xa&c', { x: 'a&c' }],
    ['(?<x>[]a]+)', 'x]a', { x: ']a' }],
    ['(?<x>[^]a]+)', ']xa', { x: 'x' }],
    ['(?<x>[a[bc]]+)', 'xabc', { x: 'abc' }],
    ['(?<x>\\x41\\u0042\\t)', 'AB\t', { x: 'AB\t' }],
    ['(?<x>\\x{1f600})', '😀', { x: '😀' }],
    ['(?<x>.)', '😀', { x: '😀' }],
    ['(?<x>a{,2}b)', 'aab', { x: 'aab' }],
    ['(?<x>a{2}+)', 'aaaa', { x: 'aaaa' }],
    ['(?<x>a{x})', 'a{x}', { x: 'a{x}' }],
    ['(?#note)(?<x>a)', 'a', { x: 'a' }],
    ['(?<=a)(?<x>b)(?=c)(?!d)(?<!x)', 'abc', { x: 'b' }],
    ['(?<x>\\Rb)', 'a\r\nb', { x: '\r\nb' }],
    ['100% (?<x>a)%', '100% a%', { x: 'a' }],
    ['%{X:x=[a-c]+}', 'zab', { x: 'ab' }],
    ['(?<x>\\bä\\b)', 'ä ', { x: 'ä' }],
    ['(?<x>\\b\\w+\\b)', '-größe-', { x: 'größe' }],
    ["(?'x'a)", 'a', { x: 'a' }],
  ])('%s finds in %j: %j', (expression, text, fields) => {
    expect(match(expression, text)).toEqual(fields)
  })

  it.each([
    ['(', 'end pattern with unmatched parenthesis in [(]'],
    [')', 'unmatched close parenthesis in [)]'],
    ['[a', 'premature end of char-class in [[a]'],
    ['[b-a]', 'empty range in char class in [[b-a]]'],
    ['*a', 'target of repeat operator is not specified in [*a]'],
    ['a\\', 'end pattern at escape in [a\\]'],
    ['(a)\\1', 'numbered backref/call is not allowed. (use name) in [(a)\\1]'],
    ['\\k<y>', 'undefined name <y> reference in [\\k<y>]'],
    ['\\p{Nope}', 'invalid character property name {Nope}'],
    ['(?z)', 'undefined group option in [(?z)]'],
    ['[a&&b]', '[&& in a char-class] is not supported yet in [[a&&b]]'],
    ['%{NOPE}', "Unable to find pattern [NOPE] in Grok's pattern dictionary"],
  ])('%s is refused: %s', (expression, reason) => {
    expect(() => match(expression, 'x')).toThrow(reason)
  })

  it('of which the first that matches at the first possible place wins', () => {
    const options = { bank: GROK_BANK, tracesMatch: true, capturesAll: false }
    const grok = new Grok(['b(?<x>.)', 'a(?<y>.)'], options)
    const found = grok.match('zab', UNWATCHED.matches)!
    expect(found.map(([path, value]) => [path.text, value])).toEqual([
      ['_ingest._grok_match_index', '1'],
      ['y', 'b'],
    ])
  })
})
