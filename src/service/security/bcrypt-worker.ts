/** Entry of the thread that checks hashes of bcrypt. */
import { parentPort } from 'node:worker_threads'
import bcrypt from 'bcryptjs'
import type { BcryptCheck, BcryptOutcome } from './bcrypt-thread.ts'

parentPort?.on('message', ({ number, password, hash }: BcryptCheck) => {
  let matches = false
  try {
    matches = bcrypt.compareSync(password, hash)
  } catch {
    // A hash that the package cannot read is that of no password.
  }
  parentPort?.postMessage({ number, matches } satisfies BcryptOutcome)
})
