import { describe, expect, it } from 'vitest'
import { processorLabels } from '../../src/pipeline/pipeline-parser.ts'
import { readValue } from '../../src/script/value/read-value.ts'
import type { ScriptMap } from '../../src/script/value/script-value.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { pipelineOf, thrown } from '../support/ingest-runs.ts'

/** Processors, the reason of the error, and the property it names. */
const FAULTS: readonly (readonly [
  type: string,
  options: unknown,
  reason: string,
  property?: string,
])[] = [
  ['set', {}, '[field] required property is missing', 'field'],
  ['set', { field: 'a' }, '[value] required property is missing', 'value'],
  ['set', { field: null, value: 1 }, '[field] required property is missing', 'field'],
  [
    'set',
    { field: 1, value: 1 },
    "[field] property isn't a string, but of type [java.lang.Integer]",
    'field',
  ],
  [
    'set',
    { field: ['x'], value: 1 },
    "[field] property isn't a string, but of type [java.util.ArrayList]",
    'field',
  ],
  [
    'set',
    { field: 'a', value: 1, override: 'yes' },
    "[override] property isn't a boolean, but of type [java.lang.String]",
    'override',
  ],
  ['set', { field: '', value: 1 }, '[field] path cannot be null nor empty', 'field'],
  ['set', { field: '_ingest.', value: 1 }, '[field] path [_ingest.] is not valid', 'field'],
  [
    'set',
    { field: 'a', value: 1, x: 1, y: 2 },
    "processor [set] doesn't support one or more provided configuration parameters [x, y]",
  ],
  ['set', 'x', "property isn't a map, but of type [java.lang.String]"],
  ['nope', {}, 'No processor type exists with name [nope]'],
  ['user_agent', { field: 'a' }, 'No processor type exists with name [user_agent]'],
  ['geoip', { field: 'a' }, 'No processor type exists with name [geoip]'],
  ['constructor', {}, 'No processor type exists with name [constructor]'],
  ['drop', { tag: 7 }, "[tag] property isn't a string, but of type [java.lang.Integer]", 'tag'],
  [
    'drop',
    { ignore_failure: 1 },
    "[ignore_failure] property isn't a boolean, but of type [java.lang.Integer]",
    'ignore_failure',
  ],
  ['drop', { on_failure: [] }, '[on_failure] processors list cannot be empty', 'on_failure'],
  [
    'drop',
    { on_failure: {} },
    "[on_failure] property isn't a list, but of type [java.util.HashMap]",
    'on_failure',
  ],
  [
    'fingerprint',
    { fields: ['a'], exclude_fields: ['b'] },
    '[fields] either fields or exclude_fields can be set',
    'fields',
  ],
  [
    'fingerprint',
    { exclude_fields: [''] },
    '[exclude_fields] field name cannot be null nor empty',
    'exclude_fields',
  ],
  [
    'fingerprint',
    { hash_method: 'x' },
    '[hash_method] hash method must be MD5@2.16.0, SHA-1@2.16.0 or SHA-256@2.16.0 or SHA3-256@2.16.0',
    'hash_method',
  ],
  [
    'remove_by_pattern',
    {},
    '[field_pattern] either field_pattern or exclude_field_pattern must be set',
    'field_pattern',
  ],
  [
    'remove_by_pattern',
    { field_pattern: ['_a', '#:'] },
    "[field_pattern] Validation Failed: 1: field_pattern [_a] must not start with '_';2: field_pattern [#:] must not contain a '#';3: field_pattern [#:] must not contain a ':';",
    'field_pattern',
  ],
  [
    'remove_by_pattern',
    { exclude_field_pattern: ' ' },
    '[exclude_field_pattern] Validation Failed: 1: exclude_field_pattern [ ] must not contain a space;2: exclude_field_pattern [ ] must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?];',
    'exclude_field_pattern',
  ],
  [
    'community_id',
    { destination_ip_field: 'd' },
    '[source_ip_field] required property is missing',
    'source_ip_field',
  ],
  [
    'community_id',
    { source_ip_field: 's', destination_ip_field: 'd', seed: 65536 },
    '[seed] seed must be between 0 and 65535',
    'seed',
  ],
  ['fail', {}, '[message] required property is missing', 'message'],
  ['remove', {}, '[field] either field or exclude_field must be set', 'field'],
  [
    'remove',
    { field: 'a', exclude_field: 'b' },
    '[field] either field or exclude_field must be set',
    'field',
  ],
  ['rename', { field: 'a' }, '[target_field] required property is missing', 'target_field'],
  ['copy', { source_field: 'a' }, '[target_field] required property is missing', 'target_field'],
  ['append', { field: 'a' }, '[value] required property is missing', 'value'],
  [
    'convert',
    { field: 'a', type: 'x' },
    '[type] type [x] not supported, cannot convert field.',
    'type',
  ],
  [
    'sort',
    { field: 'a', order: 'up' },
    '[order] Sort direction [up] not recognized. Valid values are: [asc, desc]',
    'order',
  ],
  [
    'gsub',
    { field: 'a', pattern: '(', replacement: '' },
    '[pattern] Invalid regex pattern. ',
    'pattern',
  ],
  [
    'gsub',
    { field: 'a', pattern: 'x', replacement: '$9' },
    '[replacement] No group 9',
    'replacement',
  ],
  ['split', { field: 'a', separator: '[' }, '[separator] Invalid regex pattern. ', 'separator'],
  [
    'kv',
    { field: 'a', field_split: '(', value_split: '=' },
    '[field_split] Invalid regex pattern. ',
    'field_split',
  ],
  [
    'json',
    { field: 'a', target_field: 'b', add_to_root: true },
    '[target_field] Cannot set a target field while also setting `add_to_root` to true',
    'target_field',
  ],
  [
    'csv',
    { field: 'a', target_fields: [] },
    "[target_fields] target fields list can't be empty",
    'target_fields',
  ],
  [
    'csv',
    { field: 'a', target_fields: ['x'], quote: 'ab' },
    '[quote] quote has to be single character like " or \'',
    'quote',
  ],
  [
    'csv',
    { field: 'a', target_fields: ['x'], separator: '' },
    '[separator] separator has to be single character like , or ;',
    'separator',
  ],
  [
    'foreach',
    { field: 'a', processor: {} },
    '[processor] Must specify exactly one processor type',
    'processor',
  ],
  [
    'foreach',
    { field: 'a', processor: { drop: {}, fail: {} } },
    '[processor] Must specify exactly one processor type',
    'processor',
  ],
  [
    'dot_expander',
    { field: 'a' },
    '[field] field does not contain a dot and is not a wildcard',
    'field',
  ],
  ['dot_expander', { field: '.a' }, "[field] Field can't start or end with a dot", 'field'],
  ['dot_expander', { field: 'a..b' }, '[field] No space between dots', 'field'],
  [
    'grok',
    { field: 'a', patterns: [] },
    '[patterns] List of patterns must not be empty',
    'patterns',
  ],
  [
    'grok',
    { field: 'a', patterns: ['%{NOPE}'] },
    "[patterns] Invalid regex pattern found in: [%{NOPE}]. Unable to find pattern [NOPE] in Grok's pattern dictionary",
    'patterns',
  ],
  [
    'grok',
    { field: 'a', patterns: ['%{A}'], pattern_definitions: { A: '%{B}', B: '%{A}' } },
    '[patterns] Invalid regex pattern found in: [%{A}]. circular reference in pattern [B] back to pattern [A]',
    'patterns',
  ],
  [
    'grok',
    { field: 'a', patterns: ['%{A}'], pattern_definitions: { A: '%{A}' } },
    '[patterns] Invalid regex pattern found in: [%{A}]. circular reference in pattern [A][%{A}]',
    'patterns',
  ],
  [
    'grok',
    { field: 'a', patterns: ['('] },
    '[patterns] Invalid regex pattern found in: [(]. ',
    'patterns',
  ],
  [
    'grok',
    { field: 'a', patterns: [1] },
    "[patterns] property isn't a string, but of type [java.lang.Integer]",
    'patterns',
  ],
  ['date', { field: 'a' }, '[formats] required property is missing', 'formats'],
  [
    'date',
    { field: 'a', formats: 'x' },
    "[formats] property isn't a list, but of type [java.lang.String]",
    'formats',
  ],
  [
    'date',
    { field: 'a', formats: ['yyyy'], output_format: '{' },
    '[output_format] invalid output format [{]: ',
    'output_format',
  ],
  [
    'date_index_name',
    { field: 'a' },
    '[date_rounding] required property is missing',
    'date_rounding',
  ],
  [
    'date_index_name',
    { field: 'a', date_rounding: 'd', timezone: 'Mars' },
    '[timezone] Unknown time-zone ID: Mars',
    'timezone',
  ],
  ['pipeline', {}, '[name] required property is missing', 'name'],
]

describe('the definition of a pipeline', () => {
  it.each([
    [{ field: '{{a', value: 1 }, 'Improperly closed variable in query-template:1', 'field'],
    [{ field: 'a', value: '{{#s}}x' }, "Failed to close 's' tag @[query-template:1]", 'value'],
    [
      { field: 'a', value: ['{{#toJson}}{{a}}{{/toJson}}'] },
      'Mustache function [toJson] must contain one and only one identifier @[query-template:1]',
      'value',
    ],
  ])('is refused with a template in %j', (options, reason, property) => {
    const error = thrown(() => pipelineOf({ processors: [{ set: { ...options, tag: 't' } }] }))
    expect(error).toMatchObject({
      type: 'script_exception',
      reason,
      extra: {
        lang: 'mustache',
        processor_type: 'set',
        processor_tag: 't',
        property_name: property,
      },
    })
  })

  it.each(
    FAULTS.map(([type, options, reason, name = null]) => [type, options, reason, name] as const),
  )('is refused with %s %j: %s', (type, options, reason, property) => {
    const error = thrown(() => pipelineOf({ processors: [{ [type]: options }] }))
    expect(error).toMatchObject({
      type: 'parse_exception',
      reason: expect.stringContaining(reason),
      extra: {
        processor_type: type,
        ...(property === null ? {} : { property_name: property }),
      },
    })
    expect(error.reason.startsWith(reason)).toBe(true)
  })

  it.each([
    [{}, '[processors] required property is missing'],
    [{ processors: {} }, "[processors] property isn't a list, but of type [java.util.HashMap]"],
    [{ processors: ['x'] }, "[processors] property isn't a map, but of type [java.lang.String]"],
    [{ processors: [], version: 'x' }, '[version] property cannot be converted to an int [x]'],
    [
      { processors: [], description: 1 },
      "[description] property isn't a string, but of type [java.lang.Integer]",
    ],
    [{ processors: [], _meta: 1 }, "[_meta] property isn't a map, but of type [java.lang.Integer]"],
    [
      { processors: [], x: {}, y: 1 },
      "pipeline [p] doesn't support one or more provided configuration parameters [x, y]",
    ],
    [
      { processors: [], on_failure: [] },
      'pipeline [p] cannot have an empty on_failure option defined',
    ],
  ])('%j is refused: %s', (definition, reason) => {
    expect(thrown(() => pipelineOf(definition))).toMatchObject({ type: 'parse_exception', reason })
  })

  it('tells the processor and its tag, and further faults beside the first', () => {
    const set = { tag: 't' }
    const error = thrown(() => pipelineOf({ processors: [{ set }, { fail: {} }] }))
    expect(error.extra).toEqual({
      processor_type: 'set',
      processor_tag: 't',
      property_name: 'field',
      suppressed: [
        {
          type: 'parse_exception',
          reason: '[message] required property is missing',
          processor_type: 'fail',
          property_name: 'message',
        },
      ],
    })
  })

  it('names processors for statistics by type, pipeline and tag', () => {
    const definition = {
      processors: [{ pipeline: { name: 'x', tag: 't' } }, { drop: {} }, { drop: { tag: 'u' } }],
    }
    const value = readValue(encodeUtf8(JSON.stringify(definition))) as ScriptMap
    expect(processorLabels(value)).toEqual([
      { type: 'pipeline', label: 'pipeline:x:t' },
      { type: 'drop', label: 'drop' },
      { type: 'drop', label: 'drop:u' },
    ])
  })
})
