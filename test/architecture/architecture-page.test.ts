import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const sources = ['src', 'test'].flatMap(folder =>
  (readdirSync(join(root, folder), { recursive: true }) as string[]).map(
    file => `/${folder}/${file}`,
  ),
)
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

/** The text below a heading, up to the next one of its level. */
function section(heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`)
  expect(start, heading).toBeGreaterThan(0)
  const end = page.indexOf('\n## ', start + 4)
  return page.slice(start, end < 0 ? page.length : end)
}

/** Paths of source files that a text names in backquotes, in its order. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/`([a-z-]+(?:\/[a-z-]+)+\.ts)`/g)].map(match => match[1]!)
}

describe('ARCHITECTURE.md', () => {
  it('tells the house in under 320 lines', () => {
    expect(page.split('\n').length).toBeLessThan(320)
  })

  it('names no file that is not there', () => {
    // A paragraph names the files of its folder without it.
    const missing = filesIn(page).filter(file => !sources.some(each => each.endsWith(`/${file}`)))
    expect(missing).toEqual([])
  })

  it('walks through one search file by file, none of them twice', () => {
    const files = filesIn(section('The life of a search'))
    expect(files.length).toBeGreaterThan(15)
    expect(files.filter(file => !existsSync(join(root, 'src', file)))).toEqual([])
    expect(files.filter((file, i) => files.indexOf(file) < i)).toEqual([])
  })

  it('has the folders of the layer table, in its order', () => {
    const table = readFileSync(join(root, 'test/architecture/layers.test.ts'), 'utf8')
    const layers = [
      ...table.slice(table.indexOf('const MAY_IMPORT')).matchAll(/^ {2}(\w+):(?=\s)/gm),
    ].map(match => match[1]!)
    const rows = [...page.matchAll(/^\| `(\w+)\/`/gm)].map(match => match[1]!)
    expect(layers.slice(0, rows.length)).toEqual(rows)
    expect(rows.length).toBeGreaterThan(20)
  })
})
