import { describe, expect, it } from 'vitest'
import { OneThread } from '../../src/pool/one-thread.ts'

const url = (name: string): URL => new URL(`./fixtures/${name}.mjs`, import.meta.url)

describe('a thread', () => {
  it('is ended once it has loaded its modules, never amid that', async () => {
    const words = new Int32Array(new SharedArrayBuffer(8))
    const lost: string[] = []
    const thread = new OneThread(url('slow-worker'), reason => lost.push(reason), words.buffer)
    expect(thread.id).toBeGreaterThan(0)
    await thread.end()
    expect(words[0]).toBe(1)
    expect(thread.id).toBeNull()
    await new Promise(resolve => setImmediate(resolve))
    expect(lost).toEqual(['its thread ended'])
  })

  it('runs tasks, and is ended at once when it has loaded', async () => {
    const words = new Int32Array(new SharedArrayBuffer(8))
    const thread = new OneThread(url('slow-worker'), () => {}, words.buffer)
    expect(await thread.run(null, [])).toBe(1)
    await thread.end()
    expect(thread.id).toBeNull()
  })

  it('is ended too when its modules cannot be loaded', async () => {
    const lost: string[] = []
    const thread = new OneThread(url('broken-worker'), reason => lost.push(reason))
    await thread.end()
    expect(lost).toHaveLength(1)
  })
})
