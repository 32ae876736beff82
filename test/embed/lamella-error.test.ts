import { describe, expect, it } from 'vitest'
import { Database } from '../../src/embed/database.ts'
import type { LamellaError } from '../../src/embed/lamella-error.ts'
import { localBackend } from '../../src/embed/local-backend.ts'
import { open } from '../../src/embed/open.ts'
import { openEngineOver } from '../../src/engine/engine.ts'
import { FaultDisk } from '../chaos/fault-disk.ts'

async function refusal(call: PromiseLike<unknown>): Promise<LamellaError> {
  const error = await call.then(
    () => null,
    (refused: unknown) => refused,
  )
  expect((error as Error).name).toBe('LamellaError')
  return error as LamellaError
}

async function over(disk: FaultDisk): Promise<Database> {
  const settings = new Map([
    ['lamella.threads.write', '1'],
    ['lamella.threads.search', '1'],
  ])
  return new Database(localBackend(await openEngineOver({ folder: null, settings }, disk)))
}

describe('the message of an error', () => {
  it('is the reason of the shard that failed, beside the reason of the API', async () => {
    await using db = await open()
    const index = await db.index('books', { properties: { year: { type: 'integer' } } })
    const error = await refusal(index.search({ query: { term: { year: 'soon' } } }))
    expect(error).toMatchObject({
      type: 'search_phase_execution_exception',
      reason: 'all shards failed',
      status: 400,
    })
    expect(error.message).toBe(error.rootCause[0]?.reason)
    expect(error.message).toContain('soon')
  })

  it('stands beside those of its causes, the outermost first', async () => {
    await using db = await open()
    await db.index('books')
    const error = await refusal(db.reindex('books', 'copy', { script: 'ctx.' }))
    expect([error.type, error.message]).toEqual(['script_exception', 'compile error'])
    expect(error.causes).toEqual([
      { type: 'illegal_argument_exception', reason: 'unexpected end of script.' },
    ])
    expect((await refusal(db.existing('none'))).causes).toEqual([])
  })

  it('says of writes to a full disk that it is full, also after the next start', async () => {
    const disk = new FaultDisk()
    const full = { kind: 'write', call: 1, code: 'ENOSPC', share: 0, isLasting: true } as const
    {
      const db = await over(disk)
      const index = await db.index('books')
      await index.put('1', { title: 'The Whale' })
      disk.arm(full)
      const { message } = await refusal(index.put('2', { title: 'Typee' }))
      expect(message).toMatch(/the disk is full \(ENOSPC/)
      await db.close().catch(() => {})
    }
    {
      const db = await over(disk)
      const index = await db.existing('books')
      for (const call of [index.search(), index.put('3', { title: 'Omoo' }), index.get('1')])
        expect((await refusal(call)).message).toMatch(/the disk is full \(ENOSPC/)
      await db.close().catch(() => {})
    }
    disk.arm(null)
    await using db = await over(disk)
    expect((await (await db.existing('books')).get('1'))?.source).toEqual({ title: 'The Whale' })
  })
})
