import { randomBytes } from 'node:crypto'

/** 22 url-safe characters that nobody else has. */
export function newUuid(): string {
  return randomBytes(16).toString('base64url')
}
