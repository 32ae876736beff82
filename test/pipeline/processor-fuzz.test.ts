import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { ProcessorConfig } from '../../src/pipeline/processor-config.ts'
import { failureRecord } from '../../src/pipeline/processor-failure.ts'
import { PROCESSOR_NAMES } from '../../src/pipeline/processors.ts'
import { Runner } from '../../src/pipeline/runner.ts'
import { shownDocument } from '../../src/pipeline/shown-document.ts'
import { EngineError } from '../../src/util/errors.ts'
import { documentOf, pipelineOf, UNWATCHED } from '../support/ingest-runs.ts'

/** Texts that options may have, right and wrong ones. */
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a',
      'b',
      'a.b',
      'l',
      'l.0',
      'l.9',
      'm.k',
      '_index',
      '_id',
      '_ingest._value',
      '_source.a',
      '{{a}}',
      '{{{m}}}',
      '{{#l}}x{{/l}}',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '.',
      '_ingest.',
      '%{a} %{b}',
      '%{+a} %{a->}',
      '%{*a}:%{&a}',
      '%{WORD:w}',
      '(?<x>.)',
      'x+',
      '(',
      '\\',
      '$1',
      '{',
      '}}',
      'yyyy-MM-dd',
      'ISO8601',
      'UNIX',
      'integer',
      'auto',
      'desc',
      'UTC',
      'fr',
      'd',
    ),
  },
)

/** Values of types that most options do not have. */
const wrong = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  [],
  {},
  ['a', 'l'],
  ['%{WORD:a}'],
  ['yyyy'],
  { k: 'v' },
  { drop: {} },
  { uppercase: { field: '_ingest._value' } },
)

const KEYS = [
  'field',
  'target_field',
  'value',
  'override',
  'ignore_missing',
  'ignore_empty_value',
  'source_field',
  'remove_source',
  'exclude_field',
  'override_target',
  'message',
  'patterns',
  'pattern',
  'pattern_definitions',
  'trace_match',
  'capture_all_matches',
  'append_separator',
  'path',
  'name',
  'ignore_missing_pipeline',
  'formats',
  'timezone',
  'locale',
  'output_format',
  'type',
  'processor',
  'allow_duplicates',
  'separator',
  'preserve_trailing',
  'replacement',
  'add_to_root',
  'field_split',
  'value_split',
  'prefix',
  'include_keys',
  'exclude_keys',
  'trim_key',
  'trim_value',
  'strip_brackets',
  'target_fields',
  'quote',
  'trim',
  'empty_value',
  'order',
  'date_rounding',
  'index_name_prefix',
  'index_name_format',
  'date_formats',
  'fields',
  'exclude_fields',
  'hash_method',
  'field_pattern',
  'exclude_field_pattern',
  'source_ip_field',
  'destination_ip_field',
  'seed',
]

const FLAGS = new Set([
  'override',
  'ignore_missing',
  'ignore_empty_value',
  'remove_source',
  'override_target',
  'trace_match',
  'capture_all_matches',
  'ignore_missing_pipeline',
  'allow_duplicates',
  'preserve_trailing',
  'add_to_root',
  'strip_brackets',
  'trim',
  'ignore_failure',
])
const LISTS = new Set([
  'patterns',
  'formats',
  'date_formats',
  'target_fields',
  'include_keys',
  'exclude_keys',
  'fields',
  'exclude_fields',
])

const SPECIAL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  type: fc.constantFrom('integer', 'long', 'float', 'double', 'boolean', 'string', 'ip', 'auto'),
  order: fc.constantFrom('asc', 'desc'),
  quote: fc.constantFrom('"', "'"),
  separator: fc.constantFrom(',', ';', '|', '\\s+'),
  hash_method: fc.constantFrom('MD5@2.16.0', 'SHA3-256@2.16.0'),
  timezone: fc.constantFrom('UTC', 'Europe/Paris', '{{a}}'),
  locale: fc.constantFrom('fr', 'ENGLISH', 'ROOT'),
  output_format: fc.constantFrom('yyyy', 'iso8601'),
  processor: fc.constantFrom({ drop: {} }, { uppercase: { field: '_ingest._value' } }),
  pattern_definitions: fc.constantFrom({ A: 'x' }, {}),
  seed: fc.nat({ max: 70_000 }),
  field_pattern: fc.constantFrom('a*', 'b', ['l', 'm']),
  exclude_field_pattern: fc.constantFrom('a*', 'b'),
}

/** A value for an option: of its type, but for one of twenty. */
function valueFor(key: string): fc.Arbitrary<unknown> {
  const usual =
    SPECIAL[key] ??
    (FLAGS.has(key)
      ? fc.boolean()
      : LISTS.has(key)
        ? fc.array(text, { minLength: 1, maxLength: 2 })
        : text)
  return fc.oneof({ weight: 19, arbitrary: usual }, { weight: 1, arbitrary: wrong })
}

/** The keys that a processor reads, found out by what it asks for. */
function keysOf(type: string): string[] {
  const read = new Set<string>()
  const spy = vi.spyOn(ProcessorConfig.prototype, 'value')
  for (const options of fc.sample(
    fc.record(Object.fromEntries(KEYS.map(key => [key, valueFor(key)]))),
    300,
  ))
    try {
      pipelineOf({ processors: [{ [type]: options }] })
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
    }
  for (const [key] of spy.mock.calls) read.add(key)
  spy.mockRestore()
  return KEYS.filter(key => read.has(key))
}

const source = fc.dictionary(
  fc.constantFrom('a', 'b', 'l', 'm', 'a.b', '__proto__'),
  fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      1,
      1.5,
      -0.5,
      1e20,
      '',
      'x',
      'a=1 b=2',
      '1kb',
      '%41%',
      '2020-01-02',
      '1,"2",3',
      '{"k":1}',
      '<b>x</b>',
      '::1',
    ),
    fc.array(fc.constantFrom<unknown>(null, 1, 'x', [1], { k: 1 }), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('k', 'b', '0'), fc.constantFrom<unknown>(null, 1, 'y', [])),
  ),
)

it.each(PROCESSOR_NAMES)('%s takes what it can, and refuses the rest as it is documented', type => {
  const keys = keysOf(type)
  const record = Object.fromEntries(keys.map(key => [key, valueFor(key)]))
  let runs = 0
  fc.assert(
    fc.property(fc.record(record, { requiredKeys: [] }), source, (options, given) => {
      let pipeline: ReturnType<typeof pipelineOf>
      try {
        pipeline = pipelineOf({ processors: [{ [type]: options }] })
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError)
        expect(['parse_exception', 'illegal_argument_exception']).toContain(
          (error as EngineError).type,
        )
        return
      }
      runs++
      const document = documentOf(given)
      try {
        new Runner(id => (id === 'a' ? pipeline : null), UNWATCHED).run(pipeline, document)
      } catch (error) {
        expect(failureRecord(error), String(error)).not.toBeNull()
      }
      const shown = shownDocument(document)
      expect(() => JSON.parse(Buffer.from(shown.source).toString())).not.toThrow()
    }),
    { numRuns: 1000 },
  )
  if (type !== 'script') expect(runs).toBeGreaterThan(0)
})
