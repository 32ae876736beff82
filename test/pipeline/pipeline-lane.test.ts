import { afterAll, describe, expect, it } from 'vitest'
import {
  type PipelineBatch,
  PipelineLane,
  type PipelineSet,
} from '../../src/pipeline/pipeline-lane.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { INLINE_SCRIPTS } from '../support/ingest-runs.ts'

const lane = new PipelineLane()
afterAll(() => lane.close())

let generation = 0
const set = (pipelines: Readonly<Record<string, readonly object[]>>): PipelineSet => ({
  generation: ++generation,
  scripts: INLINE_SCRIPTS,
  definitions: new Map(
    Object.entries(pipelines).map(([id, processors]) => [
      id,
      encodeUtf8(JSON.stringify({ processors })),
    ]),
  ),
})

/** Documents, each with the pipelines that it passes. */
function batchOf(
  documents: readonly (readonly [source: object, ...ids: string[]])[],
): PipelineBatch {
  const sources = documents.map(([source]) => encodeUtf8(JSON.stringify(source)))
  const bounds = new Uint32Array(2 * sources.length)
  let length = 0
  for (const [i, source] of sources.entries()) {
    bounds[2 * i] = length
    length += source.length
    bounds[2 * i + 1] = length
  }
  return {
    bytes: Buffer.concat(sources),
    bounds,
    metadata: documents.map((_, i) => ({
      index: 'i',
      id: String(i),
      routing: null,
      version: -3n,
      versionType: 'internal',
      ifSeqNo: null,
      ifPrimaryTerm: null,
    })),
    chains: documents.map(([, ...ids]) => ({ ids, endsFinal: false })),
    chainOf: Uint32Array.from(documents.keys()),
    timestamp: '2020-01-01T00:00:00.000Z',
  }
}

/** For each document its source, that it was dropped, or why it failed. */
async function run(pipelines: PipelineSet, batch: PipelineBatch): Promise<string[]> {
  const { outcomes, bytes, bounds, errors } = await lane.run(pipelines, batch)
  return outcomes.map((outcome, i) =>
    outcome === 'kept'
      ? Buffer.from(bytes.subarray(bounds[2 * i], bounds[2 * i + 1])).toString()
      : (errors.get(i)?.reason ?? outcome),
  )
}

const SLOW = '^(?<x>(?:a+)+)$'
const EVIL = `${'a'.repeat(40)}!`
const INTERRUPTED = 'grok pattern matching was interrupted after [1000] ms'
const grok = (patterns: string[], more: object = {}): object => ({
  grok: { field: 'm', patterns, ...more },
})

describe('the thread of pipelines', () => {
  it('runs documents, each with its own pipelines', async () => {
    const pipelines = set({ one: [{ set: { field: 'a', value: 1 } }], drop: [{ drop: {} }] })
    const batch = batchOf([
      [{ n: 1 }, 'one'],
      [{}, 'drop'],
      [{}, 'none'],
      [{ n: 2 }, 'one', 'drop'],
      [{}, 'one', 'one'],
    ])
    expect(await run(pipelines, batch)).toEqual([
      '{"n":1,"a":1}',
      'dropped',
      'pipeline with id [none] does not exist',
      'dropped',
      '{"a":1}',
    ])
  })

  it('has the pipelines of the newest generation', async () => {
    for (const value of [1, 2, 3])
      expect(await run(set({ p: [{ set: { field: 'a', value } }] }), batchOf([[{}, 'p']]))).toEqual(
        [`{"a":${value}}`],
      )
  })

  it('serves calls with pipelines of two generations at once', async () => {
    const sets = [1, 2].map(value => set({ p: [{ set: { field: 'a', value } }] }))
    const calls = Array.from({ length: 20 }, (_, i) => run(sets[i % 2]!, batchOf([[{}, 'p']])))
    const answers = await Promise.all(calls)
    expect(answers.map(([first]) => first)).toEqual(answers.map((_, i) => `{"a":${(i % 2) + 1}}`))
  })

  it('is replaced where a pattern never ends, and only that document fails', async () => {
    const pipelines = set({ slow: [grok([SLOW])], fine: [{ set: { field: 'a', value: 1 } }] })
    const batch = batchOf([
      [{ m: 'aa' }, 'slow'],
      [{ m: EVIL }, 'slow'],
      [{ m: 'a' }, 'slow'],
      [{}, 'fine'],
    ])
    expect(await run(pipelines, batch)).toEqual([
      '{"m":"aa","x":"aa"}',
      INTERRUPTED,
      '{"m":"a","x":"a"}',
      '{"a":1}',
    ])
  })

  it('lets the failure of such a pattern be handled', async () => {
    const on_failure = [{ set: { field: 'e', value: '{{_ingest.on_failure_message}}' } }]
    const pipelines = set({ p: [grok([SLOW], { on_failure }), { set: { field: 'a', value: 1 } }] })
    expect(await run(pipelines, batchOf([[{ m: EVIL }, 'p']]))).toEqual([
      `{"m":"${EVIL}","e":"${INTERRUPTED}","a":1}`,
    ])
  })

  it('gives a batch up whose documents keep it from ending, behind those that are done', async () => {
    const pipelines = set({ slow: [grok([SLOW])] })
    const documents = Array.from({ length: 6 }, () => [{ m: EVIL }, 'slow'] as const)
    const answers = await run(pipelines, batchOf([[{ m: 'aa' }, 'slow'], ...documents]))
    expect(answers).toEqual(['{"m":"aa","x":"aa"}', ...documents.map(() => INTERRUPTED)])
  })

  it('shows the failure in simulations too', async () => {
    const pipelines = set({ slow: [grok([SLOW])] })
    const metadata = batchOf([[{}]]).metadata[0]!
    const results = await lane.simulate(pipelines, {
      id: 'slow',
      definition: null,
      documents: [EVIL, 'aa'].map(m => ({ metadata, source: encodeUtf8(JSON.stringify({ m })) })),
      isVerbose: false,
      timestamp: '',
    })
    expect(results).toMatchObject([
      { kind: 'failed', error: { type: 'illegal_argument_exception', reason: INTERRUPTED } },
      { kind: 'document' },
    ])
  })
})

/** Expressions that take a backtracking machine exponential time, or time that rises fast. */
const RUNAWAY = [
  '(a+)+$',
  '(a*)*$',
  '(a|a)*$',
  '(a|aa)+$',
  '(.*a){20}$',
  '(a?){30}a{30}',
  '((a+)+)+$',
  '(?:a|b|ab|ba)*c',
  '(\\w+\\s?)*!!$',
  '(a+)+\\1$',
  '(?=(a+)+$)b',
  '(?<!a)(a+)+$',
  '(a++)+(a+)+$',
  '([a-z]+)*[0-9]',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
]

describe('patterns of gsub, split and kv', () => {
  it.each(RUNAWAY)('%s ends, or is refused', async pattern => {
    const m = 'a'.repeat(3000)
    const pipelines = set({
      gsub: [{ gsub: { field: 'm', pattern, replacement: '' } }],
      split: [{ split: { field: 'm', separator: pattern } }],
      kv: [{ kv: { field: 'm', field_split: pattern, value_split: '=' } }],
    })
    const ids = [...pipelines.definitions.keys()]
    const batch = batchOf([...ids.map(id => [{ m }, id] as const), [{ ok: 1 }]])
    const answers = await run(pipelines, batch)
    expect(answers.at(-1)).toBe('{"ok":1}')
    for (const answer of answers.slice(0, -1))
      expect(answer).toMatch(/^\{|took too many|does not contain value_split|limit of \[1000\] ms/)
  })
})

describe('patterns of grok', () => {
  it.each([
    [{ A: '%{B}%{B}', ...doubling(40) }, 'expression is longer than'],
    [
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`B${i}`, `%{B${i + 1}}`])),
      'groups are nested too deeply',
    ],
    [{ B0: '('.repeat(5000) }, 'groups are nested too deeply'],
    [{ B0: '['.repeat(5000) }, 'char-classes are nested too deeply'],
    [{ B0: 'a{99999}{99999}{99999}' }, null],
  ])('are bounded before they run: %#', async (definitions, reason) => {
    const pipelines = set({ p: [grok(['%{B0}'], { pattern_definitions: definitions })] })
    const [answer] = await run(pipelines, batchOf([[{ m: 'x' }, 'p']]))
    expect(answer).toContain(reason ?? '')
    expect(answer).not.toMatch(/^\{/)
  })
})

function doubling(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => [`B${i}`, `%{B${i + 1}}%{B${i + 1}}`])
  return Object.fromEntries([...names, [`B${count}`, 'a']])
}
