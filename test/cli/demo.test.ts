import { describe, expect, it } from 'vitest'
import { demoCorpus, paragraphsOf } from '../../src/cli/demo-documents.ts'
import { runCli, startCli } from '../support/cli-process.ts'

describe('lamella demo', () => {
  it('shows identical hits over 1, 2 and more slices, and ends where --no-serve says so', async () => {
    const { code, stdout, stderr } = await runCli(['demo', '--serve', '--no-serve'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Lamella demo: .*(@stdlib\/datasets-sotu)/)
    expect(stderr).toMatch(/indexing: [\d,]+ documents/)
    expect(stdout).toMatch(/identical hits, order, scores and totals over 1, 2, \d+ slices/)
    expect(stdout).toMatch(/slice 1 .*│.*█.*│/)
    expect(stdout).not.toContain('http://')
  })

  it('tells all as JSON, then serves what it indexed until it is interrupted', async () => {
    const demo = startCli(['demo', '--serve', '--port', '0', '--json'])
    const [told = '', served = ''] = (await demo.saysOnStdout(/"url".*\n/)).split('\n')
    const summary = JSON.parse(told) as Summary
    expect(summary.areIdentical).toBe(true)
    expect(summary.runs.map(run => run.slices).slice(0, 2)).toEqual([1, 2])
    expect(summary.runs[0]?.hits).toEqual(summary.runs[1]?.hits)
    const { url } = JSON.parse(served) as { url: string }
    const counted = (await (await fetch(`${url}/${summary.corpus}/_count`)).json()) as unknown
    expect(counted).toMatchObject({ count: summary.indexed })
    demo.child.kill('SIGINT')
    expect((await demo.ended).code).toBe(0)
  })
})

interface Summary {
  readonly corpus: string
  readonly indexed: number
  readonly areIdentical: boolean
  readonly runs: readonly { readonly slices: number; readonly hits: unknown }[]
}

describe('the documents of the demo', () => {
  it('have ids of their own and the field that is searched', () => {
    const { documents, field } = demoCorpus()
    const ids = new Set(documents.map(document => ('id' in document ? document.id : '')))
    expect(ids.size).toBe(documents.length)
    for (const document of documents)
      expect(document).toMatchObject({ source: { [field]: expect.any(String) } })
  })

  it('are cut at ends of sentences', () => {
    const sentence = `Word${' word'.repeat(48)} end.`
    expect(paragraphsOf(`${sentence} ${sentence} ${sentence}`)).toEqual([
      `${sentence} ${sentence}`,
      sentence,
    ])
    expect(paragraphsOf('')).toEqual([])
  })
})
