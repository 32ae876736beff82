import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sourceLine } from '../../src/util/source-lines.ts'
import { tempFolder } from '../support/temp-folder.ts'

const CHUNKS = new URL('../../dist/chunks/', import.meta.url)

describe('the line of a source', () => {
  const folder = tempFolder('source-lines')
  const written = (name: string, map: object): string => {
    writeFileSync(join(folder, `${name}.js.map`), JSON.stringify(map))
    return pathToFileURL(join(folder, `${name}.js`)).href
  }

  it('is the first that a line of code was made of', () => {
    // Lines 1 to 4: nothing; a.ts 1; b.ts 17 and 18; a.ts 3, told twice.
    const url = written('small', {
      sources: ['../src/util/a.ts', '../src/b.ts'],
      mappings: ';AAAA;ACgBA,EACC;ADfD,CAAA',
    })
    expect([1, 2, 3, 4, 5].map(line => sourceLine(url, line))).toEqual([
      null,
      { file: 'util/a.ts', line: 1 },
      { file: 'b.ts', line: 17 },
      { file: 'util/a.ts', line: 3 },
      null,
    ])
  })

  it('is the one that Node finds in the maps of the build', () => {
    const maps = readdirSync(CHUNKS).filter(name => name.endsWith('.js.map'))
    expect(maps.length).toBeGreaterThan(50)
    let count = 0
    for (const name of maps.filter((_, i) => i % 8 === 0)) {
      const map = JSON.parse(readFileSync(new URL(name, CHUNKS), 'utf8'))
      const code = readFileSync(new URL(name.slice(0, -4), CHUNKS), 'utf8').split('\n')
      const known = new SourceMap(map)
      for (const [i, text] of code.entries()) {
        const place = sourceLine(new URL(name.slice(0, -4), CHUNKS).href, i + 1)
        if (place === null) continue
        const found = known.findEntry(i, text.search(/\S/)) as { originalSource: string }
        expect(found.originalSource.replace('../../src/', '')).toBe(place.file)
        count++
      }
    }
    expect(count).toBeGreaterThan(1000)
  })

  it.each(['file:///nowhere/a.js', 'node:fs', import.meta.url, ''])('is unknown for %j', url => {
    expect(sourceLine(url, 1)).toBeNull()
  })
})
