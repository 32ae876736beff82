import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('./s3rver/', import.meta.url))

/** A server of the protocol of S3 with one bucket, `books`. */
export interface S3Server {
  readonly endpoint: string
  /** Where its objects lie, as files. */
  readonly folder: string
  close(): Promise<void>
}

type Class = new (
  options: object,
) => {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

/** Starts the server; it is installed with the first use, by its own lock file. */
export async function startS3Server(): Promise<S3Server> {
  if (!existsSync(join(HERE, 'node_modules')))
    execFileSync('npm', ['ci'], { cwd: HERE, stdio: ['ignore', 'ignore', 'pipe'] })
  const Server = createRequire(import.meta.url)(join(HERE, 'node_modules/s3rver')) as Class
  const folder = mkdtempSync(join(tmpdir(), 'lamella-s3-'))
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'books', configs: [] }],
  })
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    folder,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What the server takes as keys. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }
