import { describe, expect, it } from 'vitest'
import { OneThread } from '../../src/pool/one-thread.ts'

const url = (name: string): URL => new URL(`./fixtures/${name}.mjs`, import.meta.url)

/** A thread whose module writes 1 to the first word once it loads, and 2 once it is loaded. */
function slowThread(): { thread: OneThread; words: Int32Array; lost: string[] } {
  const words = new Int32Array(new SharedArrayBuffer(8))
  const lost: string[] = []
  const thread = new OneThread(url('slow-worker'), reason => lost.push(reason), { words })
  return { thread, words, lost }
}

describe('a thread', () => {
  it('is ended amid the loading of its modules', async () => {
    const { thread, words, lost } = slowThread()
    expect(thread.id).toBeGreaterThan(0)
    const loads = Atomics.waitAsync(words, 0, 0)
    await loads.value
    await thread.end()
    expect(words[0]).toBe(1)
    expect(thread.id).toBeNull()
    await new Promise(resolve => setImmediate(resolve))
    expect(lost).toEqual(['its thread ended'])
  })

  it('imports its modules: Node aborts a process that ends amid a require of them', async () => {
    const { thread } = slowThread()
    const { words, stack } = (await thread.run(null, [])) as { words: number; stack: string }
    expect(words).toBe(2)
    expect(stack).toContain('slow-worker.mjs')
    expect(stack).not.toMatch(/require/i)
    await thread.end()
    expect(thread.id).toBeNull()
  })

  it('is not replaced when it is lost, with the state that it kept', async () => {
    const { thread, lost } = slowThread()
    await expect(thread.run('die', [])).rejects.toThrow('code: 3')
    expect(thread.id).toBeNull()
    await new Promise(resolve => setImmediate(resolve))
    expect(thread.id).toBeNull()
    expect(lost).toEqual(['its thread ended'])
    await thread.end()
  })

  it.each([true, false])(
    'is lost when its modules cannot be loaded, whether a task waits (%s) or not',
    async waits => {
      let isLost: (reason: string) => void
      const loss = new Promise<string>(resolve => {
        isLost = resolve
      })
      const thread = new OneThread(url('broken-worker'), reason => isLost(reason))
      if (waits) await expect(thread.run(null, [])).rejects.toThrow('broken on purpose')
      // Where the thread ends before it has answered, the task alone gets the reason.
      expect(await loss).toMatch(waits ? /broken on purpose|its thread ended/ : /broken on purpose/)
      await thread.end()
      expect(thread.id).toBeNull()
    },
  )
})
