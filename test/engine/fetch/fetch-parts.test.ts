import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FETCH_PART_NAMES, FETCH_PARTS } from '../../../src/engine/fetch/fetch-parts.ts'
import { newHit } from '../../../src/engine/response/printed-hit.ts'
import { SEARCH_PART_NAMES } from '../../../src/engine/search/search-parts.ts'

/** The parts that a folder holds, by their names in a table. */
function partsIn(folder: string): string[] {
  return readdirSync(new URL(`../../../src/engine/${folder}`, import.meta.url)).map(file =>
    file.replace('.ts', '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  )
}

describe('the parts of a hit', () => {
  it.each([
    ['fetch/part/', FETCH_PART_NAMES],
    ['search/part/', SEARCH_PART_NAMES],
  ])('are those of the files in %s', (folder, names) => {
    expect([...names].sort()).toEqual(partsIn(folder).sort())
  })

  it('have a sub-phase of their own each, where they have one', () => {
    const phases = Object.values(FETCH_PARTS).flatMap(({ subPhase }) => subPhase ?? [])
    expect(new Set(phases).size).toBe(phases.length)
  })

  it('print in the documented order of keys', () => {
    expect(Object.keys(newHit('i', '1', Number.NaN, null))).toEqual(
      (
        '_shard _node _index _id _nested _version _seq_no _primary_term _score _routing _ignored ' +
        '_source fields highlight sort matched_queries _explanation inner_hits'
      ).split(' '),
    )
  })
})
