import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../util/errors.ts'

/**
 * Holds a data folder for one process. The lock file names its holder by process id, boot and start
 * time, so that a file left by a dead process, or by another boot, never blocks: it is replaced.
 */
export interface NodeLock {
  release(): void
}

interface Holder {
  readonly pid: number
  readonly boot: string
  readonly started: string
  readonly host: string
}

const FILE = 'node.lock'
/** Folders that this very process holds: its own pid would look like a stale file's. */
const held = new Set<string>()

/**
 * Takes the lock of a data folder.
 * @throws {EngineError} `illegal_state_exception` that names the process which holds it
 */
export function lockFolder(folder: string): NodeLock {
  const path = join(folder, FILE)
  if (held.has(path)) throw inUse(folder, `this process (pid ${process.pid})`)
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      const file = openSync(path, 'wx', 0o600)
      const holder: Holder = {
        pid: process.pid,
        boot: bootId(),
        started: startTime(process.pid) ?? '',
        host: hostname(),
      }
      writeSync(file, `${JSON.stringify(holder)}\n`)
      closeSync(file)
      held.add(path)
      return {
        release() {
          held.delete(path)
          rmSync(path, { force: true })
        },
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readHolder(path)
    if (holder !== null && isAlive(holder))
      throw inUse(folder, `process ${holder.pid} on ${holder.host}`)
    rmSync(path, { force: true })
  }
  throw inUse(folder, 'another process')
}

function inUse(folder: string, holder: string): EngineError {
  return new EngineError({
    type: 'illegal_state_exception',
    reason: `the data folder [${folder}] is in use by ${holder}: stop it, or name another folder`,
  })
}

function readHolder(path: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>
    if (typeof holder.pid !== 'number') return null
    const { pid, boot = '', started = '', host = '' } = holder
    return { pid, boot, started, host }
  } catch {
    // A file cut short by a crash while it was written names nobody.
    return null
  }
}

function isAlive(holder: Holder): boolean {
  if (holder.boot !== bootId()) return false
  const started = startTime(holder.pid)
  if (started !== null && holder.started !== '') return started === holder.started
  try {
    process.kill(holder.pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Changes with every boot; empty where the system does not tell. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** When a process started, in ticks since the boot; null when it does not live or none can tell. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold spaces and parentheses: fields count from behind the last one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
