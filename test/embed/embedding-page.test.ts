import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = tempFolder('embedding-page')

it('the page on vectors has an example that runs as printed', () => {
  const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
  const [, block = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
  const entry = pathToFileURL(join(root, 'dist/index.js')).href
  const file = join(folder, 'example.mts')
  writeFileSync(file, block.replace("'lamella'", JSON.stringify(entry)))
  const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/esm/index.mjs')).href
  const output = execFileSync(process.execPath, ['--import', tsx, file], { encoding: 'utf8' })
  const lines = output.trim().split('\n')
  expect(lines[0]).toMatch(/^1 0\.7\d* A storm at sea$/)
  expect(lines.slice(1, 3).map(line => line[0])).toEqual(['2', '0'])
  expect(lines.at(-1)).toBe('true')
})
