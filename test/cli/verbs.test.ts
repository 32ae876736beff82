import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { open } from '../../src/embed/open.ts'
import { runCli, startCli } from '../support/cli-process.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('verbs')
const data = join(folder, 'data')
const mapping = join(folder, 'mapping.json')

beforeAll(async () => {
  writeFileSync(
    mapping,
    JSON.stringify({ properties: { text: { type: 'text' }, year: { type: 'integer' } } }),
  )
  const lines = Array.from({ length: 9000 }, (_, i) =>
    JSON.stringify({ id: `d${i}`, text: `peace ${i % 3 === 0 ? 'and war' : ''} ${i}`, year: i }),
  )
  const args = ['index', '-', '--index', 'notes', '--data', data, '--mapping', mapping]
  const { code, stdout, stderr } = await runCli([...args, '--id', 'id'], `${lines.join('\n')}\n`)
  expect(stderr).toMatch(/^indexing: 9,000 documents, .* docs\/s/m)
  expect(stdout).toMatch(/^9,000 documents, .* indexed into \[notes\]/)
  expect(code).toBe(0)
})

/** The process that holds a data folder; null when none does. */
function lockOf(path: string): number | null {
  const file = join(path, 'node.lock')
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  return text === '' ? null : (JSON.parse(text) as { pid: number }).pid
}

describe('lamella index', () => {
  it('names refused documents, keeps the others, and ends with 1', async () => {
    const input = '{"id":"a","year":1}\n{"id":"b","year":"x"}\n{"id":"c","year":3}\n'
    const args = [
      'index',
      '-',
      '--index',
      'few',
      '--data',
      data,
      '--mapping',
      mapping,
      '--id',
      'id',
    ]
    const { code, stdout } = await runCli([...args, '--json'], input)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      index: 'few',
      indexed: 2,
      failed: 1,
      failures: [{ place: 'stdin, document 2', id: 'b', type: 'mapper_parsing_exception' }],
    })
  })

  it('writes and deletes as the action lines of a bulk file say', async () => {
    const target = join(folder, 'bulk')
    const lines = '{"index":{"_id":"a"}}\n{"year":1}\n{"create":{"_id":"b"}}\n{"year":2}\n'
    const args = ['index', '-', '--index', 'actions', '--data', target, '--quiet']
    const { code, stdout } = await runCli(args, `${lines}{"delete":{"_id":"a"}}\n`)
    expect(stdout).toMatch(/^2 documents, .* 1 deleted\n$/)
    expect(code).toBe(0)
    const found = await runCli([
      'search',
      'actions',
      '{"match_all":{}}',
      '--data',
      target,
      '--json',
    ])
    expect(JSON.parse(found.stdout).hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['b'])
  })

  it('shows no progress when it is told to be quiet, but still what was refused', async () => {
    const args = ['index', '-', '--index', 'calm', '--data', join(folder, 'calm'), '--quiet']
    const { code, stdout, stderr } = await runCli(args, '{"year":1}\n{"year":{}}\n')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^1 document, .* 1 refused$/m)
    expect(stderr).toMatch(/^stdin, document 2: .*\n$/)
  })

  it('ends when it is interrupted, and keeps what was written', async () => {
    const line = `{"text":"${'x'.repeat(1000)}"}\n`
    const cut = join(folder, 'cut')
    const args = ['index', '-', '--index', 'cut', '--data', cut]
    const loading = startCli(args, line.repeat(5000), true)
    // The lock is there once signals are caught; then it waits for more of its input.
    await vi.waitUntil(() => lockOf(cut) === loading.child.pid, {
      timeout: PATIENCE_IN_MILLIS,
    })
    loading.child.kill('SIGINT')
    const { code, stderr } = await loading.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/interrupted after [\d,]+ documents/)
    expect(lockOf(cut)).toBeNull()
    expect((await runCli(['inspect', cut, '--verify'])).code).toBe(0)
  })

  it('ends with 2 without an index, with 1 without the file', async () => {
    const usage = await runCli(['index', 'x.ndjson', '--data', data])
    expect(usage).toMatchObject({ code: 2, stdout: '' })
    expect(usage.stderr).toContain('--index NAME is missing')
    const missing = await runCli(['index', 'x.ndjson', '--index', 'x', '--data', data])
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toContain('there is no file [x.ndjson]')
  })
})

describe('lamella search', () => {
  it('takes words, a query, a body and a file', async () => {
    const file = join(folder, 'query.json')
    writeFileSync(file, '{"query":{"range":{"year":{"lt":3}}}}')
    const totals: number[] = []
    for (const query of [
      'war',
      '{"match":{"text":"war"}}',
      '{"query":{"term":{"year":7}}}',
      `@${file}`,
    ]) {
      const { code, stdout } = await runCli(['search', 'notes', query, '--data', data, '--json'])
      expect(code).toBe(0)
      totals.push((JSON.parse(stdout) as { hits: { total: { value: number } } }).hits.total.value)
    }
    expect(totals).toEqual([3000, 3000, 1, 3])
  })

  it('goes through a search pipeline', async () => {
    await using db = await open(data)
    const body = { response_processors: [{ truncate_hits: { target_size: 1 } }] }
    await db.request({ method: 'PUT', path: '/_search/pipeline/first', body })
    await db.close()
    const search = ['search', 'notes', 'war', '--data', data, '--json', '--pipeline']
    const { stdout } = await runCli([...search, 'first'])
    expect((JSON.parse(stdout) as { hits: { hits: unknown[] } }).hits.hits).toHaveLength(1)
    const missing = await runCli([...search, 'none'])
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain('Pipeline none is not defined')
  })

  it('prints a table, a profile with its slices, and explanations', async () => {
    const args = ['search', 'notes', 'war peace', '--data', data, '--size', '2', '--slices', '2']
    const { code, stdout } = await runCli([...args, '--profile', '--explain'])
    expect(code).toBe(0)
    expect(stdout).toContain('9,000 hits')
    expect(stdout).toMatch(/^1 {2}\d\.\d{4} {2}d0 /m)
    expect(stdout).toContain('BooleanQuery')
    expect(stdout).toMatch(/slice 0 .*│.*4,096 docs/)
    expect(stdout).toMatch(/slice 1 .*│.*4,904 docs/)
    expect(stdout).toContain('sum of:')
    expect(stdout).not.toContain('\u001b')
  })

  it('combines the hits of a query with those of others', async () => {
    const other = '{"term":{"year":7}}'
    const args = ['search', 'notes', 'war', '--hybrid', other, '--data', data, '--json']
    const { code, stdout } = await runCli(args)
    expect(code).toBe(0)
    const { hits } = JSON.parse(stdout) as { hits: { total: unknown; max_score: number } }
    expect(hits.total).toEqual({ value: 3001, relation: 'eq' })
    expect(hits.max_score).toBeGreaterThanOrEqual(0.5)
    const plain = await runCli(args.slice(0, -1))
    expect(plain.stdout).toContain('3,001 hits')
  })

  it('tells in its help that queries are combined, and combines several', async () => {
    const { stdout } = await runCli(['search', '--help'])
    expect(stdout).toMatch(/--hybrid=<QUERY> +Combine the hits with those of another query/)
    const file = join(folder, 'second.json')
    writeFileSync(file, '{"query":{"term":{"year":8}},"size":1}')
    const hybrid = ['--hybrid', '{"term":{"year":7}}', '--hybrid', `@${file}`]
    const args = ['search', 'notes', '{"match_none":{}}', ...hybrid, '--data', data, '--json']
    const found = await runCli(args)
    const { hits } = JSON.parse(found.stdout) as { hits: { total: { value: number } } }
    expect(hits.total.value).toBe(2)
    const nested = '{"hybrid":{"queries":[{"match_all":{}}]}}'
    const refused = await runCli(['search', 'notes', 'war', '--hybrid', nested, '--data', data])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('hybrid query must be a top level query')
    const six = Array.from({ length: 5 }, () => ['--hybrid', 'peace']).flat()
    const many = await runCli(['search', 'notes', 'war', ...six, '--data', data])
    expect(many.stderr).toContain('Number of sub-queries exceeds maximum supported')
  })

  it('draws the buckets of aggregations, and refuses those that it cannot read', async () => {
    const args = ['search', 'notes', 'war', '--data', data, '--size', '0']
    const { code, stdout } = await runCli([...args, '--agg', 'value_count:_seq_no'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/value_count:_seq_no\n {2}value [1-9]/)
    const buckets = await runCli([...args, '--agg', 'histogram:_seq_no:1000'])
    expect(buckets.stdout).toMatch(/0(\.0)? .*█/)
    const wrong = await runCli([...args, '--agg', 'terms'])
    expect(wrong.code).not.toBe(0)
    expect(wrong.stderr).toContain('--agg takes TYPE:FIELD, as in terms:tags, found [terms]')
  })

  it('gives the same hits for any number of slices', async () => {
    const answers = new Set<string>()
    for (const slices of ['1', '2', '5']) {
      const args = ['search', 'notes', 'war', '--data', data, '--slices', slices, '--json']
      const { hits } = JSON.parse((await runCli(args)).stdout) as { hits: unknown }
      answers.add(JSON.stringify(hits))
    }
    expect(answers.size).toBe(1)
  })

  it('says what would work: no folder, no index, a bad query', async () => {
    const noFolder = await runCli(['search', 'notes', 'x', '--data', join(folder, 'none')])
    expect(noFolder.code).toBe(1)
    expect(noFolder.stderr).toContain('fill one with `lamella index`')
    const noIndex = await runCli(['search', 'nots', 'x', '--data', data])
    expect(noIndex.code).toBe(1)
    expect(noIndex.stderr).toContain('no such index [nots]; the folder holds few, notes')
    const badQuery = await runCli(['search', 'notes', '{"match":', '--data', data])
    expect(badQuery.code).toBe(1)
    expect(badQuery.stderr).toMatch(/^lamella: .*line|\[1:\d+\]/)
  })
})

describe('lamella profile', () => {
  it('shows the median of its runs, slice by slice', async () => {
    const args = ['profile', 'notes', 'war peace', '--data', data, '--slices', '2', '--repeat', '3']
    const { code, stdout } = await runCli(args)
    expect(code).toBe(0)
    expect(stdout).toContain('the median of 3 runs')
    expect(stdout).toContain('├ TermQuery text:war')
    expect(stdout).toContain('└ TermQuery text:peace')
    expect(stdout).toMatch(/slice 1 .*│/)
    expect(stdout).toContain('SimpleTopDocsCollectorManager')
    const json = await runCli([...args, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      runs: 3,
      profile: { shards: [{ searches: [{ query: [{ type: 'DisjunctionMaxQuery' }] }] }] },
    })
  })
})

describe('a number of slices on the command line', () => {
  it('wins over the setting of the index', async () => {
    {
      await using db = await open(data)
      const settings = { 'search.concurrent.max_slice_count': 1 }
      await db.request({ method: 'PUT', path: '/notes/_settings', body: { index: settings } })
    }
    const args = ['profile', 'notes', 'war', '--data', data, '--repeat', '1', '--json']
    for (const [more, count] of [
      [[], 1],
      [['--slices', '2'], 2],
    ] as const) {
      const { profile } = JSON.parse((await runCli([...args, ...more])).stdout)
      expect(profile.shards[0].searches[0].collector[0].slice_count).toBe(count)
    }
  })
})

describe('lamella inspect', () => {
  it('lists segments, and finds a damaged byte', async () => {
    const whole = await runCli(['inspect', data, '--verify'])
    expect(whole.code).toBe(0)
    expect(whole.stdout).toContain('verified: no damage')
    expect(whole.stdout).toMatch(/^notes +0 +\d+ +_\w+ +9,000 +0 /m)
    const report = JSON.parse((await runCli(['inspect', data, '--json'])).stdout)
    expect(report).toMatchObject({ kind: 'data', damages: [] })

    const path = readdirSync(data, { recursive: true, encoding: 'utf8' }).find(name =>
      name.endsWith('.seg'),
    )
    const file = join(data, path ?? '')
    const bytes = readFileSync(file)
    bytes[100]! ^= 1
    writeFileSync(file, bytes)
    const damaged = await runCli(['inspect', data, '--verify'])
    bytes[100]! ^= 1
    writeFileSync(file, bytes)
    expect(damaged.code).toBe(1)
    expect(damaged.stdout).toMatch(/damaged: .*\.seg at byte \d+: expected .*, found /)
    expect(damaged.stdout).toMatch(/^1 damage$/m)
  })

  it('shows what each part of the index takes, all of it together', async () => {
    const { code, stdout } = await runCli(['inspect', data, '--sections'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^index +shard +segment +part +size +share +bytes a document +field$/m)
    expect(stdout).toMatch(/^notes +0 +_\w+ +postings +[\d.]+ \w+ +[\d.]+ % +[\d.]+ +\w+$/m)
    const shares = [...stdout.matchAll(/^notes.* ([\d.]+) % /gm)].map(([, share]) => Number(share))
    const segments = new Set(stdout.match(/^notes +\d+ +_\w+ (?=.* % )/gm))
    const total = shares.reduce((a, b) => a + b, 0)
    // Each is rounded to a tenth.
    expect(Math.abs(total - 100 * segments.size)).toBeLessThan(0.05 * shares.length + 0.001)
  })

  it('ends with 1 for a folder that is none of ours', async () => {
    const { code, stderr } = await runCli(['inspect', folder])
    expect(code).toBe(1)
    expect(stderr).toContain('is no data folder')
  })
})

describe('lamella', () => {
  it('lists its verbs, suggests the nearest one, tells its version', async () => {
    const help = await runCli(['--help'])
    expect(help.code).toBe(0)
    for (const verb of ['demo', 'serve', 'index', 'search', 'profile', 'inspect'])
      expect(help.stdout).toContain(verb)
    const nothing = await runCli([])
    expect(nothing).toMatchObject({ code: 2, stdout: '' })
    const wrong = await runCli(['serach'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('did you mean [search]?')
    expect((await runCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
