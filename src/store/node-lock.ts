import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../util/errors.ts'

/**
 * Lock of a data folder for one process. The lock file names its holder by process id, boot and
 * start time, so that a file left by a dead process or an earlier boot is replaced and never
 * blocks.
 *
 * A process that wants the lock first announces itself by a file of its own, and removes a dead
 * holder's lock only while no other living process is announced: of two that find it at once, at
 * least one sees the other and backs off, so that neither removes the lock that the other has just
 * made. A lock that has gone meanwhile was released and is left to the next attempt; one without a
 * readable holder may be under way, and is debris only where the next attempt finds it unchanged.
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
/** `node.lock.⟨boot⟩.⟨pid⟩.⟨start⟩`: the name alone identifies the process. */
const ANNOUNCEMENT = /^node\.lock\.([0-9a-f-]*)\.(\d+)\.(\d*)$/
/** Max checks of a dead holder's lock while other processes want it. */
const ATTEMPTS = 200
/** Folders locked by this process: its own pid would look like a stale file's. */
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
  let unreadable = ''
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
      // In this order: a process announced before may have made its lock since; a later one sees
      // ours.
      const isWanted = isWantedByOthers(folder, announcement)
      const found = readLock(path)
      if (found === null) continue
      const { holder, version } = found
      if (holder !== null && isAlive(holder))
        throw inUse(folder, `process ${holder.pid} on ${holder.host}`)
      // A contender that was writing the lock at the last reading would have announced itself, or be
      // done by now.
      const isStale = holder !== null || version === unreadable
      unreadable = version
      if (!isStale) continue
      if (isWanted) {
        // Withdraw the announcement while waiting, or two processes would wait for each other.
        rmSync(join(folder, announcement), { force: true })
        pause()
      } else rmSync(path, { force: true })
    }
  } finally {
    rmSync(join(folder, announcement), { force: true })
  }
  throw inUse(folder, 'another process')
}

/** @returns false when a lock exists */
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
    // For example after a full disk: a partial file must not look like a lock being made.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** Whether another living process is announced; removes the announcements of dead ones. */
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

/** Sleeps a random few milliseconds, so that two waiting processes do not stay in step. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 + Math.random() * 20)
}

function inUse(folder: string, holder: string): EngineError {
  return new EngineError({
    type: 'illegal_state_exception',
    reason: `the data folder [${folder}] is in use by ${holder}: stop it, or name another folder`,
  })
}

/** A lock file; `version` tells it from any other one at its path. */
interface FoundLock {
  /** Null: none that can be read. */
  readonly holder: Holder | null
  readonly version: string
}

/** @returns null when there is no lock file any more */
function readLock(path: string): FoundLock | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { ino, mtimeNs, size } = fstatSync(file, { bigint: true })
    const holder = parseHolder(readFileSync(file, 'utf8'))
    return { holder, version: `${ino}/${mtimeNs}/${size}` }
  } finally {
    closeSync(file)
  }
}

/** A file truncated by a crash names no process. */
function parseHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder>
    if (typeof holder.pid !== 'number') return null
    const { pid, boot = '', started = '', host = '' } = holder
    return { pid, boot, started, host }
  } catch {
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

/** Changes with every boot; empty if unknown. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Start time of a process in ticks since boot; null when it is not alive or the time is unknown.
 */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may contain spaces and parentheses: fields are counted after the last one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
