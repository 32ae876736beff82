import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { extent, SEED, tell } from './extent.ts'
import { type Server, startServer } from './killed-server.ts'

const folder = tempFolder('kill-snapshot')

const POINTS = [
  ...['root', 'snap', 'blob'].flatMap(kind => [
    `${kind}.beforeRename`,
    `${kind}.afterRename`,
    `${kind}.beforeDelete`,
  ]),
  'unfinished.afterSync',
  'folder.beforeSync',
  'folder.afterSync',
  'commit.beforeRename',
  'state.beforeRename',
  'state.afterRename',
  'segment.afterSync',
]

/** Facts that a client was told. */
interface Known {
  /** Documents `0` to below this are there. */
  count: number
  /** By snapshot, the documents that it has. */
  readonly taken: Map<string, number>
  /** Perhaps taken, perhaps deleted: the answer did not come. */
  readonly unsure: Map<string, number>
  next: number
}

const R = '/_snapshot/r'

/** Documents of an index; null without the index. */
async function countOf(server: Server, index: string): Promise<number | null> {
  const answer = await server.send('GET', `/${index}/_count`)
  if (answer === null) throw new Error('the server is gone')
  return answer.status === 404 ? null : (answer.json as { count: number }).count
}

/** Writes, takes, deletes and restores until the server is killed or the time is over. */
async function work(server: Server, known: Known, random: Random): Promise<void> {
  // What a restore left that was cut.
  if ((await server.send('DELETE', '/copy?ignore_unavailable=true')) === null) return
  for (;;) {
    const lines = Array.from({ length: 50 }, (_, i) => [
      JSON.stringify({ index: { _id: `d${known.count + i}` } }),
      JSON.stringify({ n: known.count + i }),
    ]).flat()
    const written = await server.send('POST', '/i/_bulk?refresh', `${lines.join('\n')}\n`)
    if (written === null) return
    known.count += 50
    const name = `s${known.next++}`
    known.unsure.set(name, known.count)
    const taken = await server.send('PUT', `${R}/${name}?wait_for_completion=true`, '{}')
    if (taken === null) return
    expect(taken.json).toMatchObject({ snapshot: { state: 'SUCCESS' } })
    known.taken.set(name, known.count)
    known.unsure.delete(name)
    const names = [...known.taken.keys()]
    const chosen = names[random.below(names.length)]!
    if (random.below(3) === 0) {
      const body = JSON.stringify({ indices: 'i', rename_pattern: 'i', rename_replacement: 'copy' })
      const path = `${R}/${chosen}/_restore?wait_for_completion=true`
      const restored = await server.send('POST', path, body)
      if (restored === null) return
      expect(restored.json.error).toBe(undefined)
      expect(await countOf(server, 'copy').catch(() => known.taken.get(chosen))).toBe(
        known.taken.get(chosen),
      )
      if ((await server.send('DELETE', '/copy')) === null) return
    }
    if (names.length > 3) {
      known.unsure.set(chosen, known.taken.get(chosen)!)
      known.taken.delete(chosen)
      if ((await server.send('DELETE', `${R}/${chosen}`)) === null) return
      known.unsure.delete(chosen)
    }
  }
}

/** Holds a server that is not killed to what is known. */
async function check(server: Server, known: Known): Promise<void> {
  const copy = await countOf(server, 'copy')
  const possible = [...known.taken.values(), ...known.unsure.values()]
  if (copy !== null) {
    expect(possible).toContain(copy)
    await server.send('DELETE', '/copy')
  }
  // A bulk whose answer did not come may be there.
  known.count = Math.max(known.count, (await countOf(server, 'i')) ?? 0)
  const listed = (await server.send('GET', `${R}/_all`))!.json as {
    snapshots: { snapshot: string; state: string }[]
  }
  const names = listed.snapshots.map(({ snapshot }) => snapshot)
  for (const name of known.taken.keys()) expect(names).toContain(name)
  for (const [name, count] of known.unsure) if (names.includes(name)) known.taken.set(name, count)
  known.unsure.clear()
  expect([...known.taken.keys()].sort()).toEqual(names.sort())
  expect((await server.send('POST', `${R}/_verify`))!.status).toBe(200)
  for (const [name, count] of known.taken) {
    const body = JSON.stringify({ rename_pattern: 'i', rename_replacement: 'copy' })
    const path = `${R}/${name}/_restore?wait_for_completion=true`
    expect((await server.send('POST', path, body))!.status).toBe(200)
    expect([name, await countOf(server, 'copy')]).toEqual([name, count])
    await server.send('DELETE', '/copy')
  }
}

/** Registers the repository, which a server that was killed before that may not have. */
async function register(server: Server): Promise<void> {
  await server.send('PUT', R, JSON.stringify({ type: 'fs', settings: { location: 'r' } }))
}

it('keeps every snapshot that it acknowledged, wherever the server was killed', async () => {
  const random = new Random(SEED)
  const known: Known = { count: 0, taken: new Map(), unsure: new Map(), next: 0 }
  const cycles = extent(4, 200)
  const met = new Set<string>()
  let kills = 0
  for (let cycle = 0; cycle < cycles; cycle++) {
    const name = POINTS[(cycle * 5) % POINTS.length]!
    const point = `${name}:${1 + random.below(4)}`
    // Most start whole and are held to what is known before they are killed at their work; every fourth
    // can be killed from its first call on, where the last kill has left something to put in order.
    const isArmed = cycle % 4 === 3
    const server = await startServer(folder, isArmed ? point : 'later')
    kills++
    if (server === null) {
      met.add(name)
      continue
    }
    await register(server)
    if (!isArmed) {
      await check(server, known)
      server.killAt(point)
    }
    const working = work(server, known, random)
    const limit = delay(8_000, 'limit')
    if ((await Promise.race([limit, server.process.ended])) !== 'limit') met.add(name)
    server.process.child.kill('SIGKILL')
    await working
    await server.process.ended
    // It came to no other end.
    expect(server.process.child.signalCode).toBe('SIGKILL')
    server.stop()
    if (kills % 20 === 0) tell(`${kills} kills at ${met.size} named points`)
  }
  const whole = (await startServer(folder, null))!
  await register(whole)
  await check(whole, known)
  whole.process.child.kill('SIGTERM')
  expect((await whole.process.ended).code).toBe(0)
  whole.stop()
  tell(`${kills} kills at ${met.size} of ${POINTS.length} named points, ${known.next} snapshots`)
}, 7_200_000)
