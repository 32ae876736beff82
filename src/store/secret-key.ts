import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../util/errors.ts'

const KEY_BYTES = 32

/**
 * The key under which a node seals its secrets: 32 random bytes in a file of mode 0600, made when it is
 * first asked for.
 * @param folder the data folder; null: the key lives as long as the process
 * @throws {EngineError} `illegal_state_exception`: the file is no key, or others may read it
 */
export function secretKey(folder: string | null, name: string): Uint8Array {
  if (folder === null) return randomBytes(KEY_BYTES)
  const path = join(folder, name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return makeKey(folder, path)
  if ((found.mode & 0o077) !== 0)
    throw unusable(name, 'it may be read by others: give it the mode 0600')
  const bytes = readFileSync(path)
  if (bytes.length !== KEY_BYTES) throw unusable(name, `it has [${bytes.length}] bytes, not 32`)
  return bytes
}

/** Whole or not at all: a key that was cut short would make everything sealed under it unreadable. */
function makeKey(folder: string, path: string): Uint8Array {
  const key = randomBytes(KEY_BYTES)
  const pending = `${path}.pending`
  rmSync(pending, { force: true })
  const file = openSync(pending, 'wx', 0o600)
  try {
    writeSync(file, key)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(pending, path)
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return key
}

function unusable(name: string, why: string): EngineError {
  return new EngineError({
    type: 'illegal_state_exception',
    reason: `the key file [${name}] cannot be used: ${why}`,
  })
}
