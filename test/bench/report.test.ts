import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machineNow, ResultFile, save } from '../../bench/lib/report.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('report')

it('gives every run a file of its own, and a run the same one each time', () => {
  const machine = { ...machineNow(), date: '2025-01-02', commit: 'abc' }
  const first = new ResultFile(folder, 'growth', machine)
  const file = first.write({ sizes: [1] })
  const second = new ResultFile(folder, 'growth', machine)
  expect(second.write({ sizes: [7] })).not.toBe(file)
  expect(first.write({ sizes: [1, 2] })).toBe(file)
  expect(JSON.parse(readFileSync(file, 'utf8')).sizes).toEqual([1, 2])
  for (let run = 0; run < 3; run++) save(folder, machine, [])
  expect(readdirSync(join(folder, 'results')).sort()).toEqual([
    'bench-2025-01-02-abc-2.json',
    'bench-2025-01-02-abc-3.json',
    'bench-2025-01-02-abc.json',
    'growth-2025-01-02-abc-2.json',
    'growth-2025-01-02-abc.json',
  ])
})
