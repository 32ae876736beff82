import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const folder = tempFolder('readme')

describe('the README', () => {
  it('has a library block that runs as printed', () => {
    const [, block = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
    const lines = block.trim().split('\n')
    expect(lines.length).toBeGreaterThanOrEqual(10)
    expect(lines.length).toBeLessThanOrEqual(20)
    const entry = pathToFileURL(join(root, 'dist/index.js')).href
    const file = join(folder, 'block.mts')
    writeFileSync(file, block.replace("'lamella'", JSON.stringify(entry)))
    const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/esm/index.mjs')).href
    const output = execFileSync(process.execPath, ['--import', tsx, file], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(output).toContain("{ value: 1, relation: 'eq' }")
    expect(output).toContain("title: 'Moby-Dick; or, The Whale'")
    expect(output).toMatch(/} \d+\n$/)
  })

  it('has the two set-up commands as they are to be typed', () => {
    expect(readme).toContain('```sh\nnpm ci && npm start\n```')
    expect(readme).toContain('```sh\nnpm ci && npm test\n```')
  })
})
