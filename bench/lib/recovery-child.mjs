// @ts-check
// Opens a data folder in a process of its own and prints how many seconds that took:
// `node recovery-child.mjs FOLDER`.
import { openEngine } from '../../dist/engine/engine.js'

const settings = new Map([
  ['lamella.threads.write', '2'],
  ['lamella.threads.search', '1'],
])
const started = performance.now()
const engine = await openEngine({ folder: process.argv[2] ?? null, settings })
console.log((performance.now() - started) / 1000)
await engine.close()
