import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { MachineMeter } from '../../../src/engine/node/machine-meter.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const meter = new MachineMeter(tempFolder('machine-meter'))
afterAll(() => meter.close())

it('tells shares between nothing and all', () => {
  for (let i = 0; i < 3; i++) {
    const { systemCpuPercent, processCpuPercent, diskBusyPercent } = meter.use()
    for (const share of [systemCpuPercent, processCpuPercent, diskBusyPercent ?? 0])
      expect(share >= 0 && share <= 100).toBe(true)
  }
})

it('counts processor time upwards, and garbage collections', async () => {
  const before = meter.use()
  let kept: unknown[] = []
  for (let i = 0; i < 2e6; i++) {
    if (i % 1000 === 0) kept = []
    kept.push({ i })
  }
  expect(kept).toHaveLength(1000)
  // Collections are told between two turns.
  await nextTurn()
  const after = meter.use()
  expect(after.processCpuInMillis).toBeGreaterThanOrEqual(before.processCpuInMillis)
  const { young, old } = after.collections
  expect(young.count + old.count).toBeGreaterThan(0)
  expect(young.timeInMillis + old.timeInMillis).toBeGreaterThan(0)
})

it('has no disk in memory', () => {
  const inMemory = new MachineMeter(null)
  expect(inMemory.use()).toMatchObject({ disk: null, mount: null, diskBusyPercent: null })
  inMemory.close()
})
