import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from '../../src/embed/open.ts'
import type { RunningServer } from '../../src/embed/running-server.ts'
import { runCli } from '../support/cli-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

const db = await open()
let server: RunningServer
beforeAll(async () => {
  server = await db.serve({ port: 0 })
})
afterAll(() => db.close())

describe('lamella doctor', () => {
  it('finds nothing on a server that is well', async () => {
    expect(await runCli(['doctor', '--url', server.url])).toEqual({
      code: 0,
      stdout: 'nothing stands in the way of policies\n',
      stderr: '',
    })
  })

  it('tells what it found on a server, with its cure', async () => {
    const skip = { 'index_state_management.rollover_skip': true }
    await db.index('skips', undefined, { settings: skip })
    const { code, stdout } = await runCli(['doctor', '--url', server.url])
    expect(code).toBe(1)
    const cure = 'PUT /skips/_settings {"index_state_management.rollover_skip":false}'
    expect(stdout).toBe(`Skipped rollover action for [index=skips]\n  ${cure}\n\n1 finding\n`)
    const json = await runCli(['doctor', '--url', server.url, '--json'])
    expect(JSON.parse(json.stdout)).toEqual({
      findings: [
        { index: 'skips', text: 'Skipped rollover action for [index=skips]', remedies: [cure] },
      ],
    })
  })

  it('takes a server or a folder', async () => {
    const folder = join(tempFolder('doctor'), 'none')
    const both = await runCli(['doctor', '--url', server.url, '--data', folder])
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining('--url names a server and --data a folder: give one of them'),
    ])
    const none = await runCli(['doctor', '--data', folder])
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining(`there is no data folder [${folder}]`),
    ])
  })
})
