/**
 * A change of several indices through failures: every write, sync, rename and deletion of it fails in turn,
 * followed by a kill or a power loss, and the next start finds all of the change or nothing of it.
 */
import { expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { PLAIN_ALIAS } from '../../src/engine/metadata/alias.ts'
import type { DataStreams } from '../../src/engine/metadata/data-stream.ts'
import { type IndexMetadata, indexMetadata } from '../../src/engine/metadata/index-metadata.ts'
import { MetadataStore } from '../../src/engine/metadata/metadata-store.ts'
import { Mapping } from '../../src/schema/mapping.ts'
import { Settings } from '../../src/schema/settings.ts'
import { Random } from '../../src/util/random.ts'
import { type CallKind, type Fault, FaultDisk } from './fault-disk.ts'

const KINDS: readonly CallKind[] = ['write', 'sync', 'rename', 'delete']

const open = (disk: FaultDisk): MetadataStore =>
  new MetadataStore(disk, settings => new AnalysisRegistry(settings), Settings.EMPTY)

const index = (name: string, aliases: readonly string[]): IndexMetadata =>
  indexMetadata(
    {
      name,
      uuid: `uuid-of-${name}`.padEnd(22, '0'),
      settings: new Settings([['index.uuid', `uuid-of-${name}`.padEnd(22, '0')]]),
      mapping: Mapping.EMPTY,
      mappingVersion: 1,
      settingsVersion: 1,
      aliasesVersion: 1,
      isOpen: true,
      routingShards: null,
      partitionSize: null,
      rolloverInfo: new Map(),
      aliases: new Map(aliases.map(alias => [alias, PLAIN_ALIAS])),
    },
    new AnalysisRegistry(new Map(), () => []),
  )

const BEFORE = 'a:live b: old: s=old/1'
const AFTER = 'a: b:live new:live s=b,new/2'

/** Names of all indices with their aliases, and data streams with their indices and generation. */
const shown = (store: MetadataStore): string =>
  [
    ...store.indices().map(({ name, aliases }) => `${name}:${[...aliases.keys()].join(',')}`),
    ...Array.from(store.node.dataStreams.values(), stream => {
      const indices = store.indicesOfStream(stream).map(({ name }) => name)
      return `${stream.name}=${indices.join(',')}/${stream.generation}`
    }),
  ].join(' ')

const streamOf = (generation: number, ...names: string[]): DataStreams => {
  const indices = names.map(name => ({ name, uuid: index(name, []).uuid }))
  return new Map([['s', { name: 's', timestampField: '@timestamp', indices, generation }]])
}

/** A disk with the indices of before. */
function prepared(): FaultDisk {
  const disk = new FaultDisk()
  const store = open(disk)
  for (const each of [index('a', ['live']), index('b', []), index('old', [])]) store.putIndex(each)
  store.putNode({ dataStreams: streamOf(1, 'old') })
  expect(shown(store)).toBe(BEFORE)
  return disk
}

const change = (store: MetadataStore): void =>
  store.putBatch(
    {
      put: [index('a', []), index('b', ['live']), index('new', ['live'])],
      removed: [index('old', []).uuid],
    },
    { dataStreams: streamOf(2, 'b', 'new') },
  )

/** Runs the change with a fault; what the store shows, and whether the change was acknowledged. */
function run(
  disk: FaultDisk,
  fault: Fault,
): { readonly store: MetadataStore; readonly done: boolean } {
  const store = open(disk)
  disk.arm(fault)
  try {
    change(store)
    return { store, done: true }
  } catch {
    return { store, done: false }
  }
}

it('holds whole or not at all, whichever call fails', () => {
  let failed = 0
  for (const kind of KINDS)
    for (const isLasting of [false, true])
      for (let call = 1; call < 40; call++) {
        const fault: Fault = { kind, call, code: 'EIO', share: 0.5, isLasting }
        const disk = prepared()
        const { store, done } = run(disk, fault)
        if (disk.failures === 0) break
        failed++
        const where = `${kind} ${call}${isLasting ? ' and later' : ''}`
        expect([where, shown(store)]).toEqual([where, done ? AFTER : BEFORE])
        const random = new Random(call)
        for (const crashed of [disk.afterKill(), disk.afterPowerLoss(random)]) {
          const found = shown(open(crashed))
          // A change that was refused may have been decided all the same, where its last sync failed.
          const allowed = done ? [AFTER] : [BEFORE, AFTER]
          expect([where, allowed.includes(found)]).toEqual([where, true])
          // What it finds, it keeps.
          expect(shown(open(crashed))).toBe(found)
        }
      }
  expect(failed).toBeGreaterThan(40)
})

it('is finished by the next change where it was decided and not written', () => {
  const disk = prepared()
  // The node's own state is written first: the second write is that of the first index.
  const { store, done } = run(disk, {
    kind: 'write',
    call: 2,
    code: 'ENOSPC',
    share: 0,
    isLasting: true,
  })
  expect([done, shown(store)]).toEqual([true, AFTER])
  expect(() => store.putIndex(index('c', []))).toThrow()
  disk.arm(null)
  store.putIndex(index('c', []))
  expect(shown(open(disk.afterKill()))).toBe('a: b:live c: new:live s=b,new/2')
})

it('never comes back over a later change where it was refused', () => {
  const disk = prepared()
  // Its last step fails: the state is on the disk under its name, but nobody was told so.
  const { store, done } = run(disk, {
    kind: 'sync',
    call: 2,
    code: 'EIO',
    share: 0,
    isLasting: false,
  })
  expect([done, shown(store)]).toEqual([false, BEFORE])
  disk.arm(null)
  store.putIndex(index('a', ['live', 'later']))
  expect(shown(open(disk.afterKill()))).toBe('a:later,live b: old: s=old/1')
})
