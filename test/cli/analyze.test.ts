import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('analyze')

describe('lamella analyze', () => {
  it('shows tokens as a table and as arcs', async () => {
    const chain = ['--tokenizer', 'whitespace', '--filter', 'lowercase,stop']
    const { code, stdout } = await runCli(['analyze', 'The New York', ...chain], '')
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'position  token  offsets  length  type',
        '       1  new        4–7       1  word',
        '       2  york      8–12       1  word',
        '',
        '╭─ new ─┬─ york ─╮',
        '1       2        3',
        '',
      ].join('\n'),
    )
  })

  it('explains, takes definitions in JSON and word files', async () => {
    writeFileSync(join(folder, 'syn.txt'), 'ny, new york\n')
    const filter = '{"type":"synonym_graph","synonyms_path":"syn.txt"}'
    const chain = ['--tokenizer', 'whitespace', '--filter', filter, '--config', folder]
    const { stdout } = await runCli(['analyze', 'ny hotel', ...chain, '--explain'], '')
    expect(stdout).toContain('filter __anonymous__synonym_graph')
    expect(stdout).toContain('╭─ new ─┬─ york ─╮\n├────── ny ──────┼─ hotel ─╮\n')
    const json = await runCli(['analyze', 'ny', ...chain, '--json'], '')
    expect(JSON.parse(json.stdout).tokens).toHaveLength(3)
  })

  it('asks an index of a data folder', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    const mapping = join(folder, 'mapping.json')
    writeFileSync(mapping, '{"properties":{"t":{"type":"text","analyzer":"keyword"}}}')
    const load = ['index', '-', '--index', 'i', '--data', data, '--mapping', mapping, '--quiet']
    await runCli(load, '{"t":"x"}\n')
    const args = ['analyze', 'A b', '--index', 'i', '--field', 't', '--data', data, '--json']
    const { stdout } = await runCli(args, '')
    expect(JSON.parse(stdout)).toMatchObject({ tokens: [{ token: 'A b' }] })
  })

  it.each([
    [['x', '--analyzer', 'nope'], 1, 'failed to find global analyzer [nope]'],
    [['x', '--field', 'f'], 2, '--field and --normalizer want an --index'],
    [['x', '--filter', '{"type":'], 2, '--filter is no JSON'],
    [[], 2, 'TEXT is missing'],
  ])('refuses %j', async (args, exit, reason) => {
    const { code, stderr } = await runCli(['analyze', ...args], '')
    expect([code, stderr]).toEqual([exit, expect.stringContaining(reason)])
  })
})
