import { expect, it } from 'vitest'
import { instantiateKernels } from '../../src/kernels/kernel-module.ts'
import type { FieldDataCharge } from '../../src/segment/field-data-charge.ts'
import { Segment } from '../../src/segment/segment.ts'
import { SegmentMemory } from '../../src/segment/segment-memory.ts'
import { ArenaPool } from '../../src/store/arena-pool.ts'
import { FsDirectory } from '../../src/store/fs-directory.ts'

const directory = new FsDirectory(`${import.meta.dirname}/../golden/segments/v1`)
const ALL = { min: 0, max: 2147483647, minSegmentSize: 0 }

it('is evicted only where pinned data leaves no room, and made again', () => {
  let charged = 0
  const openCharge = (): FieldDataCharge => {
    let held = 0
    return {
      add(bytes) {
        charged += bytes
        held += bytes
      },
      release() {
        charged -= held
        held = 0
      },
    }
  }
  const arenas = new ArenaPool()
  const memory = new SegmentMemory(arenas, 1 << 20, 0, 0, openCharge)
  const segment = new Segment(1, directory, '_0', gone => memory.forget(gone))
  const info = [...segment.fields.values()].find(
    ({ indexOptions }) => indexOptions === 'positions',
  )!
  const pins = memory.newPins()
  const kernels = instantiateKernels(arenas.arenas[memory.homeOf(segment)]!.memory)
  const load = () => memory.fieldData.load(segment, info, ALL, kernels, pins)!
  const before = memory.evictions
  const first = load()
  expect(charged).toBe(first.length)
  expect(load()).toBe(first)
  expect(memory.fieldData.useOf(directory)).toEqual({
    fields: new Map([[info.name, first.length]]),
    evictions: 0,
  })
  // Running searches keep theirs.
  const tooMuch = () => memory.allocate(segment, (1 << 20) - 1024)
  expect(tooMuch).toThrow('raise memory.limit')
  memory.fieldData.clear(segment, null)
  expect(memory.fieldData.pin(segment, info.number, pins)).toBe(first)
  pins.release()
  memory.fieldData.clear(segment, new Set(['another']))
  const range = tooMuch()
  expect(memory.fieldData.pin(segment, info.number, pins)).toBe(null)
  expect(memory.fieldData.useOf(directory)).toEqual({ fields: new Map(), evictions: 1 })
  expect(memory.evictions).toBeGreaterThan(before)
  expect(charged).toBe(0)
  memory.free(range)
  expect(load().length).toBe(first.length)
  segment.release()
  expect([charged, memory.loadedBytes]).toEqual([0, 0])
})
