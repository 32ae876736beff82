/**
 * Hashes of passwords. Those made here are of scrypt; those of bcrypt, which users brought along, are read.
 *
 *   scrypt := "$scrypt$ln=" log2N ",r=" r ",p=" p "$" salt "$" key       base64 without padding
 *
 * Example: $scrypt$ln=15,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$ followed by 43 characters of the key.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { checkBcrypt } from './bcrypt-thread.ts'

const KEY_BYTES = 32
const SALT_BYTES = 16
/** 32 MiB and about 0.1 s for each: a guess costs an attacker the same. */
const COST = { log2: 15, blockSize: 8, parallel: 1 }
/** A hash that asks for more is refused: memory is taken in the name of somebody unknown. */
const MAX_BYTES = 256 * 2 ** 20
const MAX_PARALLEL = 16

const SCRYPT =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{43})$/
const BCRYPT = /^\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}$/

/** Parts of a hash of scrypt. */
interface ScryptHash {
  readonly options: ScryptOptions
  readonly salt: Uint8Array
  readonly key: Uint8Array
}

/** Whether a text is a hash that can be checked here. */
export function isPasswordHash(text: string): boolean {
  return BCRYPT.test(text) || readScrypt(text) !== null
}

/** The hash of a new password; made off the calling thread. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { log2, blockSize, parallel } = COST
  const key = await derive(password, salt, optionsOf(log2, blockSize, parallel))
  return `$scrypt$ln=${log2},r=${blockSize},p=${parallel}$${text(salt)}$${text(key)}`
}

/** A hash that no password has: checking against it takes as long as against a real one. */
export const NO_USERS_HASH: string = `$scrypt$ln=${COST.log2},r=${COST.blockSize},p=${COST.parallel}$${text(randomBytes(SALT_BYTES))}$${text(randomBytes(KEY_BYTES))}`

/** Whether a password is that of a hash; false for a hash of an unknown form. */
export async function matchesPassword(password: string, hash: string): Promise<boolean> {
  if (BCRYPT.test(hash)) return await checkBcrypt(password, hash)
  const known = readScrypt(hash)
  if (known === null) return false
  const key = await derive(password, known.salt, known.options)
  return timingSafeEqual(key, known.key)
}

function readScrypt(hash: string): ScryptHash | null {
  const match = SCRYPT.exec(hash)
  if (match === null) return null
  const [log2, blockSize, parallel] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const isBounded =
    log2 >= 1 &&
    blockSize >= 1 &&
    parallel >= 1 &&
    parallel <= MAX_PARALLEL &&
    128 * 2 ** log2 * blockSize <= MAX_BYTES
  if (!isBounded) return null
  return {
    options: optionsOf(log2, blockSize, parallel),
    salt: Buffer.from(match[4]!, 'base64'),
    key: Buffer.from(match[5]!, 'base64'),
  }
}

function optionsOf(log2: number, blockSize: number, parallel: number): ScryptOptions {
  return { N: 2 ** log2, r: blockSize, p: parallel, maxmem: MAX_BYTES + 2 ** 20 * MAX_PARALLEL }
}

/** The key of a password; Unicode in one form, whatever the keyboard made of it. */
function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
