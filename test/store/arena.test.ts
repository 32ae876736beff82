import { expect, it } from 'vitest'
import { ARENA_BYTES, createArena } from '../../src/store/arena.ts'

it('makes arenas of their full size, seen whole through every view', () => {
  const { memory, views } = createArena(3)
  expect(memory.buffer.byteLength).toBe(ARENA_BYTES)
  for (const view of Object.values(views)) expect(view.byteLength).toBe(ARENA_BYTES)
  views.f64[ARENA_BYTES / 8 - 1] = 0.5
  expect(views.u8[ARENA_BYTES - 1]).toBe(0x3f)
})
