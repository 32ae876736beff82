import { describe, expect, it } from 'vitest'
import { PROCESSOR_NAMES } from '../../src/pipeline/processors.ts'
import { processed, thrown } from '../support/ingest-runs.ts'

/** Options of a processor, a source, and the source behind it. */
type Case = readonly [
  type: string,
  options: object,
  source: object | string,
  result: object | string,
]

const DATE_ISO = { field: 'd', formats: ['ISO8601'], target_field: 't' }

const FLOW = {
  source_ip_field: 's',
  source_port_field: 'sp',
  destination_ip_field: 'd',
  destination_port_field: 'dp',
  protocol_field: 'p',
  iana_protocol_number_field: 'n',
  icmp_type_field: 't',
  icmp_code_field: 'c',
  target_field: 'id',
}

const CASES: readonly Case[] = [
  [
    'community_id',
    FLOW,
    { s: '192.168.1.52', sp: 54585, d: '8.8.8.8', dp: 53, p: 'UDP' },
    '{"s":"192.168.1.52","sp":54585,"d":"8.8.8.8","dp":53,"p":"UDP","id":"1:d/FP5EW3wiY1vCndhwleRRKHowQ="}',
  ],
  [
    'community_id',
    FLOW,
    { s: '66.35.250.204', sp: 80, d: '128.232.110.120', dp: 34855, n: 6 },
    '{"s":"66.35.250.204","sp":80,"d":"128.232.110.120","dp":34855,"n":6,"id":"1:LQU9qZlK+B5F3KDmev6m5PMibrg="}',
  ],
  [
    'community_id',
    FLOW,
    { s: '192.168.0.89', d: '192.168.0.1', n: 1, t: 8, c: 0 },
    '{"s":"192.168.0.89","d":"192.168.0.1","n":1,"t":8,"c":0,"id":"1:X0snYXpgwiv9TZtqg64sgzUn6Dk="}',
  ],
  [
    'community_id',
    { ...FLOW, ignore_missing: true },
    { s: '1.1.1.1', n: 6 },
    '{"s":"1.1.1.1","n":6}',
  ],
  [
    'fingerprint',
    { fields: ['foo', 'bar', 'foo'] },
    { foo: 'foo', bar: 'bar' },
    '{"foo":"foo","bar":"bar","fingerprint":"SHA-1@2.16.0:fYeen7hTJ2zs9lpmUnk6nvH54sM="}',
  ],
  [
    'fingerprint',
    { exclude_fields: ['bar'], target_field: 't' },
    { foo: 'foo', bar: 'bar', _id: 'x' },
    '{"foo":"foo","bar":"bar","_id":"x","t":"SHA-1@2.16.0:YqpBTuHXCPV04j/7lGfWeUl8Tyo="}',
  ],
  [
    'fingerprint',
    { hash_method: 'md5@2.16.0' },
    { a: { c: [1], b: 'x' } },
    '{"a":{"c":[1],"b":"x"},"fingerprint":"MD5@2.16.0:AYpNsT9e0KvySQPB+tQYYQ=="}',
  ],
  ['fingerprint', { fields: ['x'], ignore_missing: true }, {}, '{}'],
  [
    'remove_by_pattern',
    { field_pattern: 'a*' },
    { ab: 1, b: 2, _index: 'a' },
    '{"b":2,"_index":"a"}',
  ],
  [
    'remove_by_pattern',
    { exclude_field_pattern: ['a*', 'b'] },
    { ab: 1, b: 2, c: 3 },
    '{"ab":1,"b":2}',
  ],
  ['set', { field: 'a', value: 1 }, {}, '{"a":1}'],
  [
    'set',
    { field: 'a.b.c', value: [1.5, '{{x}}'] },
    { x: 'y' },
    '{"x":"y","a":{"b":{"c":[1.5,"y"]}}}',
  ],
  [
    'set',
    { field: '{{f}}', value: '{{{x}}}' },
    { f: 'k', x: '"q"' },
    '{"f":"k","x":"\\"q\\"","k":"\\"q\\""}',
  ],
  ['set', { field: 'a', value: '{{x}}' }, { x: '"q"' }, '{"x":"\\"q\\"","a":"\\\\\\"q\\\\\\""}'],
  ['set', { field: 'a', value: { k: '{{x}}' } }, { x: 1 }, '{"x":1,"a":{"k":"1"}}'],
  ['set', { field: 'a', value: 2, override: false }, { a: 1 }, '{"a":1}'],
  ['set', { field: 'a', value: 2, override: false }, { a: null }, '{"a":2}'],
  ['set', { field: 'a', value: '{{none}}', ignore_empty_value: true }, { a: 1 }, '{"a":1}'],
  ['set', { field: 'a', value: '{{none}}' }, { a: 1 }, '{"a":""}'],
  ['set', { field: 'l.1', value: 'b' }, { l: ['a', 'c'] }, '{"l":["a","b"]}'],
  ['set', { field: '_source.a', value: 1 }, {}, '{"a":1}'],
  ['set', { field: 'a', value: '{{_ingest.timestamp}}' }, {}, '{"a":"2020-01-02T03:04:05.678Z"}'],
  ['set', { field: 'a', value: '{{_source.b}}{{_ingest.pipeline}}' }, { b: 1 }, '{"b":1,"a":"1p"}'],
  [
    'set',
    { field: 'a', value: '{{l.1}}{{l.size}}{{l}}{{m}}' },
    { l: [1, 2], m: { k: 1.0 } },
    '{"l":[1,2],"m":{"k":1},"a":"22{0=1, 1=2}{k=1}"}',
  ],
  [
    'set',
    { field: 'a', value: '{{#l}}<{{.}}>{{/l}}{{^n}}none{{/n}}{{#m}}{{k}}{{/m}}{{!x}}' },
    { l: [1, 2], m: { k: 'v' } },
    '{"l":[1,2],"m":{"k":"v"},"a":"<1><2>nonev"}',
  ],
  [
    'set',
    { field: 'a', value: '{{#toJson}}m{{/toJson}}{{#join}}l{{/join}}{{#url}}{{s}}{{/url}}' },
    { l: [1, 2], m: { k: [1, 'v'] }, s: 'a b' },
    '{"l":[1,2],"m":{"k":[1,"v"]},"s":"a b","a":"{\\"k\\":[1,\\"v\\"]}1,2a+b"}',
  ],
  [
    'set',
    { field: 'a', value: '{{m}}{{l.0.k}}{{_source.m.k.1}}{{=<% %>=}}<% m.k.0 %>' },
    { l: [{ k: 'x' }], m: { k: [1, 'v'] } },
    '{"l":[{"k":"x"}],"m":{"k":[1,"v"]},"a":"{k=[1, v]}xv1"}',
  ],
  ['append', { field: 'a', value: 'b' }, {}, '{"a":["b"]}'],
  [
    'append',
    { field: 'a', value: ['b', '{{x}}'] },
    { a: 'a', x: 'c' },
    '{"a":["a","b","c"],"x":"c"}',
  ],
  [
    'append',
    { field: 'a', value: ['a', 'b'], allow_duplicates: false },
    { a: ['a'] },
    '{"a":["a","b"]}',
  ],
  ['append', { field: 'a.0', value: 1 }, { a: [[0]] }, '{"a":[[0,1]]}'],
  ['remove', { field: 'a' }, { a: 1, b: 2 }, '{"b":2}'],
  ['remove', { field: ['a', '{{c}}'] }, { a: 1, b: 2, c: 'b' }, '{"c":"b"}'],
  ['remove', { field: 'x', ignore_missing: true }, { a: 1 }, '{"a":1}'],
  ['remove', { field: 'l.0' }, { l: [1, 2] }, '{"l":[2]}'],
  ['remove', { exclude_field: ['a', 'c'] }, { a: 1, b: 2, c: 3 }, '{"a":1,"c":3}'],
  ['rename', { field: 'a', target_field: 'b.c' }, { a: 1 }, '{"b":{"c":1}}'],
  ['rename', { field: 'a', target_field: 'b', ignore_missing: true }, {}, '{}'],
  ['rename', { field: 'a', target_field: 'b', override_target: true }, { a: 1, b: 2 }, '{"b":1}'],
  ['copy', { source_field: 'a', target_field: 'b' }, { a: { k: 1 } }, '{"a":{"k":1},"b":{"k":1}}'],
  ['copy', { source_field: 'a', target_field: 'b', remove_source: true }, { a: 1 }, '{"b":1}'],
  ['copy', { source_field: 'x', target_field: 'b', ignore_missing: true }, {}, '{}'],
  [
    'copy',
    { source_field: 'a', target_field: 'b', override_target: true },
    { a: 1, b: 2 },
    '{"a":1,"b":1}',
  ],
  ['drop', {}, { a: 1 }, 'dropped'],
  ['uppercase', { field: 'a' }, { a: ['straße', 'b'] }, '{"a":["STRASSE","B"]}'],
  ['lowercase', { field: 'a', target_field: 'b' }, { a: 'ÄB' }, '{"a":"ÄB","b":"äb"}'],
  ['lowercase', { field: 'a', ignore_missing: true }, { a: null }, '{"a":null}'],
  ['trim', { field: 'a' }, { a: ' \t x \n' }, '{"a":"x"}'],
  ['bytes', { field: 'a' }, { a: ['1kb', '2.5mb', '7b'] }, '{"a":[1024,2621440,7]}'],
  ['urldecode', { field: 'a' }, { a: 'a+b%20%C3%A4%25' }, '{"a":"a b ä%"}'],
  ['html_strip', { field: 'a' }, { a: '<p>a <b>b</b> &amp; c</p>' }, '{"a":"\\na b & c\\n"}'],
  ['join', { field: 'a', separator: '-' }, { a: [1, 'x', null, true] }, '{"a":"1-x-null-true"}'],
  ['join', { field: 'a', separator: ',', target_field: 'b' }, { a: [1] }, '{"a":[1],"b":"1"}'],
  ['split', { field: 'a', separator: ',' }, { a: 'a,,b,,' }, '{"a":["a","","b"]}'],
  ['split', { field: 'a', separator: '\\s+' }, { a: 'a  b c' }, '{"a":["a","b","c"]}'],
  [
    'split',
    { field: 'a', separator: '', target_field: 'b' },
    { a: 'abc' },
    '{"a":"abc","b":["a","b","c"]}',
  ],
  [
    'split',
    { field: 'a', separator: '\\|', preserve_trailing: true },
    { a: 'a||' },
    '{"a":["a","",""]}',
  ],
  ['split', { field: 'a', separator: ',', ignore_missing: true }, {}, '{}'],
  [
    'gsub',
    { field: 'a', pattern: '(\\d)(\\w)', replacement: '$2$1' },
    { a: '1a-2b' },
    '{"a":"a1-b2"}',
  ],
  ['gsub', { field: 'a', pattern: '', replacement: '.' }, { a: 'ab' }, '{"a":".a.b."}'],
  [
    'gsub',
    { field: 'a', pattern: 'b', replacement: '', target_field: 'c' },
    { a: ['ab', 'b'] },
    '{"a":["ab","b"],"c":["a",""]}',
  ],
  ['sort', { field: 'a' }, { a: [3, 1, 2] }, '{"a":[1,2,3]}'],
  [
    'sort',
    { field: 'a', order: 'desc', target_field: 'b' },
    { a: ['b', 'a'] },
    '{"a":["b","a"],"b":["b","a"]}',
  ],
  ['json', { field: 'a' }, { a: '{"k":1.0,"l":[null,true]}' }, '{"a":{"k":1.0,"l":[null,true]}}'],
  ['json', { field: 'a', target_field: 'b' }, { a: '3' }, '{"a":"3","b":3}'],
  ['json', { field: 'a', add_to_root: true }, { a: '{"k":1}' }, '{"a":"{\\"k\\":1}","k":1}'],
  ['json', { field: 'a' }, { a: null }, '{"a":null}'],
  [
    'kv',
    { field: 'a', field_split: ' ', value_split: '=' },
    { a: 'x=1 y=2=3 x=4' },
    '{"a":"x=1 y=2=3 x=4","x":["1","4"],"y":"2=3"}',
  ],
  [
    'kv',
    { field: 'a', field_split: '&', value_split: '=', target_field: 't', prefix: 'p_' },
    { a: 'x=1' },
    '{"a":"x=1","t":{"p_x":"1"}}',
  ],
  [
    'kv',
    {
      field: 'a',
      field_split: '&',
      value_split: '=',
      include_keys: ['x', 'y'],
      exclude_keys: ['y'],
    },
    { a: 'x=1&y=2&z=3' },
    '{"a":"x=1&y=2&z=3","x":"1"}',
  ],
  [
    'kv',
    { field: 'a', field_split: ',', value_split: ':', trim_key: ' ', trim_value: '*' },
    { a: ' x : *1*' },
    '{"a":" x : *1*","x":" *1"}',
  ],
  [
    'kv',
    { field: 'a', field_split: '[,;]', value_split: '=', strip_brackets: true },
    { a: 'x=(1);y="2"' },
    '{"a":"x=(1);y=\\"2\\"","x":"1","y":"2"}',
  ],
  ['kv', { field: 'a', field_split: ' ', value_split: '=', ignore_missing: true }, {}, '{}'],
  [
    'csv',
    { field: 'a', target_fields: ['x', 'y', 'z'] },
    { a: '1,"b ""q"" ,c",' },
    '{"a":"1,\\"b \\"\\"q\\"\\" ,c\\",","x":"1","y":"b \\"q\\" ,c"}',
  ],
  [
    'csv',
    {
      field: 'a',
      target_fields: ['x', 'y'],
      separator: ';',
      quote: "'",
      trim: true,
      empty_value: '-',
    },
    { a: " 1 ; 'b' " },
    `{"a":" 1 ; 'b' ","x":"1","y":"b"}`,
  ],
  [
    'csv',
    { field: 'a', target_fields: ['x', 'y', 'z'], empty_value: 0 },
    { a: '1,,3' },
    '{"a":"1,,3","x":"1","y":0,"z":"3"}',
  ],
  ['csv', { field: 'a', target_fields: ['x'], ignore_missing: true }, {}, '{}'],
  ['convert', { field: 'a', type: 'integer' }, { a: ['7', '-0x1F', 5] }, '{"a":[7,-31,5]}'],
  ['convert', { field: 'a', type: 'long' }, { a: '9007199254740993' }, '{"a":9007199254740993}'],
  ['convert', { field: 'a', type: 'float' }, { a: '1.1' }, '{"a":1.1}'],
  ['convert', { field: 'a', type: 'double' }, { a: ['2', '1e3'] }, '{"a":[2.0,1000.0]}'],
  ['convert', { field: 'a', type: 'boolean' }, { a: ['TRUE', 'false'] }, '{"a":[true,false]}'],
  [
    'convert',
    { field: 'a', type: 'string', target_field: 'b' },
    '{"a":1.0}',
    '{"a":1.0,"b":"1.0"}',
  ],
  ['convert', { field: 'a', type: 'ip' }, { a: '::1' }, '{"a":"::1"}'],
  [
    'convert',
    { field: 'a', type: 'auto' },
    { a: ['true', '1', '99999999999', '1.5', 'x', 2] },
    '{"a":[true,1,99999999999,1.5,"x",2]}',
  ],
  // An object becomes no part of itself.
  [
    'convert',
    { field: 'a', type: 'auto', target_field: 'a.b' },
    { a: { x: 1 } },
    '{"a":{"x":1,"b":{"x":1}}}',
  ],
  ['convert', { field: 'a', type: 'long', ignore_missing: true }, {}, '{}'],
  [
    'foreach',
    { field: 'a', processor: { uppercase: { field: '_ingest._value' } } },
    { a: ['x', 'y'] },
    '{"a":["X","Y"]}',
  ],
  [
    'foreach',
    { field: 'a', processor: { append: { field: 'b', value: '{{_ingest._value.k}}' } } },
    { a: [{ k: 1 }, { k: 2 }] },
    '{"a":[{"k":1},{"k":2}],"b":["1","2"]}',
  ],
  [
    'foreach',
    {
      field: 'a',
      processor: {
        foreach: {
          field: '_ingest._value.l',
          processor: { uppercase: { field: '_ingest._value' } },
        },
      },
    },
    { a: [{ l: ['x'] }] },
    '{"a":[{"l":["X"]}]}',
  ],
  ['foreach', { field: 'a', processor: { drop: {} } }, { a: [1] }, 'dropped'],
  ['foreach', { field: 'a', ignore_missing: true, processor: { drop: {} } }, {}, '{}'],
  ['dot_expander', { field: 'a.b' }, { 'a.b': 1 }, '{"a":{"b":1}}'],
  ['dot_expander', { field: 'a.b' }, { 'a.b': 1, a: { b: 2 } }, '{"a":{"b":[2,1]}}'],
  ['dot_expander', { field: 'b.c', path: 'a' }, { a: { 'b.c': 1 } }, '{"a":{"b":{"c":1}}}'],
  ['dot_expander', { field: '*' }, { 'a.b': 1, 'a.c': 2, d: 3 }, '{"d":3,"a":{"b":1,"c":2}}'],
  ['dot_expander', { field: 'x.y' }, { a: 1 }, '{"a":1}'],
  [
    'dissect',
    { field: 'm', pattern: '%{a} - %{b->} [%{c}]' },
    { m: 'x - y   [z]' },
    '{"m":"x - y   [z]","a":"x","b":"y  ","c":"z"}',
  ],
  [
    'dissect',
    { field: 'm', pattern: '%{a->} %{b}' },
    { m: 'x    y' },
    '{"m":"x    y","a":"x","b":"y"}',
  ],
  [
    'dissect',
    { field: 'm', pattern: '%{+n/2} %{+n/1} %{?s} %{} %{r}', append_separator: ',' },
    { m: 'a b c d e' },
    '{"m":"a b c d e","r":"e","n":"b,a"}',
  ],
  ['dissect', { field: 'm', pattern: '%{n} %{+n}' }, { m: 'a b' }, '{"m":"a b","n":"ab"}'],
  [
    'dissect',
    { field: 'm', pattern: '%{*k}=%{&k}, %{x.y}' },
    { m: 'a=b, c' },
    '{"m":"a=b, c","x":{"y":"c"},"a":"b"}',
  ],
  [
    'dissect',
    { field: 'm', pattern: '%{a},%{b},%{c}' },
    { m: 'x,,z' },
    '{"m":"x,,z","a":"x","b":"","c":"z"}',
  ],
  ['dissect', { field: 'm', pattern: '%{a}', ignore_missing: true }, {}, '{}'],
  [
    'date',
    DATE_ISO,
    { d: '2020-01-02T03:04:05+01:00' },
    '{"d":"2020-01-02T03:04:05+01:00","t":"2020-01-02T02:04:05.000Z"}',
  ],
  [
    'date',
    { ...DATE_ISO, formats: ['UNIX'] },
    { d: 1.5 },
    '{"d":1.5,"t":"1970-01-01T00:00:01.500Z"}',
  ],
  [
    'date',
    { ...DATE_ISO, formats: ['UNIX_MS'] },
    { d: '1500' },
    '{"d":"1500","t":"1970-01-01T00:00:01.500Z"}',
  ],
  [
    'date',
    { ...DATE_ISO, formats: ['TAI64N'] },
    { d: '@4000000050d506482dbdf024' },
    '{"d":"@4000000050d506482dbdf024","t":"2012-12-22T01:00:46.767Z"}',
  ],
  [
    'date',
    { ...DATE_ISO, formats: ['x', 'dd/MM/yyyy'], timezone: 'Europe/Amsterdam' },
    { d: '12/06/2010' },
    '{"d":"12/06/2010","t":"2010-06-12T00:00:00.000+02:00"}',
  ],
  [
    'date',
    { ...DATE_ISO, formats: ['d MMM yyyy'], timezone: '{{z}}', locale: '{{l}}' },
    { d: '3 mai 2010', z: 'UTC', l: 'fr' },
    '{"d":"3 mai 2010","z":"UTC","l":"fr","t":"2010-05-03T00:00:00.000Z"}',
  ],
  [
    'date',
    { field: 'd', formats: ['yyyy'], output_format: 'yyyy/MM' },
    { d: '2010' },
    '{"d":"2010","@timestamp":"2010/01"}',
  ],
  [
    'date',
    { ...DATE_ISO, formats: ['MM-dd'], output_format: 'MM-dd' },
    { d: '03-04' },
    '{"d":"03-04","t":"03-04"}',
  ],
  [
    'date_index_name',
    { field: 'd', date_rounding: 'M', index_name_prefix: 'my-' },
    { d: '2016-04-22T16:32:14.968Z' },
    '{"d":"2016-04-22T16:32:14.968Z","_index":"<my-{2016-04-22||/M{yyyy-MM-dd|UTC}}>"}',
  ],
  [
    'date_index_name',
    {
      field: 'd',
      date_rounding: 'y',
      date_formats: ['UNIX'],
      timezone: 'Europe/Paris',
      locale: 'fr',
      index_name_format: 'yyyy',
    },
    { d: 0 },
    '{"d":0,"_index":"<{1970||/y{yyyy|Europe/Paris}}>"}',
  ],
  ['pipeline', { name: 'none', ignore_missing_pipeline: true }, { a: 1 }, '{"a":1}'],
  [
    'grok',
    { field: 'm', patterns: ['%{NUMBER:n:float} %{NUMBER:i:int} <%{WORD:w}>'] },
    { m: '123.42 400 <foo>' },
    '{"m":"123.42 400 <foo>","n":123.42,"i":400,"w":"foo"}',
  ],
  [
    'grok',
    {
      field: 'm',
      patterns: ['%{A:[x][y]:long}|%{B:z:boolean}'],
      pattern_definitions: { A: '\\d+', B: '\\w+' },
    },
    { m: 'true' },
    '{"m":"true","z":true}',
  ],
  [
    'grok',
    { field: 'm', patterns: ['x%{INT:a}', '%{INT:a:double}'] },
    { m: '-5' },
    '{"m":"-5","a":-5.0}',
  ],
  [
    'grok',
    { field: 'm', patterns: ['%{INT:a} %{INT:a}'], capture_all_matches: true },
    { m: '1 2' },
    '{"m":"1 2","a":["1","2"]}',
  ],
  ['grok', { field: 'm', patterns: ['%{INT:a} %{INT:a}'] }, { m: '1 2' }, '{"m":"1 2","a":"1"}'],
  ['grok', { field: 'm', patterns: ['%{WORD:w}'], ignore_missing: true }, {}, '{}'],
]

describe('processors', () => {
  it.each(CASES)('%s %j makes of %j: %s', (type, options, source, result) => {
    expect(processed([{ [type]: options }], source)).toBe(result)
  })

  it('are all tried here, but scripts', () => {
    const tried = new Set(CASES.map(([type]) => type))
    const untried = PROCESSOR_NAMES.filter(name => !tried.has(name))
    expect(untried).toEqual(['fail', 'script'])
  })
})

const ILLEGAL = 'illegal_argument_exception'

/** Options, a source, and the error of the run. */
const FAULTS: readonly (readonly [
  type: string,
  options: object,
  source: object,
  error: string,
  errorType?: string,
])[] = [
  [
    'set',
    { field: 'a.b', value: 1 },
    { a: 'x' },
    'cannot set [b] with parent object of type [java.lang.String] as part of path [a.b]',
  ],
  [
    'set',
    { field: 'a.b', value: 1 },
    { a: null },
    'cannot set [b] with null parent as part of path [a.b]',
  ],
  [
    'set',
    { field: 'a.b.c', value: 1 },
    { a: 1 },
    'cannot resolve [b] from object of type [java.lang.Integer] as part of path [a.b.c]',
  ],
  [
    'set',
    { field: 'a.b.c', value: 1 },
    { a: null },
    'cannot resolve [b] from null as part of path [a.b.c]',
  ],
  [
    'set',
    { field: 'a.x', value: 1 },
    { a: [1] },
    '[x] is not an integer, cannot be used as an index as part of path [a.x]',
  ],
  [
    'set',
    { field: 'a.3', value: 1 },
    { a: [1] },
    '[3] is out of bounds for array with length [1] as part of path [a.3]',
  ],
  ['set', { field: '{{none}}', value: 1 }, {}, 'path cannot be null nor empty'],
  ['set', { field: '{{p}}', value: 1 }, { p: '_ingest.' }, 'path [_ingest.] is not valid'],
  [
    'append',
    { field: 'a.b', value: 1 },
    { a: 1 },
    'cannot set [b] with parent object of type [java.lang.Integer] as part of path [a.b]',
  ],
  [
    'community_id',
    FLOW,
    {},
    'cannot resolve protocol by neither iana protocol number field [n] nor protocol name field [p]',
  ],
  ['community_id', FLOW, { n: 2 }, 'unsupported iana protocol number [2]'],
  ['community_id', FLOW, { p: 'x' }, 'unsupported protocol [x]'],
  [
    'community_id',
    FLOW,
    { n: '6' },
    'field [n] of type [java.lang.String] cannot be cast to [java.lang.Integer]',
  ],
  ['community_id', FLOW, { n: 6 }, 'ip address in the field [s] is null or empty'],
  [
    'community_id',
    FLOW,
    { n: 6, s: 'x' },
    'ip address [x] in the field [s] is not a valid ipv4/ipv6 address',
  ],
  [
    'community_id',
    FLOW,
    { n: 6, s: '1.1.1.1', d: '::1' },
    'source ip and destination ip must have same format',
  ],
  [
    'community_id',
    FLOW,
    { n: 6, s: '::2', d: '::1' },
    'both source port and destination port cannot be null, but port in the field path [sp] is null',
  ],
  [
    'community_id',
    FLOW,
    { n: 6, s: '::2', d: '::1', sp: 70000 },
    'both source port and destination port must be between 0 and 65535, but port in the field path [sp] is [70000]',
  ],
  [
    'community_id',
    { source_ip_field: 's', destination_ip_field: 'd', protocol_field: 'p' },
    { p: 'tcp', s: '::2', d: '::1' },
    'both source port and destination port field path cannot be null nor empty',
  ],
  [
    'community_id',
    { source_ip_field: 's', destination_ip_field: 'd', protocol_field: 'p' },
    { p: 'icmp', s: '::2', d: '::1' },
    'icmp message type field path cannot be null nor empty',
  ],
  ['community_id', FLOW, { n: 1, s: '::2', d: '::1' }, 'icmp message type cannot be null'],
  ['community_id', FLOW, { n: 1, s: '::2', d: '::1', t: 300 }, 'invalid icmp message type [300]'],
  ['community_id', FLOW, { n: 1, s: '::2', d: '::1', t: 3 }, 'icmp message code cannot be null'],
  ['fingerprint', { fields: ['x'] }, {}, "field [x] doesn't exist"],
  ['remove', { field: 'x' }, {}, "field [x] doesn't exist"],
  ['remove', { field: '{{x}}' }, {}, 'field path cannot be null nor empty'],
  ['remove', { field: '_index' }, { _index: 'i' }, 'cannot remove metadata field [_index]'],
  ['remove', { field: '_version' }, { _version: 1 }, 'cannot remove metadata field [_version]'],
  [
    'remove',
    { field: '_version_type' },
    { _version_type: 'internal' },
    'cannot remove metadata field [_version_type]',
  ],
  [
    'remove',
    { field: '_id' },
    { _id: '1', _version: 7, _version_type: 'external' },
    'cannot remove metadata field [_id] when specifying external version for the document, version: 7, version_type: external',
  ],
  ['rename', { field: 'a', target_field: 'b' }, {}, "field [a] doesn't exist"],
  ['rename', { field: 'a', target_field: 'b' }, { a: 1, b: 2 }, 'field [b] already exists'],
  ['rename', { field: '{{x}}', target_field: 'b' }, {}, 'field path cannot be null nor empty'],
  [
    'rename',
    { field: 'l.2', target_field: 'b' },
    { l: [1] },
    '[2] is out of bounds for array with length [1] as part of path [l.2]',
  ],
  ['copy', { source_field: 'a', target_field: 'b' }, {}, "source field [a] doesn't exist"],
  [
    'copy',
    { source_field: '{{x}}', target_field: 'b' },
    {},
    'source field path cannot be null nor empty',
  ],
  [
    'copy',
    { source_field: 'a', target_field: '{{x}}' },
    { a: 1 },
    'target field path cannot be null nor empty',
  ],
  [
    'copy',
    { source_field: 'a', target_field: 'a' },
    { a: 1 },
    'source field path and target field path cannot be same',
  ],
  [
    'copy',
    { source_field: 'a', target_field: 'b' },
    { a: 1, b: 1 },
    'target field [b] already exists',
  ],
  ['fail', { message: 'no {{a}}' }, { a: 'x' }, 'no x', 'fail_processor_exception'],
  ['uppercase', { field: 'a' }, {}, 'field [a] not present as part of path [a]'],
  ['uppercase', { field: 'a' }, { a: null }, 'field [a] is null, cannot process it.'],
  [
    'uppercase',
    { field: 'a' },
    { a: 1 },
    'field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
  ],
  [
    'uppercase',
    { field: 'a' },
    { a: [1] },
    'value [1] of type [java.lang.Integer] in list field [a] cannot be cast to [java.lang.String]',
  ],
  [
    'uppercase',
    { field: 'a.b' },
    { a: 1 },
    'cannot resolve [b] from object of type [java.lang.Integer] as part of path [a.b]',
  ],
  [
    'bytes',
    { field: 'a' },
    { a: 'x' },
    'failed to parse setting [Ingest Field] with value [x] as a size in bytes: unit is missing or unrecognized',
    'parse_exception',
  ],
  ['urldecode', { field: 'a' }, { a: '%4' }, 'URLDecoder: Incomplete trailing escape (%) pattern'],
  [
    'urldecode',
    { field: 'a' },
    { a: '%zz' },
    'URLDecoder: Illegal hex characters in escape (%) pattern - Error at index 0 in: "zz"',
  ],
  ['join', { field: 'a', separator: '' }, { a: null }, 'field [a] is null, cannot join.'],
  [
    'join',
    { field: 'a', separator: '' },
    { a: 'x' },
    'field [a] of type [java.lang.String] cannot be cast to [java.util.List]',
  ],
  ['split', { field: 'a', separator: ',' }, { a: null }, 'field [a] is null, cannot split.'],
  [
    'split',
    { field: 'a', separator: ',' },
    { a: { b: 1 } },
    'field [a] of type [java.util.HashMap] cannot be cast to [java.lang.String]',
  ],
  ['sort', { field: 'a' }, { a: null }, 'field [a] is null, cannot sort.'],
  [
    'sort',
    { field: 'a' },
    { a: [1, 'x'] },
    'class java.lang.String cannot be cast to class java.lang.Integer',
  ],
  [
    'sort',
    { field: 'a' },
    { a: [{}, {}] },
    'class java.util.HashMap cannot be cast to class java.lang.Comparable',
  ],
  [
    'json',
    { field: 'a', add_to_root: true },
    { a: '[1]' },
    'cannot add non-map fields to root of document',
  ],
  [
    'kv',
    { field: 'a', field_split: ' ', value_split: '=' },
    { a: 'x' },
    'field [a] does not contain value_split [=]',
  ],
  [
    'kv',
    { field: 'a', field_split: ' ', value_split: '=' },
    { a: null },
    'field [a] is null, cannot extract key-value pairs.',
  ],
  [
    'csv',
    { field: 'a', target_fields: ['x'] },
    { a: 'a"b' },
    'Illegal character inside unquoted field at 1',
  ],
  ['csv', { field: 'a', target_fields: ['x'] }, { a: '"b' }, 'Unmatched quote'],
  [
    'csv',
    { field: 'a', target_fields: ['x'] },
    { a: null },
    'field [a] is null, cannot process it.',
  ],
  ['convert', { field: 'a', type: 'integer' }, { a: 'x' }, 'unable to convert [x] to integer'],
  [
    'convert',
    { field: 'a', type: 'integer' },
    { a: '2147483648' },
    'unable to convert [2147483648] to integer',
  ],
  ['convert', { field: 'a', type: 'long' }, { a: '1.5' }, 'unable to convert [1.5] to long'],
  ['convert', { field: 'a', type: 'float' }, { a: '' }, 'unable to convert [] to float'],
  ['convert', { field: 'a', type: 'double' }, { a: 'x' }, 'unable to convert [x] to double'],
  [
    'convert',
    { field: 'a', type: 'boolean' },
    { a: 'yes' },
    '[yes] is not a boolean value, cannot convert to boolean',
  ],
  [
    'convert',
    { field: 'a', type: 'ip' },
    { a: '1.2.3' },
    '[1.2.3] is not a valid ipv4/ipv6 address',
  ],
  [
    'convert',
    { field: 'a', type: 'ip' },
    { a: null },
    'Field [a] is null, cannot be converted to type [ip]',
  ],
  [
    'foreach',
    { field: 'a', processor: { drop: {} } },
    { a: null },
    'field [a] is null, cannot loop over its elements.',
  ],
  [
    'dot_expander',
    { field: 'a.b' },
    { 'a.b': 1, a: 'x' },
    'cannot expend [a.b], because [a] is not an object field, but a value field',
  ],
  [
    'dissect',
    { field: 'm', pattern: '%{a},%{b}' },
    { m: 'x y' },
    'Unable to find match for dissect pattern: %{a},%{b} against source: x y',
  ],
  [
    'dissect',
    { field: 'm', pattern: '%{a}' },
    { m: null },
    'field [m] is null, cannot process it.',
  ],
  ['date', { field: 'd', formats: ['yyyy'] }, { d: 'x' }, 'unable to parse date [x]'],
  [
    'date',
    { field: 'd', formats: ['{', 'UNIX', 'UNIX_MS', 'TAI64N', 'ISO8601'] },
    { d: 'x' },
    'unable to parse date [x]',
  ],
  ['date', { field: 'd', formats: ['yyyy'] }, { d: null }, 'unable to parse date [null]'],
  [
    'date',
    { field: 'd', formats: ['yyyy'], timezone: '{{z}}' },
    { d: '2010', z: 'Mars' },
    'Unknown time-zone ID: Mars',
  ],
  ['date_index_name', { field: 'd', date_rounding: 'd' }, { d: 'x' }, 'unable to parse date [x]'],
  [
    'pipeline',
    { name: '{{n}}' },
    { n: 'none' },
    'Pipeline processor configured for non-existent pipeline [none]',
    'illegal_state_exception',
  ],
  [
    'pipeline',
    { name: 'p' },
    {},
    'Pipeline processor configured for non-existent pipeline [p]',
    'illegal_state_exception',
  ],
  [
    'grok',
    { field: 'm', patterns: ['x'] },
    { m: 'y' },
    'Provided Grok expressions do not match field value: [y]',
  ],
  ['grok', { field: 'm', patterns: ['x'] }, { m: null }, 'field [m] is null, cannot process it.'],
  [
    'grok',
    { field: 'm', patterns: ['%{WORD:n:int}'] },
    { m: 'abc' },
    'For input string: "abc"',
    'number_format_exception',
  ],
]

describe('failures of processors', () => {
  it.each(
    FAULTS.map(
      ([type, options, source, reason, errorType = ILLEGAL]) =>
        [type, options, source, reason, errorType] as const,
    ),
  )('%s %j fails on %j: %s', (type, options, source, reason, errorType) => {
    expect(thrown(() => processed([{ [type]: options }], source))).toMatchObject({
      type: errorType,
      reason,
    })
  })

  it('leave a field where it was that could not be renamed', () => {
    const rename = {
      field: 'a',
      target_field: 'b.c',
      on_failure: [{ set: { field: 'e', value: 1 } }],
    }
    expect(processed([{ rename }], { a: 1, b: 2 })).toBe('{"b":2,"a":1,"e":1}')
  })

  it('are those of the last date format where none matches', () => {
    const date = { field: 'd', formats: ['UNIX', 'yyyy'] }
    expect(thrown(() => processed([{ date }], { d: 'x' }))).toMatchObject({
      causedBy: { type: ILLEGAL, reason: 'failed to parse date field [x] with format [yyyy]' },
    })
  })
})
