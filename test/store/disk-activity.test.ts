import { expect, it } from 'vitest'
import { activitySince, diskActivityOf, mountOf } from '../../src/store/disk-activity.ts'
import { tempFolder } from '../support/temp-folder.ts'

const NOW = {
  device: 'sda1',
  reads: 10,
  writes: 20,
  readKilobytes: 30,
  writtenKilobytes: 40,
  readMillis: 50,
  writeMillis: 60,
  busyMillis: 70,
  queuedMillis: 80,
}

it('counts from an earlier reading on', () => {
  expect(activitySince(NOW, { ...NOW, reads: 1, busyMillis: 71 })).toEqual({
    device: 'sda1',
    reads: 9,
    writes: 0,
    readKilobytes: 0,
    writtenKilobytes: 0,
    readMillis: 0,
    writeMillis: 0,
    busyMillis: -1,
    queuedMillis: 0,
  })
})

it.runIf(process.platform === 'linux')('finds the mount and the disk of a folder', () => {
  const folder = tempFolder('disk-activity')
  expect(mountOf('/proc')).toMatch(/^\/proc \(/)
  expect(mountOf(folder)).toMatch(/^\//)
  const disk = diskActivityOf(folder)
  // A folder in memory lies on no disk.
  if (disk !== null) expect(disk.device).toMatch(/^\w/)
  expect(diskActivityOf('/proc')).toBeNull()
})
