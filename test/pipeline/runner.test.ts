import { describe, expect, it } from 'vitest'
import { RunCounts } from '../../src/pipeline/run-counts.ts'
import { Runner } from '../../src/pipeline/runner.ts'
import type { ScriptCompiler } from '../../src/pipeline/script-compiler.ts'
import { sourceText } from '../../src/pipeline/write-source.ts'
import type { ScriptMap, ScriptValue } from '../../src/script/value/script-value.ts'
import { documentOf, pipelineOf, processed, thrown, UNWATCHED } from '../support/ingest-runs.ts'

const FAIL = { fail: { message: 'no', tag: 'f' } }
const set = (field: string, value: unknown = 1, more: object = {}): object => ({
  set: { field, value, ...more },
})

describe('failures', () => {
  it('end the document where nothing handles them', () => {
    expect(thrown(() => processed([FAIL, set('a')], {}))).toMatchObject({
      type: 'fail_processor_exception',
      reason: 'no',
    })
  })

  it('are passed over where a processor ignores its own, before its handlers', () => {
    const fail = { message: 'no', ignore_failure: true, on_failure: [set('handled')] }
    expect(processed([{ fail }, set('a')], {})).toBe('{"a":1}')
  })

  it('handled at a processor let the next one run', () => {
    const fail = { message: 'no', on_failure: [set('handled')] }
    expect(processed([{ fail }, set('a')], {})).toBe('{"handled":1,"a":1}')
  })

  it('handled at the pipeline end it', () => {
    const document = documentOf({})
    const definition = { processors: [FAIL, set('a')], on_failure: [set('handled')] }
    new Runner(() => null, UNWATCHED).run(pipelineOf(definition), document)
    expect(sourceText(document.fields)).toBe('{"handled":1}')
  })

  it('tell handlers what failed, and nobody behind them', () => {
    const keys = ['message', 'processor_type', 'processor_tag', 'pipeline']
    const seen = keys.map(key => set(key, `{{_ingest.on_failure_${key}}}`))
    const fail = { message: 'no', tag: 'f', on_failure: seen }
    expect(processed([{ fail }, set('after', '{{_ingest.on_failure_message}}')], {})).toBe(
      '{"message":"no","processor_type":"fail","processor_tag":"f","pipeline":"","after":""}',
    )
  })

  it('tell handlers the pipeline within which they happened', () => {
    const pipeline = { name: 'inner', on_failure: [set('in', '{{_ingest.on_failure_pipeline}}')] }
    expect(processed([{ pipeline }], {}, { inner: { processors: [FAIL] } })).toBe('{"in":"inner"}')
  })

  it('of handlers are handled in turn, or go on', () => {
    const inner = { message: 'inner', on_failure: [set('m', '{{_ingest.on_failure_message}}')] }
    expect(processed([{ fail: { message: 'no', on_failure: [{ fail: inner }] } }], {})).toBe(
      '{"m":"inner"}',
    )
    const lost = { fail: { message: 'no', on_failure: [{ fail: { message: 'lost' } }] } }
    expect(thrown(() => processed([lost], {})).reason).toBe('lost')
  })

  it('may be handled by dropping the document', () => {
    expect(processed([{ fail: { message: 'no', on_failure: [{ drop: {} }] } }], {})).toBe('dropped')
  })

  it('of an item leave a list as it was', () => {
    const foreach = { field: 'l', processor: { uppercase: { field: '_ingest._value' } } }
    const handled = { ...foreach, on_failure: [set('e')] }
    expect(processed([{ foreach: handled }], { l: ['a', 1] })).toBe('{"l":["a",1],"e":1}')
  })
})

describe('pipelines within pipelines', () => {
  it('run whole, each with its own id', () => {
    const inner = { processors: [set('in', '{{_ingest.pipeline}}')] }
    expect(
      processed(
        [{ pipeline: { name: 'inner' } }, set('out', '{{_ingest.pipeline}}')],
        {},
        { inner },
      ),
    ).toBe('{"in":"inner","out":"p"}')
  })

  it('may be named by the document', () => {
    expect(
      processed([{ pipeline: { name: '{{n}}' } }], { n: 'x' }, { x: { processors: [set('a')] } }),
    ).toBe('{"n":"x","a":1}')
  })

  it('that lead back to themselves are refused', () => {
    const a = { processors: [{ pipeline: { name: 'b' } }] }
    const b = { processors: [{ pipeline: { name: 'a' } }] }
    expect(thrown(() => processed([{ pipeline: { name: 'a' } }], {}, { a, b }))).toMatchObject({
      type: 'illegal_state_exception',
      reason: 'Cycle detected for pipeline: a',
      status: 400,
    })
  })

  it('are so many and no more', () => {
    const others = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `p${i}`,
        { processors: [{ pipeline: { name: `p${i + 1}` } }] },
      ]),
    )
    expect(thrown(() => processed([{ pipeline: { name: 'p0' } }], {}, others)).reason).toBe(
      'more than [100] pipelines within one another: p99',
    )
  })

  it('end a document that one of them drops', () => {
    expect(
      processed([{ pipeline: { name: 'x' } }, set('a')], {}, { x: { processors: [{ drop: {} }] } }),
    ).toBe('dropped')
  })
})

describe('conditions', () => {
  const scripts: ScriptCompiler = {
    condition: script => ({
      source: String(script),
      test: ({ fields }) => {
        if (script === 'throw') throw new RangeError('too deep')
        return fields.get('run') === true
      },
    }),
    script:
      () =>
      ({ fields }) => {
        fields.set('scripted', true)
      },
  }
  const run = (definition: object, source: object): string => {
    const document = documentOf(source)
    new Runner(() => null, UNWATCHED).run(pipelineOf(definition, 'p', scripts), document)
    return sourceText(document.fields)
  }

  it('decide whether a processor runs', () => {
    const definition = { processors: [set('a', 1, { if: 'x' }), { script: { source: 'y' } }] }
    expect(run(definition, { run: false })).toBe('{"run":false,"scripted":true}')
    expect(run(definition, { run: true })).toBe('{"run":true,"a":1,"scripted":true}')
  })

  it('that fail are handled by the pipeline and not by the processor', () => {
    const processors = [set('a', 1, { if: 'throw', on_failure: [set('own')] })]
    expect(run({ processors, on_failure: [set('m', '{{_ingest.on_failure_message}}')] }, {})).toBe(
      '{"m":"[ingest] too deep"}',
    )
  })
})

describe('scripts', () => {
  it.each([
    ['a map', (fields: ScriptMap) => fields.set('self', fields)],
    [
      'a list',
      (fields: ScriptMap) => {
        const list: ScriptValue[] = []
        list.push([list])
        fields.set('l', list)
      },
    ],
  ])('that put %s into itself fail', (_name, change) => {
    const scripts: ScriptCompiler = {
      condition: () => ({ source: '', test: () => true }),
      script: () => document => void change(document.fields),
    }
    const pipeline = pipelineOf({ processors: [{ script: { source: 'x' } }] }, 'p', scripts)
    const run = (): unknown => new Runner(() => null, UNWATCHED).run(pipeline, documentOf({}))
    expect(thrown(run)).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'Iterable object is self-referencing itself',
    })
  })
})

describe('counts', () => {
  it('are of pipelines and of their own processors', () => {
    const counts = new RunCounts()
    const inner = pipelineOf({ processors: [FAIL] }, 'inner')
    const fail = { pipeline: { name: 'inner', ignore_failure: true } }
    const outer = pipelineOf({ processors: [set('a'), fail, set('b', 1, { tag: 'x' })] }, 'outer')
    const runner = new Runner(() => inner, UNWATCHED, counts)
    for (let i = 0; i < 3; i++) runner.run(outer, documentOf({}))
    const shown = [...counts.pipelines].map(([id, { count, failed, processors }]) => [
      id,
      count,
      failed,
      processors.map(each => [each.count, each.failed]),
    ])
    expect(shown).toEqual([
      [
        'outer',
        3,
        0,
        [
          [3, 0],
          [3, 0],
          [3, 0],
        ],
      ],
      ['inner', 3, 3, [[3, 3]]],
    ])
  })
})

describe('the memory of a document', () => {
  const grow = (processor: object): object[] => Array.from({ length: 60 }, () => processor)
  it.each([
    ['set', { field: 'a', value: '{{{a}}}{{{a}}}' }],
    ['gsub', { field: 'a', pattern: 'x', replacement: 'x'.repeat(1000) }],
    ['append', { field: 'l', value: 'x'.repeat(2 ** 22) }],
  ])('is bounded, whatever %s adds', (type, options) => {
    expect(
      thrown(() =>
        processed(grow({ [type]: options }), { a: 'x'.repeat(1000), m: { k: 1 }, t: 'k' }),
      ),
    ).toMatchObject({ type: 'circuit_breaking_exception' })
  })

  it('is bounded, whatever copies of copies add', () => {
    const copies = Array.from({ length: 60 }, (_, i) => ({
      copy: { source_field: 'm', target_field: `m.c${i}` },
    }))
    expect(thrown(() => processed(copies, { m: { k: 1 } })).type).toBe('circuit_breaking_exception')
  })
})
