/**
 * A node that runs its jobs again and again, each sweep an interval after the other, until it has done as many as
 * it was told or is killed: `node ism-sweeps.mjs ⟨folder⟩ ⟨milliseconds of its clock⟩ ⟨sweeps⟩`.
 */
import { openEngine } from '../../dist/engine/engine.js'
import { openServices } from '../../dist/service/services.js'

const INTERVAL_IN_MILLIS = 10 * 60_000

const [folder, start, sweeps] = process.argv.slice(2)
let now = Number(start)
const settings = new Map([
  ['lamella.threads.search', '1'],
  ['lamella.threads.write', '1'],
])
const engine = await openEngine({ folder, settings })
const { ism } = openServices(engine, {
  now: () => now,
  everyMillis: () => () => {},
  heapUsedPercent: () => 10,
})
for (let i = 0; i < Number(sweeps); i++) {
  now += INTERVAL_IN_MILLIS
  await ism.sweep()
}
await engine.close()
