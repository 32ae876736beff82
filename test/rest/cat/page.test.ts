import { expect, it } from 'vitest'
import { pageOf } from '../../../src/rest/cat/page.ts'

interface Row {
  readonly index: string
  readonly shard: number
  readonly copy: number
}

/** Two shards of each index, in three copies. */
const ROWS: readonly Row[] = ['b', 'a'].flatMap(index =>
  [0, 1].flatMap(shard => [0, 1, 2].map(copy => ({ index, shard, copy }))),
)

function shards(size: number, isDescending = false): string[] {
  const found: string[] = []
  let token: string | null = null
  do {
    const place = (row: Row) => ({ ...row, createdAt: 7 })
    const page: ReturnType<typeof pageOf<Row>> = pageOf(
      ROWS,
      { size, isDescending, token },
      place,
      true,
    )
    found.push(page.rows.map(({ index, shard, copy }) => `${index}${shard}${copy}`).join(' '))
    token = page.nextToken
  } while (token !== null)
  return found
}

it('keeps the copies of a shard together', () => {
  expect(shards(8)).toEqual(['a00 a01 a02 a10 a11 a12', 'b00 b01 b02 b10 b11 b12'])
  expect(shards(12)).toHaveLength(1)
  expect(shards(5, true)[0]).toBe('b00 b01 b02')
})

it('gives a page that is larger than asked for where one shard has more copies', () => {
  expect(shards(2)).toEqual(['a00 a01 a02', 'a10 a11 a12', 'b00 b01 b02', 'b10 b11 b12'])
})
