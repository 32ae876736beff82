/** Each option of each processor, by the document that it leaves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /_ingest/pipeline/inner', { processors: [{ set: { field: 'inner', value: 1 } }] })
  await ok('PUT /_scripts/add', { script: { lang: 'painless', source: 'ctx.n += params.by' } })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)

type Case = readonly [options: object, source: object, left: object]

const DETAILED: Readonly<Record<string, readonly Case[]>> = {
  set: [
    [{ field: 'a', value: '{{b}}' }, {}, { a: '' }],
    [{ field: 'a', value: '{{b}}', ignore_empty_value: true }, {}, {}],
    [{ field: 'a', value: 2, override: false }, { a: 1 }, { a: 1 }],
    [{ field: 'a', value: 2, override: false }, { a: null }, { a: 2 }],
    [{ field: '{{f}}', value: 2 }, { f: 'g' }, { f: 'g', g: 2 }],
  ],
  script: [
    [{ id: 'add', params: { by: 2 } }, { n: 1 }, { n: 3 }],
    [{ lang: 'painless', source: 'ctx.n = params.by', params: { by: 2 } }, {}, { n: 2 }],
  ],
  remove: [
    [{ field: ['a', 'b'] }, { a: 1, b: 2, c: 3 }, { c: 3 }],
    [{ exclude_field: 'a' }, { a: 1, b: 2, c: { d: 3 } }, { a: 1 }],
    [{ exclude_field: ['a', 'c'] }, { a: 1, b: 2, c: { d: 3 } }, { a: 1, c: { d: 3 } }],
    [{ field: 'a', ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  rename: [
    [{ field: 'a', target_field: 'b.c' }, { a: 1 }, { b: { c: 1 } }],
    [{ field: 'a', target_field: 'b', override_target: true }, { a: 1, b: 2 }, { b: 1 }],
    [{ field: 'a', target_field: 'b', ignore_missing: true }, { c: 2 }, { c: 2 }],
  ],
  grok: [
    [{ field: 'a', patterns: ['%{WORD:w} %{WORD:w}'] }, { a: 'x y' }, { a: 'x y', w: 'x' }],
    [
      { field: 'a', patterns: ['%{WORD:w} %{WORD:w}'], capture_all_matches: true },
      { a: 'x y' },
      { a: 'x y', w: ['x', 'y'] },
    ],
    [
      { field: 'a', patterns: ['%{SHOUT:w}'], pattern_definitions: { SHOUT: '[A-Z]+!' } },
      { a: 'so HO! it' },
      { a: 'so HO! it', w: 'HO!' },
    ],
    [{ field: 'a', patterns: ['%{WORD:w}'], ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  dissect: [
    [{ field: 'a', pattern: '%{+w} %{+w}' }, { a: 'x y' }, { a: 'x y', w: 'xy' }],
    [
      { field: 'a', pattern: '%{+w} %{+w}', append_separator: '-' },
      { a: 'x y' },
      { a: 'x y', w: 'x-y' },
    ],
    [{ field: 'a', pattern: '%{w}', ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  dot_expander: [
    [{ field: 'a.b', path: 'p' }, { p: { 'a.b': 1 } }, { p: { a: { b: 1 } } }],
    [{ field: '*' }, { 'a.b': 1, 'c.d.e': 2 }, { a: { b: 1 }, c: { d: { e: 2 } } }],
  ],
  pipeline: [
    [{ name: '{{p}}' }, { p: 'inner' }, { p: 'inner', inner: 1 }],
    [{ name: 'none', ignore_missing_pipeline: true }, { a: 1 }, { a: 1 }],
  ],
  date: [
    [
      {
        field: 'a',
        formats: ['ISO8601', 'dd MMM yyyy HH:mm'],
        target_field: 't',
        timezone: 'Europe/Berlin',
        locale: 'ENGLISH',
      },
      { a: '03 Mar 2020 10:00' },
      { a: '03 Mar 2020 10:00', t: '2020-03-03T10:00:00.000+01:00' },
    ],
    [
      { field: 'a', formats: ['dd MMMM yyyy'], locale: 'fr' },
      { a: '03 mars 2020' },
      { a: '03 mars 2020', '@timestamp': '2020-03-03T00:00:00.000Z' },
    ],
    [
      { field: 'a', formats: ['UNIX'], output_format: 'yyyy/MM/dd' },
      { a: '86400' },
      { a: '86400', '@timestamp': '1970/01/02' },
    ],
  ],
  convert: [
    [{ field: 'a', type: 'integer', target_field: 'b' }, { a: '0x10' }, { a: '0x10', b: 16 }],
    [{ field: 'a', type: 'auto' }, { a: ['1', 'true', '1.5', 'x'] }, { a: [1, true, 1.5, 'x'] }],
    [{ field: 'a', type: 'ip', ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  foreach: [
    [
      { field: 'a', processor: { uppercase: { field: '_ingest._value' } } },
      { a: ['x', 'y'] },
      { a: ['X', 'Y'] },
    ],
    [
      { field: 'a', ignore_missing: true, processor: { uppercase: { field: '_ingest._value' } } },
      { b: 1 },
      { b: 1 },
    ],
  ],
  append: [
    [{ field: 'a', value: ['x', 'y'] }, { a: 'x' }, { a: ['x', 'x', 'y'] }],
    [{ field: 'a', value: ['x', 'y'], allow_duplicates: false }, { a: 'x' }, { a: ['x', 'y'] }],
  ],
  split: [
    [{ field: 'a', separator: ',' }, { a: 'x,y,,' }, { a: ['x', 'y'] }],
    [
      { field: 'a', separator: ',', preserve_trailing: true, target_field: 'b' },
      { a: 'x,y,,' },
      { a: 'x,y,,', b: ['x', 'y', '', ''] },
    ],
    [{ field: 'a', separator: ',', ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  join: [
    [{ field: 'a', separator: '-', target_field: 'b' }, { a: ['x', 1] }, { a: ['x', 1], b: 'x-1' }],
  ],
  gsub: [
    [
      { field: 'a', pattern: '(\\d)', replacement: '<$1>', target_field: 'b' },
      { a: 'x1y2' },
      { a: 'x1y2', b: 'x<1>y<2>' },
    ],
    [{ field: 'a', pattern: 'x', replacement: '', ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  json: [
    [{ field: 'a', target_field: 'b' }, { a: '[{"x":1}]' }, { a: '[{"x":1}]', b: [{ x: 1 }] }],
    [{ field: 'a', add_to_root: true }, { a: '{"x":1}' }, { a: '{"x":1}', x: 1 }],
  ],
  kv: [
    [
      { field: 'a', field_split: '&', value_split: '=', target_field: 't', prefix: 'p_' },
      { a: 'x=1&y=2&x=3' },
      { a: 'x=1&y=2&x=3', t: { p_x: ['1', '3'], p_y: '2' } },
    ],
    [
      { field: 'a', field_split: '&', value_split: '=', include_keys: ['x'] },
      { a: 'x=1&y=2' },
      { a: 'x=1&y=2', x: '1' },
    ],
    [
      { field: 'a', field_split: '&', value_split: '=', exclude_keys: ['x'] },
      { a: 'x=1&y=2' },
      { a: 'x=1&y=2', y: '2' },
    ],
    [
      { field: 'a', field_split: '&', value_split: '=', trim_key: '_', trim_value: '.' },
      { a: '_x_=.1.' },
      { a: '_x_=.1.', x: '1' },
    ],
    [
      { field: 'a', field_split: '&', value_split: '=', strip_brackets: true },
      { a: 'x=(1)&y="2"&z=<3>&w=[4]' },
      { a: 'x=(1)&y="2"&z=<3>&w=[4]', x: '1', y: '2', z: '3', w: '4' },
    ],
    [{ field: 'a', field_split: '&', value_split: '=', ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  csv: [
    [
      { field: 'a', target_fields: ['x', 'y'], separator: ';', quote: "'" },
      { a: "'1;2';3" },
      { a: "'1;2';3", x: '1;2', y: '3' },
    ],
    [
      { field: 'a', target_fields: ['x', 'y'], trim: true },
      { a: ' 1 , 2 ' },
      { a: ' 1 , 2 ', x: '1', y: '2' },
    ],
    [{ field: 'a', target_fields: ['x', 'y'] }, { a: ',2' }, { a: ',2', y: '2' }],
    [
      { field: 'a', target_fields: ['x', 'y'], empty_value: '-' },
      { a: ',2' },
      { a: ',2', x: '-', y: '2' },
    ],
    [{ field: 'a', target_fields: ['x'], ignore_missing: true }, { b: 1 }, { b: 1 }],
  ],
  sort: [
    [{ field: 'a' }, { a: ['b', 'a'] }, { a: ['a', 'b'] }],
    [
      { field: 'a', order: 'desc', target_field: 'b' },
      { a: [1, 3, 2] },
      { a: [1, 3, 2], b: [3, 2, 1] },
    ],
  ],
  copy: [
    [
      { source_field: 'a', target_field: 'b', override_target: true },
      { a: { x: 1 }, b: 2 },
      { a: { x: 1 }, b: { x: 1 } },
    ],
    [{ source_field: 'a', target_field: 'b', remove_source: true }, { a: 1 }, { b: 1 }],
    [{ source_field: 'a', target_field: 'b', ignore_missing: true }, { c: 1 }, { c: 1 }],
  ],
  remove_by_pattern: [
    [{ field_pattern: ['a*'] }, { ab: 1, ac: 2, b: 3 }, { b: 3 }],
    [{ exclude_field_pattern: 'a*' }, { ab: 1, ac: 2, b: 3 }, { ab: 1, ac: 2 }],
  ],
}

/** Those that make one text of another, or one of each of a list. */
const OF_TEXTS: readonly (readonly [type: string, given: string, made: unknown])[] = [
  ['uppercase', ' <b>x%20y</b>', ' <B>X%20Y</B>'],
  ['lowercase', ' <B>X%20Y</B>', ' <b>x%20y</b>'],
  ['trim', ' x y ', 'x y'],
  ['html_strip', '<b>x y</b>', 'x y'],
  ['urldecode', 'x%20y', 'x y'],
  ['bytes', '1kb', 1024],
]

const CASES: readonly (readonly [type: string, ...Case])[] = [
  ...Object.entries(DETAILED).flatMap(([type, cases]) =>
    cases.map(each => [type, ...each] as const),
  ),
  ...OF_TEXTS.flatMap(([type, given, made]) => [
    [type, { field: 'a' }, { a: [given, given] }, { a: [made, made] }] as const,
    [type, { field: 'a', target_field: 'b' }, { a: given }, { a: given, b: made }] as const,
    [type, { field: 'a', ignore_missing: true }, { c: 1 }, { c: 1 }] as const,
  ]),
]

async function simulated(processor: object, source: object): Promise<object> {
  const body = { pipeline: { processors: [processor] }, docs: [{ _source: source }] }
  return (await ok('POST /_ingest/pipeline/_simulate', body)).docs[0]
}

describe('the processor', () => {
  it.each(CASES)('%s with %j makes of %j %j', async (type, options, source, left) => {
    const found = await simulated({ [type]: options }, source)
    expect(found).toHaveProperty('doc._source', left)
  })

  it.each([
    [
      { date_rounding: 'M', index_name_prefix: 'p-', index_name_format: 'yyyy-MM' },
      '2020-03-05T10:00:00.000Z',
      '<p-{2020-03||/M{yyyy-MM|UTC}}>',
      'p-2020-03',
    ],
    [
      {
        date_rounding: 'd',
        date_formats: ['dd MMM yyyy HH'],
        timezone: 'Europe/Berlin',
        locale: 'ENGLISH',
      },
      '05 Mar 2020 01',
      '<{2020-03-05||/d{yyyy-MM-dd|Europe/Berlin}}>',
      '2020-03-05',
    ],
  ])('date_index_name with %j names of %s %s', async (options, a, shown, written) => {
    const processor = { date_index_name: { field: 'a', ...options } }
    expect(await simulated(processor, { a })).toMatchObject({ doc: { _index: shown } })
    await ok('PUT /_ingest/pipeline/dated', { processors: [processor] })
    expect((await ok('POST /other/_doc?pipeline=dated', { a }))._index).toBe(written)
  })
})
