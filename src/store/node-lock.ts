import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../util/errors.ts'

/**
 * Holds a data folder for one process. The lock file names its holder by process id, boot and start
 * time, so that a file left by a dead process, or by another boot, never blocks: it is replaced.
 *
 * Whoever wants the lock first announces itself by a file of its own, and only takes a dead holder's
 * lock away while no other living process is announced: of two that find it at once, at least one sees
 * the other and steps back, so nobody takes away the lock that the other has just made.
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
/** `node.lock.⟨boot⟩.⟨pid⟩.⟨start⟩`: all that must be known of it stands in its name. */
const ANNOUNCEMENT = /^node\.lock\.([0-9a-f-]*)\.(\d+)\.(\d*)$/
/** How often a dead holder's lock is looked at again while others want it too. */
const ATTEMPTS = 200
/** Folders that this very process holds: its own pid would look like a stale file's. */
const held = new Set<string>()

/**
 * Takes the lock of a data folder.
 * @throws {EngineError} `illegal_state_exception` that names the process which holds it
 */
export function lockFolder(folder: string): NodeLock {
  const path = join(folder, FILE)
  if (held.has(path)) throw inUse(folder, `this process (pid ${process.pid})`)
  const self: Holder = {
    pid: process.pid,
    boot: bootId(),
    started: startTime(process.pid) ?? '',
    host: hostname(),
  }
  const announcement = `${FILE}.${self.boot}.${self.pid}.${self.started}`
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      closeSync(openSync(join(folder, announcement), 'w', 0o600))
      if (make(path, self)) {
        held.add(path)
        return {
          release() {
            held.delete(path)
            rmSync(path, { force: true })
          },
        }
      }
      // In this order: who was announced may have made its lock meanwhile, who comes now sees us.
      const isWanted = isWantedByOthers(folder, announcement)
      const holder = readHolder(path)
      if (holder !== null && isAlive(holder))
        throw inUse(folder, `process ${holder.pid} on ${holder.host}`)
      if (isWanted) {
        // Not announced meanwhile, or two would wait for each other.
        rmSync(join(folder, announcement), { force: true })
        pause()
      } else rmSync(path, { force: true })
    }
  } finally {
    rmSync(join(folder, announcement), { force: true })
  }
  throw inUse(folder, 'another process')
}

/** @returns false when there is a lock already */
function make(path: string, self: Holder): boolean {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(file, `${JSON.stringify(self)}\n`)
    return true
  } catch (error) {
    // A full disk, say: what is left must not look like a lock that is being made.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** Whether another living process is announced; forgets those that died. */
function isWantedByOthers(folder: string, own: string): boolean {
  let isWanted = false
  for (const name of readdirSync(folder)) {
    const [, boot, pid, started] = ANNOUNCEMENT.exec(name) ?? []
    if (boot === undefined || name === own) continue
    if (isAlive({ boot, pid: Number(pid), started: started!, host: '' })) isWanted = true
    else rmSync(join(folder, name), { force: true })
  }
  return isWanted
}

/** Some milliseconds, never as many as another that waits. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 + Math.random() * 20)
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
