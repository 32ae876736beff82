/** Cold starts: the import of the library, and a server until it answers, with what is resident then. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Bench, resultOf } from '../lib/result.ts'
import { serve } from '../lib/served.ts'

const LIBRARY = new URL('../../dist/index.js', import.meta.url).href

/** Prints how long an import took, the process's resident memory after it, and milliseconds of processor time. */
const IMPORT = `const started = performance.now()
await import(${JSON.stringify(LIBRARY)})
const inMillis = performance.now() - started
const { user, system } = process.cpuUsage()
console.log(JSON.stringify([inMillis, process.memoryUsage().rss / 1e6, (user + system) / 1000]))`

/** The library's import in a process of its own, beside one that imports nothing, and the server's start. */
export const starting: Bench = {
  name: 'starting',
  async run({ rounds }) {
    const imports: number[][] = []
    const bare: number[] = []
    const starts: number[] = []
    const resident: number[] = []
    for (let round = 0; round < rounds; round++) {
      bare.push(timed(() => evaluate('')))
      imports.push(JSON.parse(evaluate(IMPORT)) as number[])
      const started = performance.now()
      const served = await serve()
      starts.push(performance.now() - started)
      resident.push(residentMegabytes(served.process.pid!))
      served.process.kill()
      await once(served.process, 'exit')
    }
    const node = `an empty process ${Math.min(...bare).toFixed(0)} ms`
    const inMillis = imports.map(([millis]) => millis!)
    const ratio = Math.min(...inMillis) / Math.min(...bare)
    return [
      resultOf('starting/import of the library', 'ms', inMillis, {
        against: { name: node, ratio },
      }),
      resultOf(
        'starting/processor time of it',
        'ms',
        imports.map(reading => reading[2]!),
      ),
      resultOf(
        'starting/resident after it',
        'MB',
        imports.map(reading => reading[1]!),
      ),
      resultOf('starting/server until it answers', 'ms', starts),
      resultOf('starting/its resident memory', 'MB', resident),
    ]
  },
}

function evaluate(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
}

function timed(run: () => unknown): number {
  const started = performance.now()
  run()
  return performance.now() - started
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1000
}
